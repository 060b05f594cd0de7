import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/files.ts";
import { guideFile } from "../support/guides.ts";
import { freePort } from "../support/postgres.ts";
import { until } from "../support/until.ts";

/** nginx with the block of the guide "From one machine to many", its addresses replaced. */
export class FrontProxy {
  readonly base: string;
  readonly #nodes: readonly string[];
  readonly #folder: string;
  readonly #child: ReturnType<typeof spawn>;

  /** `nodes`: each a host and port. */
  static async start(nodes: readonly string[]): Promise<FrontProxy> {
    const folder = temporaryFolder();
    const port = await freePort();
    writeFileSync(join(folder, "nginx.conf"), configuration(port, nodes));
    const proxy = new FrontProxy(folder, port, nodes);
    const answers = () =>
      fetch(`${proxy.base}/v1/status`)
        .then(() => true)
        .catch(() => false);
    try {
      await until("nginx answers", answers);
      return proxy;
    } catch (error) {
      await proxy.stop();
      throw error;
    }
  }

  private constructor(folder: string, port: number, nodes: readonly string[]) {
    this.#nodes = nodes;
    this.base = `http://127.0.0.1:${port}`;
    this.#folder = folder;
    this.#child = spawn("nginx", ["-p", folder, "-c", "nginx.conf", "-e", "error.log"], { stdio: "ignore" });
  }

  /** Returns how many nodes each request was sent to, by the number in its header `X-Number`. */
  tries(): ReadonlyMap<number, number> {
    const lines = readFileSync(join(this.#folder, "tries.log"), "utf8")
      .split("\n")
      .filter((line) => /^\d/.test(line));
    return new Map(
      lines.map((line) => {
        const [number, ...nodes] = line.split(" ");
        return [Number(number), nodes.filter((node) => node !== "-").length];
      }),
    );
  }

  /** Resolves when requests go to every node again. nginx excludes a failed node for some seconds after its return. */
  async sendsToAll(): Promise<void> {
    const path = join(this.#folder, "tries.log");
    const from = statSync(path).size;
    await until("nginx sends to every node", async () => {
      await Promise.all(this.#nodes.map(async () => (await fetch(`${this.base}/v1/status`)).text()));
      const log = readFileSync(path, "utf8").slice(from);
      return this.#nodes.every((node) => log.includes(` ${node}\n`));
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}

function configuration(port: number, nodes: readonly string[]): string {
  const block = guideFile("nginx-nodes.conf");
  const [pattern = ""] = /^ *server 10\.0\.0\.11:8080(.*)\n *server 10\.0\.0\.12:8080.*\n/m.exec(block) ?? [];
  const rest = /8080(.*)/.exec(pattern)?.[1] ?? "";
  const changed = block
    .replace(pattern, nodes.map((node) => `  server ${node}${rest}\n`).join(""))
    // A client that does not read is soon noticed.
    .replace("listen 80;", `listen 127.0.0.1:${port} sndbuf=65536;`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
  return [
    `daemon off; master_process off; pid pid; worker_rlimit_nofile 4096;`,
    "events { worker_connections 1024; }",
    "http {",
    ...temporary,
    "log_format tries '$http_x_number $upstream_addr';",
    "access_log tries.log tries;",
    changed,
    "}",
    "",
  ].join("\n");
}
