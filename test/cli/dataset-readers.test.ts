import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { DatasetDraft } from "../../src/cli/dataset/draft.ts";
import { type DatasetFile, indexText, parseIndex } from "../../src/cli/dataset/index-file.ts";
import { writeTable } from "../../src/cli/dataset/table-file.ts";
import { retractFrame } from "../../src/jobs/days/retract-frame.ts";
import { closeDatabase, type Database, openWriter } from "../../src/store/database.ts";
import { DatasetRows } from "../../src/store/read/dataset-rows.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { sealDaysInBatches } from "../../src/store/write/seal-days.ts";
import { dayOf, dayText } from "../../src/values/time/calendar.ts";
import { clockAt } from "../../src/values/time/clock.ts";
import { canonicalText } from "../import/daily/daily-world.ts";
import { Browser, needBrowser } from "../support/browser.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { fencesOf, guideFolder } from "../support/guides.ts";
import { demoFewItemsFile } from "../support/kept-files.ts";
import { describeLong, itLong } from "../support/size.ts";
import { needPath } from "../support/skip.ts";
import { type Account, demoAt, World } from "../support/world.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const packages = join(repository, "scripts/readers/node_modules");
const guide = readFileSync(join(repository, guideFolder, "dataset.md"), "utf8");
const [sql = ""] = fencesOf(guide, "sql");
const [hyparquet = ""] = fencesOf(guide, "js");
const revised = "2026-01-14";
/** The last 365 completed days. */
const days = Array.from({ length: 365 }, (_, index) => dayText(dayOf(demoAt) - 365 + index));
/** The first day is inside a month. The import also finalizes the day of the demo, because its clock is the system's. */
const [first = "", last] = [days[0], dayText(dayOf(demoAt))];

/** An item with recorded prices from several sources, and all items of the small demo. */
const item = 55;
const items = Array.from({ length: 284 }, (_, index) => index + 1);

type Row = { amount: number | bigint };
type Figures = { rows: number; cents: number };

describeLong("readers of a dataset", () => {
  const root = temporaryFolder();
  const folder = join(root, "data");
  let world: World;
  let account: Account;
  let files: FileServer;
  let address: string;

  before(async () => {
    const made = join(root, "market.db");
    copyFileSync(demoFewItemsFile().path, made);
    await importYear(made);
    seal(made);
    world = await World.start({ made });
    account = world.account("builder");
    files = await FileServer.start(root);
    address = files.address;
  });
  after(async () => {
    files?.close();
    await world?.stop();
  });

  for (const state of ["new", "with a revised day"]) {
    describe(`a folder ${state}`, () => {
      let expected: Figures;
      before(async () => {
        if (state !== "new") await revise(world.path);
        await build();
        expected = await ofService();
        expect(expected.rows).to.be.above(365);
      });

      it("gives hyparquet in Node a year in 40 requests and 2 MB", async () => {
        expect(figuresOf(await files.yearOf(item, first))).to.deep.equal(expected);
      });

      it("gives hyparquet in Chromium the rows of the service over HTTP", async function () {
        needBrowser(this);
        const browser = await Browser.open();
        const page = await browser.page(`${address}/`);
        const rows = await page.evaluate(
          `import("/browser.js").then(({ dailyPrices }) => dailyPrices("/data", ${item})).then((rows) => rows.map(({ amount }) => ({ amount: Number(amount) })))`,
        );
        await browser.close();
        expect(figuresOf(rows as Row[])).to.deep.equal(expected);
      });

      it("gives parquet-wasm the rows of the service over HTTP", async function () {
        needPath(this, packages);
        const { ParquetFile } = await import(join(packages, "parquet-wasm/node/parquet_wasm.js"));
        const { tableFromIPC } = await import(join(packages, "apache-arrow/Arrow.node.mjs"));
        const rows: Row[] = [];
        for (const path of dailyPaths()) {
          const table = await (await ParquetFile.fromUrl(`${address}/data/${path}`)).read();
          for (const row of tableFromIPC(table.intoIPCStream())) if (Number(row.item_id) === item) rows.push(row);
        }
        expect(figuresOf(rows)).to.deep.equal(expected);
      });

      it("gives DuckDB the rows of the service from local files", async function () {
        needPath(this, packages);
        const { DuckDBInstance } = await import(join(packages, "@duckdb/node-api/lib/index.js"));
        const connection = await (await DuckDBInstance.create(":memory:")).connect();
        const words = sql.replace("dataset/", `${folder}/`).replace("661;", String(item));
        const result = await connection.runAndReadAll(
          `SELECT count(*)::INTEGER AS rows, sum(amount)::INTEGER AS cents FROM (${words})`,
        );
        expect(result.getRowObjects()).to.deep.equal([expected]);
        connection.closeSync();
      });
    });
  }

  /** Imports a year of asks of every item. */
  async function importYear(path: string): Promise<void> {
    const rows = items.flatMap((item_id) =>
      days.map((date, day) => ({ item_id, date, side: "ask", amount: 500 + ((item_id * 7 + day * day) % 90) })),
    );
    writeFileSync(join(root, "year.ndjson"), canonicalText(rows));
    const { code, notes } = await runHere([
      "import",
      "daily",
      join(root, "year.ndjson"),
      "--adapter",
      "canonical",
      "--accept",
      "moved_prices",
      "--db",
      path,
    ]);
    expect(code, notes.join()).to.equal(0);
  }

  /** Reads the same days of the item from the service. */
  async function ofService(): Promise<Figures> {
    const rows: Row[] = [];
    for (const side of ["ask", "bid"]) {
      let after: string | null = null;
      do {
        const query = { from: first, to: last, side, limit: 1000, ...(after === null ? {} : { after }) };
        const { json } = await world.client.call("getDailyPriceHistory", {
          key: account.secret,
          path: { item_id: item },
          query,
        });
        rows.push(...json.data);
        after = json.meta.next_page;
      } while (after !== null);
    }
    return figuresOf(rows);
  }

  const build = () => runHere(["dataset", "build", "--to", folder, "--db", world.path, "--since", first]);
  const dailyPaths = () =>
    parseIndex(readFileSync(join(folder, "index.json"), "utf8"), folder)
      .files.map(({ path }) => path)
      .filter((path) => path.startsWith("daily/"));
});

describe("hyparquet with a dataset", () => {
  const root = temporaryFolder();
  const folder = join(root, "data");
  const db = join(root, "market.db");
  const since = "2026-01-13";
  let files: FileServer;
  const build = () => runHere(["dataset", "build", "--to", folder, "--db", db, "--since", since]);
  const ofFile = () => {
    const database = new SqliteDatabase(db, { readonly: true });
    const day = Date.parse(since) / 86_400_000;
    const rows = database.prepare("SELECT amount FROM daily_prices WHERE item_id = ? AND day BETWEEN ? AND ?");
    const found = rows.all(item, day, day + 1) as Row[];
    database.close();
    return figuresOf(found);
  };

  before(async () => {
    copyFileSync(demoFewItemsFile().path, db);
    await build();
    files = await FileServer.start(root);
  });
  after(() => files?.close());

  it("reads the days of an item in three requests", async () => {
    expect(figuresOf(await files.yearOf(item, since))).to.deep.equal(ofFile());
    expect([files.requests, files.bytes < 20_000]).to.deep.equal([3, true]);
  });

  it("reads the index again if a build has replaced a file", async () => {
    const old = readFileSync(join(folder, "index.json"));
    await revise(db);
    await build();
    files.staleIndex = old;
    expect(figuresOf(await files.yearOf(item, since))).to.deep.equal(ofFile());
    expect(files.staleIndex, "it was read").to.equal(null);
  });

  itLong("reads a year of six sources of 39,035 items in 40 requests and 2 MB", async () => {
    const { rows, indexBytes } = writeRealSize(folder, item);
    expect((await files.yearOf(item, first)).length).to.equal(rows);
    expect(indexBytes).to.be.below(250_000);
    expect([files.requests, files.bytes < 1_500_000]).to.deep.equal([39, true]);
  });
});

/** Serves a dataset at `/data`, and the guide's code and hyparquet for browsers. Counts requests of the dataset. */
class FileServer {
  readonly address: string;
  readonly dailyPrices: (address: string, item: number, since: string) => Promise<Row[]>;
  requests = 0;
  bytes = 0;
  /** An index that the next request of it gets. */
  staleIndex: Buffer | null = null;
  readonly #server: Server;

  private constructor(root: string, server: Server, dailyPrices: FileServer["dailyPrices"]) {
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.dailyPrices = dailyPrices;
    this.#server = server.on("request", (request, response) => {
      const path = new URL(request.url!, this.address).pathname;
      if (path === "/") return void response.setHeader("content-type", "text/html").end("<!doctype html>");
      if (path.endsWith(".js")) response.setHeader("content-type", "text/javascript");
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
      const bytes = this.#contentOf(root, path);
      if (bytes === null || Number(from) >= bytes.length) return void response.writeHead(404).end();
      const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1);
      this.requests += 1;
      this.bytes += part.length;
      if (from !== undefined)
        response.writeHead(206, {
          "content-length": part.length,
          "content-range": `bytes ${from}-${to}/${bytes.length}`,
        });
      response.end(request.method === "HEAD" ? undefined : part);
    });
  }

  static async start(root: string): Promise<FileServer> {
    writeFileSync(join(root, "browser.js"), moduleOf("/hyparquet/index.js"));
    writeFileSync(join(root, "node.mjs"), moduleOf(import.meta.resolve("hyparquet")));
    const { dailyPrices } = await import(pathToFileURL(join(root, "node.mjs")).href);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new FileServer(root, server, dailyPrices);
  }

  /** Reads an item with the guide's code, within the limits for a year. */
  async yearOf(of: number, since: string): Promise<Row[]> {
    [this.requests, this.bytes] = [0, 0];
    const rows = await this.dailyPrices(`${this.address}/data`, of, since);
    expect(this.requests, "requests").to.be.at.most(40);
    expect(this.bytes, "bytes").to.be.at.most(2_000_000);
    return rows;
  }

  close(): void {
    this.#server.close();
  }

  #contentOf(root: string, path: string): Buffer | null {
    const stale = path === "/data/index.json" ? this.staleIndex : null;
    if (stale !== null) this.staleIndex = null;
    const isPackage = path.startsWith("/hyparquet/");
    const place = isPackage
      ? join(repository, "node_modules/hyparquet/src", path.slice("/hyparquet/".length))
      : join(root, path);
    return stale ?? (existsSync(place) ? readFileSync(place) : null);
  }
}

const moduleOf = (from: string) =>
  `${hyparquet.replace('"hyparquet"', JSON.stringify(from))}\nexport { dailyPrices };\n`;

/**
 * Writes a year of six sources with the items of the shipped catalog, as far as a reader of one item looks: all months are links to one,
 * all days to another, and the other files are only in the index. Each source has 74 of 100 asks and 69 of 100 bids. Returns the item's rows.
 */
function writeRealSize(folder: string, of: number): { rows: number; indexBytes: number } {
  const providers = ["bazaar", "northgate", "steam", "swapyard", "tradehall", "westmark"];
  const columns = new DatasetRows({ $client: null } as unknown as Database).itemColumns;
  const hash = (...parts: number[]) =>
    parts.reduce((sum, part) => Math.imul(sum ^ part, 0x9e3779b1) ^ (sum >>> 13), 7) >>> 0;
  const draft = new DatasetDraft(folder);
  let rows = 0;
  const write = (path: string, ids: Iterable<number>, days: number) =>
    writeTable(
      draft,
      path,
      columns.filter(({ name }) => days > 1 || name !== "date"),
      (add) => {
        for (const id of ids)
          for (let day = 0; day < days; day += 1)
            for (const [side, share] of [
              ["ask", 74],
              ["bid", 69],
            ] as const)
              for (const [index, provider] of providers.entries()) {
                if (hash(id, index, share) % 100 >= share) continue;
                const amount = Math.ceil(
                  Math.exp((hash(id) % 800) / 80) * (100 + (hash(id, day, index, share) % 2000) / 100),
                );
                const low = amount - (hash(amount, 1) % 9);
                const recordedAt = (20_102 + day) * 86_400_000 + 7_260_000 + index;
                const head = days > 1 ? [id, 20_101 + day] : [id];
                const quantity = side === "bid" ? null : hash(id, index, day >> 2) % 300;
                add([
                  ...head,
                  side,
                  provider,
                  amount,
                  low,
                  low + (hash(amount) % 20) + 9,
                  24,
                  quantity,
                  null,
                  recordedAt,
                ]);
                if (id === of) rows += 1;
              }
        return true;
      },
      { byItem: true },
    )!;
  const bucket = String(of % 64).padStart(2, "0");
  const month = write("month", itemsOf(of % 64, 64), 31);
  const day = write("day", itemsOf(0, 1), 1);
  draft.publish();
  const shared = { providers, without: [] };
  const dates = Array.from({ length: 365 }, (_, index) => dayText(dayOf(demoAt) - 365 + index));
  const months = [...new Set(dates.map((date) => date.slice(0, 7)))];
  const files = months.flatMap((name) =>
    Array.from({ length: 64 }, (_, index): DatasetFile => {
      const [from, until] = [`${name}-01`, name === months.at(-1) ? dates.at(-7)! : `${name}-31`];
      const path = `by-item/month=${name}/bucket=${String(index).padStart(2, "0")}.parquet`;
      return { ...month, path, ...shared, month: { month: name, from, until, source: month.sha256 } };
    }),
  );
  const feeds = providers.map((feed) => [feed, 0xffffff] as const);
  const days = (["daily", "hourly"] as const).flatMap((resolution) =>
    dates.map((date): DatasetFile => {
      const path = `${resolution}/date=${date}/revision=1.parquet`;
      return {
        ...day,
        path,
        source: day.sha256.slice(0, 16),
        ...shared,
        day: { condition: "complete", feeds: resolution === "daily" ? [] : feeds },
      };
    }),
  );
  for (const root of ["daily", "by-item"]) rmSync(join(folder, root), { recursive: true });
  // The copies of a file have its digest; other digests are as long.
  for (const { path } of [...files, ...days].filter(
    ({ path }) => path.endsWith(`${bucket}.parquet`) || path.startsWith("daily/date=2026-01"),
  )) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    linkSync(join(folder, path.startsWith("daily") ? "day" : "month"), join(folder, path));
  }
  const text = indexText({
    ...parseIndex(readFileSync(join(folder, "index.json"), "utf8"), folder),
    files: [...days, ...files],
  });
  writeFileSync(join(folder, "index.json"), text);
  return { rows: (rows / 32) * (31 * months.length + 6), indexBytes: text.length };
}

function* itemsOf(bucket: number, buckets: number): Generator<number> {
  for (let id = 1; id <= 39_035; id += 1) if (id % buckets === bucket) yield id;
}

function figuresOf(rows: readonly Row[]): Figures {
  return { rows: rows.length, cents: rows.reduce((sum, { amount }) => sum + Number(amount), 0) };
}

/** Retracts an hour of a day, and seals the day again. */
async function revise(path: string): Promise<void> {
  const retraction = {
    feed: "steam",
    hour: Date.parse(`${revised}T10:00Z`) / 3_600_000,
    reason: "cents for dollars",
  };
  await retractFrame(path, retraction, { clock: clockAt(demoAt + 1000) });
  seal(path);
}

function seal(path: string): void {
  const database = openWriter(path, 5000);
  runAtOnce(sealDaysInBatches(database, dayOf(demoAt), clockAt(demoAt + 1000)));
  closeDatabase(database);
}
