import { once } from "node:events";
import { realpathSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { type ShellBlock, shellBlocks } from "../../scripts/guides/blocks.ts";
import { repository } from "../support/guides.ts";
import { TestPostgres } from "../support/postgres.ts";
import type { Clone } from "./clone.ts";
import { type Making, preparations } from "./documents.ts";
import { skinportBody, smallCatalog, writeFiles } from "./fixtures.ts";
import { captures, type Known, replaced } from "./replacements.ts";
import { Replay } from "./replay.ts";
import { type Job, nodeOf, programOf, Session } from "./session.ts";

/** How a block went. `failure` is null if all of its commands ended with 0. */
export type Played = { readonly title: string; readonly seconds: number; readonly failure: string | null };

/**
 * Parts of the ring: a copy of the checkout, the environment of its shell, and the version of Node for the program, or null for the host's.
 * `isSupported` is true if the host's Node could run it too, so that npm does not warn. `takesFreePorts` makes servers use free ports
 * instead of the guides' ports, so that two rings can run at once.
 */
export type Ring = {
  readonly clone: Clone;
  readonly env: NodeJS.ProcessEnv;
  readonly isShort: boolean;
  readonly takesFreePorts: boolean;
  readonly node: string | null;
  readonly isSupported: boolean;
  readonly report: (played: Played) => void;
  /** Copies of the files that commands before a document have made, and the values that they printed. */
  readonly made: Map<Making, Made>;
};

type Made = { readonly folder: string; readonly printed: ReadonlyMap<string, string> };

/** Commands that run until they are stopped, and the output that shows that they are ready. */
const untilStopped: readonly { line: RegExp; ready: RegExp }[] = [
  {
    line: /^(?:npm start|npx itemtape (?:start|serve|sandbox)\b(?!.*&$).*)$/,
    ready: /^Itemtape listens on \S+:(\d+),/m,
  },
  { line: /^npx itemtape mcp --http\b/, ready: /^Itemtape serves agents on /m },
  { line: /^npx itemtape sync .*--watch$/, ready: / items of g\d+ / },
];
const [server] = untilStopped;
/** npx adds half a second per command. Only the first pass of this document tests it. All others start the program directly. */
const ofNpx = "live-prices.md";
const insteadOfNpx = 'npx() { shift; node_modules/.bin/node src/cli/itemtape.mjs "$@"; }';
const otherPorts = [8090, 8099, 9464];
const problem = /"type": ?"\/problems\//;
const outputMax = 3000;

/** Plays the unmarked blocks of a document, twice by default. README is played in one folder, and a guide in a new one each time. */
export async function playDocument(ring: Ring, path: string, passes = 2): Promise<Played[]> {
  const isReadme = path === "README.md";
  const printed = new Map<string, string>();
  const all: Played[] = [];
  for (let pass = 1; pass <= passes; pass += 1) {
    if (!isReadme) printed.clear();
    all.push(...(await prepare(ring, path, printed)));
    const play = await Play.start(ring, path, pass, printed);
    try {
      all.push(...(await play.all()));
    } finally {
      await play.end();
    }
    if (isReadme) all.push(...addedBy(ring, pass));
    if (!isReadme || pass === passes) ring.clone.clean();
  }
  return all;
}

/** Plays command lines in a new shell. */
export async function playLines(ring: Ring, title: string, text: string, printed = new Map()): Promise<Played[]> {
  const play = await Play.start(ring, title, 1, printed);
  try {
    return [await play.block(title, text), ...(await play.stop(title))];
  } finally {
    await play.end();
  }
}

/** Puts the files that a reader has before a document into the clone, and adds to `printed`. Plays the commands that are new to the ring. */
async function prepare(ring: Ring, path: string, printed: Map<string, string>): Promise<Played[]> {
  const { made: makings = [] } = preparations[basename(path)] ?? {};
  const played: Played[] = [];
  for (const making of makings) played.push(...(await make(ring, making)));
  for (const making of makings) putBack(ring, making, printed);
  return played;
}

/** Plays commands in a clean clone with the files that they need, unless the ring has their files. */
async function make(ring: Ring, making: Making): Promise<Played[]> {
  const { clone, made } = ring;
  const { typed, after, files } = making;
  if (made.has(making)) return [];
  const before = after === undefined ? [] : await make(ring, after);
  clone.clean();
  const printed = new Map<string, string>();
  if (after !== undefined) putBack(ring, after, printed);
  writeFiles(clone.folder, files?.() ?? {});
  const played = await playLines(ring, `typed before: ${typed.replaceAll("\n", "; ")}`, typed, printed);
  made.set(making, { folder: clone.copyMade(), printed });
  return [...before, ...played];
}

function putBack({ clone, made }: Ring, making: Making, printed: Map<string, string>): void {
  const known = made.get(making)!;
  clone.putBack(known.folder);
  for (const [name, value] of known.printed) printed.set(name, value);
}

/** One pass through a document: a shell with the programs that run in it. */
class Play {
  readonly #ring: Ring;
  readonly #path: string;
  readonly #pass: number;
  readonly #known: Known & { port: number };
  readonly #session: Session;
  readonly #replay: Replay;
  readonly #postgres: TestPostgres | null;
  #jobs: Job[] = [];

  static async start(ring: Ring, path: string, pass: number, printed: Map<string, string>): Promise<Play> {
    const { clone, isShort, takesFreePorts } = ring;
    const preparation = preparations[basename(path)] ?? {};
    const replay = new Replay(clone.folder, skinportBody);
    await replay.start();
    const postgres = preparation.needsPostgres ? await TestPostgres.start() : null;
    const portInPlaceOf = (port: number) => freePort(takesFreePorts ? 0 : port);
    const known = {
      isShort,
      document: basename(path),
      printed,
      port: await portInPlaceOf(8080),
      ports: new Map(
        await Promise.all(otherPorts.map(async (port) => [String(port), await portInPlaceOf(port)] as const)),
      ),
      replay: replay.address,
      catalog: isShort ? smallCatalog(clone.folderBeside("catalog")) : "",
      postgresPort: postgres?.port ?? 0,
    };
    const play = new Play(ring, path, pass, { known, replay, postgres });
    play.#writeFiles();
    if (known.document !== ofNpx || pass > 1) await play.#session.run(insteadOfNpx);
    return play;
  }

  private constructor(
    ring: Ring,
    path: string,
    pass: number,
    parts: { known: Known & { port: number }; replay: Replay; postgres: TestPostgres | null },
  ) {
    this.#ring = ring;
    this.#path = path;
    this.#pass = pass;
    this.#known = parts.known;
    this.#replay = parts.replay;
    this.#postgres = parts.postgres;
    const ofPort = parts.known.port === 8080 ? {} : { ITEMTAPE_PORT: "0" };
    const ofPostgres = { PGHOST: "127.0.0.1", PGPORT: String(parts.postgres?.port), PGUSER: "itemtape" };
    const env = { ...ring.env, ...ofPort, ...(parts.postgres === null ? {} : ofPostgres) };
    this.#session = new Session(ring.clone.folderBeside("session"), ring.clone.folder, env);
  }

  /** Writes a reader's files with the addresses of this pass. */
  #writeFiles(): void {
    const files = Object.entries(preparations[this.#known.document]?.files?.() ?? {});
    const texts = files.map(([name, content]) => [
      name,
      typeof content === "string" ? replaced(content, this.#known) : content,
    ]);
    writeFiles(this.#ring.clone.folder, Object.fromEntries(texts));
  }

  /** Plays the initial commands of a reader and the blocks, and stops the running programs. */
  async all(): Promise<Played[]> {
    const all: Played[] = [];
    const { typed } = preparations[this.#known.document] ?? {};
    const inPass = `${this.#path}, pass ${this.#pass}`;
    if (typed !== undefined) all.push(await this.block(`${inPass}: what a reader has typed before`, typed));
    for (const block of shellBlocks(repository, this.#path)) {
      if (block.mark === null) all.push(await this.block(`${inPass}: line ${block.line}`, block.text, block));
    }
    return [...all, ...(await this.stop(inPass))];
  }

  /** Stops all programs that run, and reports it if there are some. */
  async stop(title: string): Promise<Played[]> {
    if (this.#jobs.length === 0) return [];
    const stopped = { title: `${title}: stop`, seconds: 0, failure: await this.#stopAll() };
    this.#ring.report(stopped);
    return [stopped];
  }

  /** Plays a block, or other command lines, and reports it. */
  async block(title: string, text: string, block?: ShellBlock): Promise<Played> {
    const beganMs = performance.now();
    const failure = await this.#lines(text, block);
    const played = { title, seconds: (performance.now() - beganMs) / 1000, failure };
    this.#ring.report(played);
    return played;
  }

  async end(): Promise<void> {
    await this.#session.end();
    this.#replay.stop();
    await this.#postgres?.remove();
  }

  /** Plays command lines up to the first that fails. Returns its failure, or null. */
  async #lines(text: string, block?: ShellBlock): Promise<string | null> {
    for (const [index, line] of text.trimEnd().split("\n").entries()) {
      for (const command of commandsOf(line)) {
        const failure = await this.#line(command, block?.answer ?? "").catch((error: Error) => error.message);
        if (failure === null) continue;
        const place = block === undefined ? "" : `${block.path}:${block.line + index}: `;
        return `${place}\`${command}\`: ${failure}`;
      }
    }
    return null;
  }

  async #line(line: string, answer: string): Promise<string | null> {
    const typed = replaced(line, this.#known);
    if (typed.includes("…")) return "the ring has nothing in the place of …";
    const running = untilStopped.find(({ line }) => line.test(typed));
    if (running !== undefined) return this.#start(typed, running);
    const { code, output } = await this.#session.run(typed);
    if (code !== 0) return `exit code ${code} of \`${typed}\`\n${output.slice(-outputMax)}`;
    if (problem.test(output) && !problem.test(answer)) return `a problem is answered\n${output.slice(-outputMax)}`;
    this.#capture(line, output);
    return /^npm (?:ci|install)\b/.test(typed) ? this.#installed(typed, output) : null;
  }

  /** Starts a program. A server replaces the previous one. */
  async #start(line: string, { ready }: { ready: RegExp }): Promise<string | null> {
    const isServer = ready === server?.ready;
    const stopped = isServer ? await this.#stopAll(server?.line) : null;
    if (stopped !== null) return stopped;
    const job = await this.#session.start(line, ready);
    this.#jobs.push(job);
    const output = this.#session.outputOf(job);
    this.#capture(line, output);
    if (isServer) {
      this.#known.port = Number(ready.exec(output)?.[1]);
      if (this.#known.port !== 8080)
        await this.#session.run(`export ITEMTAPE_URL=http://127.0.0.1:${this.#known.port}`);
    }
    const node = nodeOf(programOf(job.pid));
    const modules = join(realpathSync(this.#ring.clone.folder), "node_modules");
    return this.#ring.node === null || node.startsWith(modules) ? null : `it runs on ${node}`;
  }

  /** Stops the programs with a matching line. Returns the failure of the first that did not end with 0. */
  async #stopAll(line = /./): Promise<string | null> {
    const chosen = this.#jobs.filter((job) => line.test(job.line));
    this.#jobs = this.#jobs.filter((job) => !chosen.includes(job));
    for (const job of chosen) {
      const { code, output } = await this.#session.stop(job);
      if (code !== 0) return `\`${job.line}\` ended with ${code} after SIGTERM\n${output.slice(-outputMax)}`;
    }
    return null;
  }

  #capture(line: string, output: string): void {
    for (const { name, line: pattern, value } of captures) {
      const found = pattern.test(line) ? value.exec(output) : null;
      if (found !== null) this.#known.printed.set(name, found[0]);
    }
  }

  /** Checks that npm uses the checkout's Node after an installation, and that `npm ci` prints no warning. */
  async #installed(line: string, output: string): Promise<string | null> {
    const isWarning = this.#ring.isSupported ? /^npm warn/i : /^npm warn (?!EBADENGINE\b)/i;
    // npm warns of settings of this machine that it does not know.
    const ofMachine = /^npm warn Unknown (?:user|global|builtin|env) config/i;
    const warnings = output.split("\n").filter((text) => isWarning.test(text) && !ofMachine.test(text));
    if (line.startsWith("npm ci") && warnings.length > 0) return `npm warns\n${warnings.join("\n")}`;
    const { output: version } = await this.#session.run('npm exec --call "node -p process.versions.node"');
    const found = version.trim().split("\n").at(-1);
    return this.#ring.node === null || found === this.#ring.node ? null : `npm then runs programs on Node ${found}`;
  }
}

/** Splits a line that ends with a server into its commands. Only the server goes into the background. */
function commandsOf(line: string): string[] {
  const commands = line.split(" && ");
  const isServer = server?.line.test(commands.at(-1) ?? "") ?? false;
  return isServer ? commands : [line].filter((text) => text.trim() !== "");
}

/** Files that README's commands leave behind and git would add. */
function addedBy({ clone, report }: Ring, pass: number): Played[] {
  const added = clone.added();
  const failure = added.length === 0 ? null : `git would add ${added.join(", ")}`;
  const played = { title: `README.md, pass ${pass}: nothing that git would add`, seconds: 0, failure };
  report(played);
  return [played];
}

/** Returns `wanted` if nothing listens on it, else 0, or a free port. */
async function freePort(wanted: number): Promise<number> {
  const probe = createServer().unref();
  const listening = once(probe.listen(wanted, "127.0.0.1"), "listening");
  const port = await listening.then(
    () => (probe.address() as { port: number }).port,
    () => freePort(0),
  );
  probe.close();
  return port;
}
