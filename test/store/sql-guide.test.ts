import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { filledPrivateTables } from "../../src/store/file/downloaded-market.ts";
import { runHere } from "../support/cli.ts";
import { fencesOf, guideFolder, repository } from "../support/guides.ts";
import { itLong } from "../support/size.ts";
import { needTool } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { useWorld } from "../support/world.ts";

type Rows = Record<string, unknown>[];

const guide = readFileSync(`${repository}${guideFolder}/sql.md`, "utf8");
const questions = fencesOf(guide, "sql");
const walBytesMax = 2 ** 20;

describe("guide to SQL", () => {
  const world = useWorld();

  it("names every view with all of its columns", () => {
    const rows = guide.matchAll(/^\| `(v_\w+)` \| [^|]+ \| (.+) \|$/gm);
    const documented = Array.from(rows, ([, view = "", columns = ""]) => [
      view,
      columns.replaceAll("`", "").split(", "),
    ]);
    const client = new SqliteDatabase(world.path, { readonly: true });
    const views = client
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'view' AND name GLOB 'v_*'")
      .pluck()
      .all();
    const columnsOf = (view: string) =>
      (client.pragma(`table_info(${view})`) as { name: string }[]).map(({ name }) => name);
    expect(documented).to.have.deep.members(views.map((view) => [view, columnsOf(view)]));
    client.close();
  });

  itLong("has one answer per question in both SQLites beside a server", function () {
    needTool(this, "sqlite3", "--version");
    for (const question of questions) {
      const answer = builtIn(world.path, question);
      expect(answer, question).to.not.be.empty;
      expect(typed(world.path, question), question).to.deep.equal(answer);
    }
  });

  it("shows the phases of one name in the first question", () => {
    const phases = builtIn(world.path, questions[0]!).map(({ phase }) => phase);
    expect(phases).to.include.members(["Ruby", "Sapphire", "Phase 1"]);
  });

  it("shows the quotes of getMarketPrices in the second question", async () => {
    const { json } = await world.client.call("getMarketPrices", { key: world.keys.builder, path: { item_id: 2938 } });
    const rows = (side: string) =>
      json.data[`${side}s`].map((quote: Record<string, unknown>) => [
        side,
        quote.provider,
        quote.quantity,
        quote.as_of,
      ]);
    const answer = builtIn(world.path, questions[1]!);
    expect(answer.map(({ side, provider, quantity, as_of }) => [side, provider, quantity, as_of])).to.have.deep.members(
      [...rows("ask"), ...rows("bid")],
    );
  });

  it("shows the returns of listOpenables in the last question", async () => {
    const { json } = await world.client.call("listOpenables", { key: world.keys.builder, query: { limit: 100 } });
    const rows = (json.data as { slug: string; active: boolean; current: { return_pct: string | null } | null }[])
      .filter(({ active, current }) => active && current !== null)
      .map(({ slug, current }) => [slug, current?.return_pct == null ? null : Number(current.return_pct)]);
    expect(
      builtIn(world.path, questions.at(-1)!).map(({ slug, return_pct }) => [slug, return_pct]),
    ).to.have.deep.members(rows);
  });
});

describe("warnings of the guide to SQL", function () {
  this.timeout(60_000);
  const world = useWorld({ fewItems: true, config: { walBytesMax } });

  before(function () {
    needTool(this, "sqlite3", "--version");
  });

  it("hold for changes with -readonly, which are refused", () => {
    const { status, stderr } = spawnSync("sqlite3", ["-readonly", world.path, "DELETE FROM items"], {
      encoding: "utf8",
    });
    expect(status).to.not.equal(0);
    expect(stderr).to.contain("attempt to write a readonly database");
  });

  it("hold for immutable=1, which ignores the log", () => {
    world.sql("REPLACE INTO guard_acceptances VALUES (1, 'in the log', 'b', 1, 1, NULL)");
    const feeds = "SELECT feed FROM guard_acceptances";
    expect(typed(world.path, feeds)).to.deep.equal([{ feed: "in the log" }]);
    expect(typed(`file:${world.path}?immutable=1`, feeds)).to.deep.equal([]);
  });

  itLong("hold for charges, which stop while a pager blocks the log", async () => {
    const { secret } = world.account("builder");
    const read = async () => (await world.client.call("getItem", { key: secret, path: { item_id: 1 } })).status;
    const pager = await startPager(world.path);
    try {
      await until("charges are refused", async () => {
        world.sql("REPLACE INTO guard_acceptances VALUES (1, 'a', 'b', 1, 1, hex(randomblob(100000)))");
        return (await read()) === 503;
      });
    } finally {
      pager.kill();
    }
    await until("charges go on", async () => (await read()) === 200);
  });

  it("hold for released files, which have all views and no private row", async () => {
    const [keys, releases, market] = ["keys", "releases", "market.db"].map((name) => join(world.folder, name));
    const made = await runHere(["release", "root", "init", "--to", releases!, "--keys", keys!]);
    const trust = made.lines[0] ?? "";
    const key = join(keys!, "online.pem");
    const sealed = await runHere(["release", "seal", "--db", world.path, "--to", releases!, "--key", key]);
    expect(sealed.code, sealed.notes.join("\n")).to.equal(0);
    const taken = await runHere(["release", "fetch", releases!, "--trust", trust, "--to", market!]);
    expect(taken.code, taken.notes.join("\n")).to.equal(0);
    expect(filledPrivateTables(market!)).to.deep.equal([]);
    expect(filledPrivateTables(world.path)).to.include.members(["api_keys", "portfolios"]);
    for (const [, view] of guide.matchAll(/^\| `(v_\w+)`/gm)) {
      const rows = `SELECT * FROM ${view}`;
      expect(sorted(typed(market!, rows)), view).to.deep.equal(sorted(builtIn(world.path, rows)));
    }
  });
});

/** Returns the answer of the system's SQLite. @throws {Error} when it refuses the question. */
function typed(path: string, question: string): Rows {
  const words = ["-readonly", "-json", path, question];
  const { status, stdout, stderr } = spawnSync("sqlite3", words, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${question}\n${stderr}`);
  return stdout === "" ? [] : (JSON.parse(stdout) as Rows);
}

/** Returns rows as texts in order: without ORDER BY each SQLite has its own. */
function sorted(rows: Rows): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function builtIn(path: string, question: string): Rows {
  const client = new SqliteDatabase(path, { readonly: true });
  try {
    return client.prepare<[], Record<string, unknown>>(question).all();
  } finally {
    client.close();
  }
}

/** Starts a query with more rows than a pipe holds, of which the first page alone is read. */
async function startPager(path: string): Promise<ChildProcess> {
  const child = spawn("sqlite3", ["-readonly", path, "SELECT a.name, b.name FROM v_items a, v_items b"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout!, "readable");
  return child;
}
