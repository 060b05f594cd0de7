import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { childProgram } from "../../scripts/support/child-program.ts";
import { programPath } from "../support/cli.ts";
import type { FollowerLine } from "./copies-follower.ts";
import type { ServerFigures } from "./copies-server.ts";

/** A server in its own process, with a stopped clock that `set` moves. */
export class ClockedServer {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown[]>;

  static async start(path: string, at: number, connectionsMax = 1024): Promise<ClockedServer> {
    const program = childProgram(new URL("./copies-server.ts", import.meta.url));
    const words = ["--expose-gc", ...program, path, String(at), String(connectionsMax)];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const [port] = await Promise.race([once(child, "message"), once(child, "exit").then(() => [])]);
    if (typeof port !== "number") throw new Error("the server did not start");
    return new ClockedServer(child, port);
  }

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    this.#exited = once(child, "exit");
  }

  async set(at: number): Promise<void> {
    await this.#ask(at);
  }

  /** Returns the server's costs so far. */
  figures(): Promise<ServerFigures> {
    return this.#ask("figures");
  }

  /** Returns how many requests wait for the next generation. */
  waiting(): Promise<number> {
    return this.#ask("waiting");
  }

  /** Ends it in good order. Returns its exit code. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null) this.#child.kill("SIGTERM");
    return (await this.#exited)[0] as number | null;
  }

  async #ask<Answer>(message: number | string): Promise<Answer> {
    // Answers are numbers and plain objects.
    this.#child.send(message as unknown as object);
    const [answer] = await once(this.#child, "message");
    return answer as Answer;
  }
}

/** A port that forwards everything to `target` and counts the returned bytes on the wire. */
export class CountingProxy {
  bytes = 0;
  readonly #server: Server;

  static async start(target: number): Promise<CountingProxy> {
    const proxy = new CountingProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const server = connect(target, "127.0.0.1");
      server.on("data", (chunk) => {
        this.bytes += chunk.length;
      });
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        one.pipe(other);
        one.on("error", () => other.destroy()).on("close", () => other.destroy());
      }
    });
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
  }
}

export type MarketLine = Extract<FollowerLine, { kind: "market" }>;

/** A client that follows the market, in its own process. */
export class Follower {
  /** The last market that it holds. */
  market: MarketLine | null = null;
  exports = 0;
  /** Processor time of the start of its process, µs. */
  startUs = 0;
  isAwake = false;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #lines: AsyncIterator<string>;

  static async start(base: string, secret: string): Promise<Follower> {
    const program = childProgram(new URL("./copies-follower.ts", import.meta.url));
    const follower = new Follower(
      spawn(process.execPath, [...program, base, secret], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    follower.startUs = await follower.command("figures");
    return follower;
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, "exit");
    this.#lines = createInterface(child.stdout as Readable)[Symbol.asyncIterator]();
  }

  wake(): void {
    this.isAwake = true;
    this.#child.stdin?.write("follow\n");
  }

  /** Reads its output until it holds `generation`. */
  async until(generation: string): Promise<MarketLine> {
    while (this.market?.generation !== generation) {
      const line = await this.#next();
      if (line.kind !== "market") throw new Error("the client has left its loop");
      this.market = line;
      if (line.isExport) this.exports += 1;
    }
    return this.market;
  }

  /** Runs a command that ends its loop, and returns the processor time that it names, µs. */
  async command(command: string): Promise<number> {
    this.isAwake = false;
    this.#child.stdin?.write(`${command}\n`);
    for (;;) {
      const line = await this.#next();
      if (line.kind === "done") return line.cpuUs;
    }
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  async #next(): Promise<FollowerLine> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("the client ended");
    return JSON.parse(value) as FollowerLine;
  }
}

const tellsCpu = `data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>{const{user,system}=process.cpuUsage();writeSync(3,String(user+system))})`;

/** Runs the program in its own process. Returns its JSON output and its processor time in µs. */
export async function runMeasured(words: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", tellsCpu, programPath, ...words], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const streams = [child.stdout, child.stderr, child.stdio[3]] as Readable[];
  const [[stdout, stderr, cpu], [code]] = await Promise.all([Promise.all(streams.map(text)), once(child, "close")]);
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}: ${stderr}`);
  return { stdout: stdout!, cpuUs: Number(cpu) };
}
