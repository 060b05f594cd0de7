import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect } from "chai";
import type { DatasetIndex } from "../../src/cli/dataset/index-file.ts";
import { type AddRow, writeTable } from "../../src/cli/dataset/table-file.ts";
import { retractFrame } from "../../src/jobs/days/retract-frame.ts";
import { closeDatabase, openWriter } from "../../src/store/database.ts";
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
import { describeLong } from "../support/size.ts";
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
/** The import also finalizes the day of the demo, because its clock is the system's. */
const firstOfMonth = "2025-01-01";
const [first = "", last] = [days[0], dayText(dayOf(demoAt))];

/** An item with recorded prices from several sources, and all items of the small demo. */
const item = 55;
const items = Array.from({ length: 284 }, (_, index) => index + 1);

type Row = { amount: number | bigint };
type Figures = { rows: number; cents: number };

describeLong("readers of a dataset", () => {
  const root = temporaryFolder();
  const folder = join(root, "dataset");
  let world: World;
  let account: Account;
  let server: Server;
  let address: string;
  let served: { requests: number; bytes: number };

  before(async () => {
    const made = join(root, "market.db");
    copyFileSync(demoFewItemsFile().path, made);
    await importYear(made);
    seal(made);
    world = await World.start({ made });
    account = world.account("builder");
    server = createServer((request, response) => {
      const path = pathOf(request.url!);
      if (path === null) return void response.setHeader("content-type", "text/html").end("<!doctype html>");
      const bytes = existsSync(path) ? readFileSync(path) : null;
      if (bytes === null) return void response.writeHead(404).end();
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
      const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1);
      served = { requests: served.requests + 1, bytes: served.bytes + part.length };
      if (path.endsWith(".js")) response.setHeader("content-type", "text/javascript");
      if (from !== undefined) response.statusCode = 206;
      response
        .setHeader("content-length", part.length)
        .setHeader("content-range", `bytes ${from}-${to}/${bytes.length}`);
      response.end(request.method === "HEAD" ? undefined : part);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(join(root, "browser.js"), moduleOf("/hyparquet/index.js"));
    writeFileSync(join(root, "node.mjs"), moduleOf(import.meta.resolve("hyparquet")));
  });
  after(async () => {
    server?.close();
    await world?.stop();
  });

  for (const state of ["new", "with a revised day"]) {
    describe(`a folder ${state}`, () => {
      let expected: Figures;
      before(async () => {
        if (state !== "new") await revise();
        await build();
        served = { requests: 0, bytes: 0 };
        expected = await ofService();
        expect(expected.rows).to.be.above(365);
      });

      it("gives hyparquet in Node a year in 40 requests, 2 MB and 500 ms", async () => {
        const { dailyPrices } = await import(pathToFileURL(join(root, "node.mjs")).href);
        served = { requests: 0, bytes: 0 };
        const startedMs = performance.now();
        const rows: Row[] = await dailyPrices(`${address}/data`, item, first);
        const ms = performance.now() - startedMs;
        expect(figuresOf(rows)).to.deep.equal(expected);
        expect(served.requests).to.be.at.most(40);
        expect(served.bytes).to.be.at.most(2_000_000);
        expect(ms).to.be.at.most(500);
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

  it("gives hyparquet one group of a large file in three requests", async () => {
    const ids = [item, item + 64, item + 128, item + 192];
    const columns = ["item_id", "amount"].map((name) => ({ name, kind: "integer" as const, isNullable: false }));
    const fill = (add: AddRow) => {
      for (const id of ids) for (let row = 0; row < 2500; row += 1) add([id, (row * 7919 + id) % 100_003]);
      return true;
    };
    const made = writeTable(join(root, "large"), "bucket=55.parquet", columns, fill, { byItem: true })!;
    const month = { month: "2025-01", until: "2025-01-31", bucket: 55 };
    writeFileSync(join(root, "large/index.json"), JSON.stringify({ files: [{ ...made, day: null, month }] }));
    const { dailyPrices } = await import(pathToFileURL(join(root, "node.mjs")).href);
    served = { requests: 0, bytes: 0 };
    expect((await dailyPrices(`${address}/large`, ids[1])).length).to.equal(2500);
    expect(served.requests).to.equal(3);
    expect(served.bytes).to.be.below(made.bytes / 2);
  });

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

  /** Retracts an hour of a day, and seals the day again. */
  async function revise(): Promise<void> {
    const retraction = {
      feed: "steam",
      hour: Date.parse(`${revised}T10:00Z`) / 3_600_000,
      reason: "cents for dollars",
    };
    await retractFrame(world.path, retraction, { clock: clockAt(demoAt + 1000) });
    seal(world.path);
  }

  function seal(path: string): void {
    const database = openWriter(path, 5000);
    runAtOnce(sealDaysInBatches(database, dayOf(demoAt), clockAt(demoAt + 1000)));
    closeDatabase(database);
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

  const build = () => runHere(["dataset", "build", "--to", folder, "--db", world.path, "--since", firstOfMonth]);
  const dailyPaths = () =>
    (JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as DatasetIndex).files
      .map(({ path }) => path)
      .filter((path) => path.startsWith("daily/"));
  const moduleOf = (from: string) =>
    `${hyparquet.replace('"hyparquet"', JSON.stringify(from))}\nexport { dailyPrices };\n`;

  function pathOf(url: string): string | null {
    if (url.startsWith("/data/")) return join(folder, url.slice("/data/".length));
    if (url.startsWith("/hyparquet/"))
      return join(repository, "node_modules/hyparquet/src", url.slice("/hyparquet/".length));
    return url === "/" ? null : join(root, url);
  }
});

function figuresOf(rows: readonly Row[]): Figures {
  return { rows: rows.length, cents: rows.reduce((sum, { amount }) => sum + Number(amount), 0) };
}
