import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Owners } from "../../src/access/owners/owners.ts";
import { openWriter } from "../../src/store/database.ts";
import { systemIds } from "../../src/values/ids.ts";
import { entryFlags } from "../../src/values/root.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { ServerChild } from "../faults/child.ts";
import { FaultFile } from "../faults/fault-file.ts";
import { canonicalBody } from "../jobs/mirror/mirror-world.ts";
import { initRoot } from "../releases/signer.ts";
import { TestClient } from "../support/client.ts";
import { repository } from "../support/guides.ts";
import { until } from "../support/until.ts";
import { cheapCost, goodPassword, Visitor } from "../web/dashboard/owner-world.ts";

/**
 * A connection at its end. `thread` is the source of the thread, or `main`. `number` is its index in the thread. `opened` is the call stack
 * at its opening, innermost function first.
 */
export type Connection = {
  thread: string;
  file: string;
  number: number;
  opened: string[];
  settings: Record<string, string>;
};

/** Plays commands one after the other, as the program does each. */
const program = `
const [source, commands] = process.argv.slice(1);
import(source).then(async ({ main }) => {
  for (const words of JSON.parse(commands)) {
    const code = await main(words);
    if (code !== 0) throw new Error(\`\${words.join(" ")} ended with \${code}\`);
  }
});
`;

/** A server with all its features on a file, and commands on the same file. All report their connections. */
export class PlayedPrograms {
  readonly #file = new FaultFile({ fewItems: true });
  readonly #connectionsFile = join(this.#file.folder, "connections.jsonl");
  readonly #env: Record<string, string>;

  /** `asked` are the names of the settings. */
  constructor(asked: readonly string[]) {
    this.#env = {
      // In quotes: the path of the checkout may contain a space.
      NODE_OPTIONS: `--require "${repository}test/support/observe-connections.cjs"`,
      CONNECTIONS_FILE: this.#connectionsFile,
      CONNECTIONS_ASK: asked.join(" "),
    };
  }

  /** Plays all and returns the connections to files. */
  async play(): Promise<Connection[]> {
    try {
      await initRoot(this.#place("releases"), this.#place("key.pem"));
      await this.#serve();
      await this.#commands();
      const lines = readFileSync(this.#connectionsFile, "utf8").trimEnd().split("\n");
      const connections = lines.map((line) => JSON.parse(line) as Connection);
      return connections.filter(({ file }) => file !== ":memory:");
    } finally {
      this.#file.remove();
    }
  }

  async #serve(): Promise<void> {
    this.#writeFeed();
    const releases = ["--release-to", this.#place("releases"), "--release-key", this.#place("key.pem")];
    const wrap = ["env", ...Object.entries(this.#env).map(([name, value]) => `${name}=${value}`)];
    const flags = ["--mirror", "--mirror-config", this.#place("mirror.json"), ...releases];
    const server = await ServerChild.start(this.#file.path, { flags, wrap });
    try {
      await this.#visit(server);
      for (const event of ["frame recorded", "returns of openables calculated", "release sealed"])
        await until(event, () => server.stdout.includes(event) || server.stderr.includes(event), 60_000);
      server.signal("SIGTERM");
      const { code } = await server.exited;
      if (code !== 0) throw new Error(`the server ended with ${code}: ${server.stderr}`);
    } finally {
      await server.stop();
    }
  }

  /** An owner signs in with a cheap password hash, visits every page that threads serve, and signs out. */
  async #visit(server: ServerChild): Promise<void> {
    const { accountId } = this.#file.person();
    const parts = { clock: systemClock, ids: systemIds(), cost: cheapCost };
    const visitor = new Visitor({ client: new TestClient(() => server.base) }, "ann");
    const database = openWriter(this.#file.path, 5000);
    try {
      const owners = new Owners({ database, ...parts });
      await owners.setPassword(owners.invite(accountId, "ann").token, goodPassword);
      const { cookie } = await owners.signIn("ann", goodPassword);
      visitor.cookies.set("itemtape_session", cookie);
    } finally {
      database.$client.close();
    }
    for (const page of ["/dashboard", "/dashboard/portfolios"]) {
      const { status } = await visitor.get(page);
      if (status !== 200) throw new Error(`${page} was answered with ${status}`);
    }
    const { status } = await visitor.post("/dashboard/sign-out");
    if (status !== 303) throw new Error(`the sign-out was answered with ${status}`);
  }

  /** Most of them on an empty file, which is read quickly, and all in one process. */
  async #commands(): Promise<void> {
    const db = ["--db", this.#place("made.db")];
    const [backup, source] = [this.#place("backup.db"), this.#place("hall.ndjson")];
    const commands = [
      ["import", "quotes", source, "--adapter", "canonical", "--db", this.#file.path],
      ["db", "create", ...db],
      ["accounts", "create", "Bob", ...db],
      ["portfolios", "value", ...db],
      ["db", "backup", backup, ...db],
      ["db", "restore", backup, "--force", "--keep-revocations-from", this.#place("made.db"), ...db],
    ];
    const words = [...entryFlags, "-e", program, `${repository}src/cli/main.ts`, JSON.stringify(commands)];
    await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...this.#env } });
  }

  #writeFeed(): void {
    const source = this.#place("hall.ndjson");
    const name = this.#file.change(({ $client }) =>
      $client.prepare("SELECT market_hash_name FROM items GROUP BY 1 HAVING count(*) = 1 LIMIT 1").pluck().get(),
    ) as string;
    writeFileSync(source, canonicalBody("hall", "hall", { [name]: 100 }));
    const feed = { feed: "hall", adapter: "canonical", source, interval_seconds: 60, providers: ["hall"] };
    writeFileSync(this.#place("mirror.json"), JSON.stringify({ feeds: [feed] }));
  }

  #place(name: string): string {
    return join(this.#file.folder, name);
  }
}
