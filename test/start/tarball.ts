import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "chai";
import { TestPostgres } from "../support/postgres.ts";
import { until } from "../support/until.ts";

const execute = promisify(execFile);

/** An installed package. `command` starts the program, `node` runs a thread of it, `folder` is for its files. */
export type Installed = {
  readonly command: readonly [string, ...string[]];
  readonly node: string;
  readonly home: string;
  readonly folder: string;
  readonly env: Record<string, string>;
  /** Installs the package of an address into the `node_modules` of an empty folder. */
  readonly install: (address: string, folder: string) => Promise<void>;
};

/** The state that one step leaves for the next. */
export type Ring = Installed & { key: string; invitation: string; trust: string };

/** A step of the ring. `entries` are the built files that it cannot do without. */
type Step = {
  readonly title: string;
  readonly entries: readonly string[];
  readonly needsPostgres?: true;
  run(ring: Ring): Promise<void>;
};

/** An item of the demo, and its price in the mirrored feed. */
const item = 2938;
const cents = 4242;
const password = "correct horse battery";
const silent = ["--port", "0", "--log-level", "silent"];

/** The steps of an installed program, in order: each uses the files of the steps before it. */
export const steps: readonly Step[] = [
  {
    title: "the installed program serves a new demo to its printed key",
    entries: ["cli-main", "access-ledger-worker"],
    run: serveDemo,
  },
  {
    title: "the second start serves owners, metrics, Parquet and agents",
    entries: ["access-owners-worker", "access-owners-usage-worker", "jobs-owner-portfolios-worker"],
    run: serveAgain,
  },
  {
    title: "the installed server mirrors a feed and seals a release",
    entries: ["jobs-mirror-worker", "jobs-mirror-body-reader-process", "jobs-releases-worker"],
    run: mirrorAndSeal,
  },
  {
    title: "the threads of returns and valuations answer",
    entries: ["jobs-roi-worker", "jobs-valuation-worker"],
    run: calculate,
  },
  {
    title: "the package that a server serves runs the kit and the sandbox",
    entries: ["sandbox-replay-worker"],
    run: serveItself,
  },
  { title: "the installed program imports a package at every command", entries: [], run: importTwice },
  { title: "the installed program serves live prices by one command", entries: [], run: serveLive },
  {
    title: "the installed node follows releases and charges in PostgreSQL",
    entries: ["jobs-follow-worker"],
    needsPostgres: true,
    run: follow,
  },
];

/** Returns the state before the first step. */
export function newRing(installed: Installed): Ring {
  return { ...installed, key: "", invitation: "", trust: "" };
}

/** Returns the path of the file that the program makes by itself. */
export function databaseOf({ env }: Installed): string {
  return join(env.XDG_DATA_HOME!, "itemtape", "itemtape.db");
}

/** Runs a command to its end and returns its standard output. Rejects on any other exit code than 0. */
export async function runInstalled({ command, folder, env }: Installed, ...words: string[]): Promise<string> {
  const [program, ...first] = command;
  return (await execute(program, [...first, ...words], { cwd: folder, env })).stdout;
}

async function serveDemo(ring: Ring): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(ring.home, "package.json"), "utf8")) as { version: string };
  expect(await runInstalled(ring, "--version")).to.equal(`itemtape ${manifest.version}\n`);
  await served(ring, ["start", ...silent], async ({ base, printed }) => {
    ring.key = /Builder {2}(itemtape_live_\w+)/.exec(printed)?.[1] ?? "";
    ring.invitation = /\/dashboard\/invite\/[\w-]+/.exec(printed)?.[0] ?? "";
    await expectPrice(ring, base);
    const headers = { ...bearer(ring), "accept-encoding": "gzip" };
    const exported = await fetch(`${base}/v1/markets/snapshot`, { method: "POST", headers });
    expect(exported.headers.get("content-encoding")).to.equal("gzip");
    const lines = (await exported.text()).trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1)!)).to.include({ type: "end", items: lines.length - 2 });
    for (const path of pages) expect((await fetch(base + path)).status, path).to.equal(200);
    const page = await (await fetch(`${base}/docs/operations/getItem`)).text();
    expect(page).to.contain(" · ").and.not.contain("Â");
  });
}

const pages = [
  "/v1/status",
  "/openapi.json",
  "/docs",
  "/docs/guides/mirror",
  "/market",
  "/dashboard",
  "/browser/uplot.js",
  "/browser/lit-html/lit-html.js",
  "/client/browser.js",
  "/client/find-items.js",
  "/values/text/csv.js",
  "/values/money/money-text.js",
  "/values/text/item-names.js",
  "/values/text/phases.js",
  "/values/time/time-text.js",
];

async function serveAgain(ring: Ring): Promise<void> {
  await served(ring, ["start", ...silent, "--ops-port", "0"], async ({ base, printed }) => {
    await expectPrice(ring, base);
    const ops = /metrics are on (http:\S+)/.exec(printed)?.[1];
    expect(await (await fetch(`${ops}/metrics`)).text()).to.include("itemtape_build_info{release=");
    await actAsOwner(ring, base);
    const env = { ...ring.env, ITEMTAPE_URL: base, ITEMTAPE_API_KEY: ring.key };
    await runInstalled({ ...ring, env }, "export", "market.parquet");
    const parquet = readFileSync(join(ring.folder, "market.parquet"), "latin1");
    expect([parquet.slice(0, 4), parquet.slice(-4)]).to.deep.equal(["PAR1", "PAR1"]);
    await askAsAgent({ ...ring, env });
  });
}

async function askAsAgent({ command: [command, ...first], folder, env }: Installed): Promise<void> {
  const client = new Client({ name: "ring", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args: [...first, "mcp"], cwd: folder, env }));
  const answer = await client.callTool({ name: "findPrices", arguments: { name: String(item) } });
  await client.close();
  expect(JSON.stringify(answer)).to.include("AK-47 | Redline (Field-Tested)");
}

async function actAsOwner({ invitation }: Ring, base: string): Promise<void> {
  const owner = new Visitor(base);
  await owner.open(invitation);
  expect(await owner.send(invitation, { password, again: password })).to.equal(303);
  // The invitation signs in.
  expect(await owner.open("/dashboard")).to.match(/<strong>[1-9]\d*<\/strong> with keys/);
  const later = new Visitor(base);
  await later.open("/dashboard/sign-in");
  expect(await later.send("/dashboard/sign-in", { login: "demo", password, next: "/dashboard" })).to.equal(303);
  expect(await later.open("/dashboard/portfolios")).to.include("Portfolios with their holdings");
}

/** A browser as far as forms and cookies go. */
class Visitor {
  readonly #base: string;
  readonly #cookies = new Map<string, string>();
  #csrf = "";

  constructor(base: string) {
    this.#base = base;
  }

  /** Returns the text of a page. */
  async open(path: string): Promise<string> {
    const answer = await this.#fetch(path, {});
    const text = await answer.text();
    expect(answer.status, text).to.equal(200);
    this.#csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? this.#csrf;
    return text;
  }

  /** Sends the form of the last page and returns the status. */
  async send(path: string, fields: Record<string, string>): Promise<number> {
    const body = new URLSearchParams({ csrf: this.#csrf, ...fields });
    return (await this.#fetch(path, { method: "POST", body })).status;
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(this.#base + path, { ...init, redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }
}

async function mirrorAndSeal(ring: Ring): Promise<void> {
  ring.trust = (await runInstalled(ring, "release", "root", "init", "--to", "releases", "--keys", "keys")).split(
    "\n",
  )[0]!;
  const provider = "corner-shop";
  const quote = { item_id: item, provider, side: "ask", amount: cents };
  const feed = [
    { format: "itemtape-feed", version: 1, feed: provider, providers: [{ provider, name: "Corner", kind: "cash" }] },
    quote,
    { end: true, quotes: 1 },
  ];
  writeFileSync(join(ring.folder, "feed.ndjson"), feed.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const polled = { feed: provider, adapter: "canonical", source: "feed.ndjson", interval_seconds: 60 };
  writeFileSync(join(ring.folder, "mirror.json"), JSON.stringify({ feeds: [polled] }));
  const mirror = ["--mirror", "--mirror-config", "mirror.json", "--publish-every-ms", "0"];
  const release = ["--release-to", "releases", "--release-key", "keys/online.pem"];
  await served(ring, ["start", ...silent, ...mirror, ...release], async ({ base }) => {
    await until("the feed is in a release", () => sealedGeneration(ring) === "g6");
    await expectPrice(ring, base, cents);
  });
}

function sealedGeneration({ folder }: Ring): string | undefined {
  const manifests = join(folder, "releases", "manifests");
  const texts = existsSync(manifests)
    ? readdirSync(manifests).map((name) => readFileSync(join(manifests, name), "utf8"))
    : [];
  return texts
    .map((text) => /"generation":"?(g\w+)/.exec(text)?.[1] ?? "")
    .sort()
    .at(-1);
}

async function calculate(ring: Ring): Promise<void> {
  const order = { databasePath: databaseOf(ring), at: Date.now(), finalizes: true };
  expect(await askThread(ring, "jobs-roi-worker", order)).to.have.property("published");
  expect(await askThread(ring, "jobs-valuation-worker", order)).to.have.property("portfolios");
}

/** Starts a thread as the program does, sends one message and returns the reply. */
async function askThread({ node, home, folder, env }: Ring, entry: string, order: object): Promise<object> {
  const script = `
    const thread = new (require("node:worker_threads").Worker)(process.argv[1], { workerData: { entry: "", setup: null } });
    thread.on("message", (message) => {
      if (message === "ready") return thread.postMessage({ id: 1, request: JSON.parse(process.argv[2]) });
      console.log(JSON.stringify(message));
      thread.postMessage("close");
    });`;
  const words = ["-e", script, join(home, "dist", `${entry}.js`), JSON.stringify(order)];
  const { reply } = JSON.parse((await execute(node, words, { cwd: folder, env })).stdout);
  return reply;
}

/** The second command runs compiled code, which must still load modules of others. */
async function serveLive(ring: Ring): Promise<void> {
  const entry = { market_hash_name: "AK-47 | Redline (Field-Tested)", currency: "USD", min_price: cents / 100 };
  writeFileSync(join(ring.folder, "body.json"), JSON.stringify([entry]));
  const source = ["--live", "body.json", "--mapping", "skinport", "--terms-read", "--json"];
  await served(ring, ["start", ...source, "--db", "live.db", ...silent], async ({ base, printed }) => {
    const key = /"key":"(itemtape_live_\w+)"/.exec(printed)?.[1] ?? "";
    const env = { ...ring.env, ITEMTAPE_URL: base, ITEMTAPE_API_KEY: key };
    expect(await runInstalled({ ...ring, env }, "price", entry.market_hash_name)).to.include("$42.42");
  });
}

async function serveItself(ring: Ring): Promise<void> {
  const folder = join(ring.folder, "served");
  mkdirSync(folder);
  await served(ring, ["start", ...silent], async ({ base }) => {
    await ring.install(`${base}/client/itemtape.tgz`, folder);
    writeFileSync(join(folder, "adapter.mjs"), await (await fetch(`${base}/client/adapter.mjs`)).text());
    expect((await fetch(`${base}/client/contract-diff.mjs`)).status).to.equal(200);
  });
  const program = join(folder, "node_modules/itemtape/src/cli/itemtape.mjs");
  const own: Ring = { ...ring, command: [ring.node, program], folder };
  const client = `"${ring.node}" adapter.mjs`;
  const report = await runInstalled(
    own,
    "kit",
    "run",
    "--client",
    client,
    "--only",
    "credentials",
    "--only",
    "follow-day",
  );
  expect(report).to.match(/\n\d\d passed, 0 failed, 0 not offered\n$/);
  await served(own, ["sandbox", "--port", "0"], async ({ base, printed }) => {
    const key = /builder +(\S+)/.exec(printed)?.[1] ?? "";
    expect((await fetch(`${base}/v1/items/1`, { headers: bearer({ ...own, key }) })).status).to.equal(200);
  });
}

async function importTwice(ring: Ring): Promise<void> {
  const name = "@ianlucas/cs2-lib";
  const files = {
    "package.json": JSON.stringify({ name, version: "7.0.0" }),
    "dist/items.mjs": 'export const items = [{ id: 1, type: "sticker", def: 1209, index: 5 }];',
    "dist/translations/english.mjs": 'export const english = { 1: { name: "Sticker | A" } };',
    "dist/translations/russian.mjs": 'export const russian = { 1: { name: "Sticker | A" } };',
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(ring.folder, "node_modules", name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  await runInstalled(ring, "db", "create", "--db", "catalog.db");
  for (let time = 1; time <= 2; time += 1) await runInstalled(ring, "import", "catalog", name, "--db", "catalog.db");
}

async function follow(ring: Ring): Promise<void> {
  const postgres = await TestPostgres.start();
  try {
    const shared = ["--private-db", await postgres.database(false)];
    await runInstalled(ring, "private", "import", ...shared);
    const followed = ["--db", "node.db", "--follow", "releases", "--trust", ring.trust];
    await served(ring, ["serve", ...silent, ...shared, ...followed], async ({ base }) => {
      await until("the node serves the release", async () => (await fetch(`${base}/market`)).ok);
      await expectPrice(ring, base, cents);
    });
  } finally {
    await postgres.remove();
  }
}

function bearer({ key }: Ring): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** Requests the prices of the item, charged by the ledger's thread. `ask` is one of them. */
async function expectPrice(ring: Ring, base: string, ask?: number): Promise<void> {
  const answer = await fetch(`${base}/v1/items/${item}/markets`, { headers: bearer(ring) });
  const text = await answer.text();
  expect(answer.status, text).to.equal(200);
  const { data } = JSON.parse(text) as { data: { asks: { amount: number }[] } };
  expect(data.asks.length).to.be.at.least(1);
  if (ask !== undefined) expect(data.asks.map(({ amount }) => amount)).to.include(ask);
}

type Served = { base: string; printed: string };

/** Runs a server until `work` is done. SIGTERM must then end it with exit code 0. */
async function served(ring: Ring, words: readonly string[], work: (server: Served) => Promise<void>): Promise<void> {
  const [program, ...first] = ring.command;
  const options = { cwd: ring.folder, env: ring.env, stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"] };
  const child = spawn(program, [...first, ...words], options);
  const ended = once(child, "close");
  try {
    await work(await listening(child));
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).to.deep.equal([0, null]);
}

/** Resolves to the server's address and its whole output when it listens. */
async function listening(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Served> {
  let [printed, errors] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  for await (const chunk of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += chunk;
    const base = /(?:listens on |"url":")(http:[^\s,"]+)/.exec(printed)?.[1];
    if (base !== undefined) {
      child.stdout.resume();
      return { base, printed };
    }
  }
  throw new Error(`the server did not listen; it printed ${printed}${errors}`);
}
