import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { parquetReadObjects } from "hyparquet";
import { demoAt } from "../../scripts/support/example-world.ts";
import { type DatasetFile, parseIndex } from "../../src/cli/dataset/index-file.ts";
import { retractFrame } from "../../src/jobs/days/retract-frame.ts";
import { closeDatabase, openWriter } from "../../src/store/database.ts";
import { holdLock } from "../../src/store/file/lock.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { sealDaysInBatches } from "../../src/store/write/seal-days.ts";
import { dayOf } from "../../src/values/time/calendar.ts";
import { clockAt } from "../../src/values/time/clock.ts";
import { canonicalText } from "../import/daily/daily-world.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFewItemsFile } from "../support/kept-files.ts";
import { itLong } from "../support/size.ts";
import { SmallDisk } from "../support/small-disk.ts";

const since = "2026-01-13";
const [older, newer] = ["2026-01-13", "2026-01-14"];

describe("itemtape dataset", () => {
  const root = temporaryFolder();
  const db = join(root, "market.db");
  const folder = join(root, "dataset");
  before(() => copyFileSync(demoFewItemsFile().path, db));

  const build = (to: string, ...words: string[]) =>
    runHere([
      "dataset",
      "build",
      "--to",
      to,
      "--db",
      db,
      ...(words.includes("--since") ? [] : ["--since", since]),
      ...words,
    ]);
  const indexOf = (of: string) => parseIndex(readFileSync(join(of, "index.json"), "utf8"), of);
  const pathsIn = (of: string) =>
    (readdirSync(of, { recursive: true }) as string[])
      .filter((path) => statSync(join(of, path)).isFile() && !path.endsWith(".lock"))
      .sort();
  const rowsIn = async (path: string, of = folder) => {
    const bytes = readFileSync(join(of, path));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    return (await parquetReadObjects({ file })).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === "bigint" ? Number(value) : value instanceof Date ? value.getTime() : (value ?? null),
        ]),
      ),
    );
  };
  const sql = (text: string) => {
    const database = new SqliteDatabase(db, { readonly: true });
    const rows = database.prepare(text).all() as Record<string, unknown>[];
    database.close();
    return rows;
  };
  const change = (text: string) => {
    const database = new SqliteDatabase(db);
    const rows = database.prepare(text).all() as Record<string, unknown>[];
    database.close();
    return rows;
  };
  const superseded = ["daily", "hourly"].map((of) => `superseded/${of}/date=${newer}/revision=1.parquet`);
  const byItem = "by-item/month=2026-01/bucket=07.parquet";
  const fileOf = (path: string) => indexOf(folder).files.find((file) => file.path === path) as DatasetFile;

  it("holds the sealed days, the catalog and the market, with a digest of each file", async () => {
    const { code, lines, notes } = await build(folder);
    expect([code, notes], lines.join()).to.deep.equal([0, []]);
    expect(pathsIn(folder)).to.deep.equal(["index.json", ...indexOf(folder).files.map(({ path }) => path)].sort());
    for (const date of [older, newer]) {
      const daily = await rowsIn(`daily/date=${date}/revision=1.parquet`);
      const columns = Object.keys(daily[0]!);
      expect(daily).to.deep.equal(
        sql(`SELECT ${columns} FROM daily_prices WHERE day = ${Date.parse(date) / 86_400_000}
          ORDER BY item_id, side, provider`),
      );
      expect(fileOf(`daily/date=${date}/revision=1.parquet`)).to.deep.include({ rows: daily.length });
    }
    expect((await rowsIn("catalog.parquet")).length).to.equal(sql("SELECT count(*) AS n FROM items")[0]!.n);
    const current = await rowsIn("market/current.parquet");
    expect(
      current.map(({ item_id, side, provider, amount }) => ({ item_id, side, provider, cents: amount })),
    ).to.deep.equal(sql("SELECT item_id, side, provider, cents FROM v_quotes ORDER BY item_id, side, provider"));
    const [rate] = await rowsIn("rates/rates.parquet");
    expect(rate).to.include(
      sql("SELECT currency, source, rate_per_usd FROM exchange_rates ORDER BY currency, day, source")[0]!,
    );
    expect((await rowsIn("indexes/levels.parquet")).length).to.equal(
      sql("SELECT count(*) AS n FROM index_levels")[0]!.n,
    );
    expect((await rowsIn("returns/returns.parquet")).length).to.equal(
      sql("SELECT count(*) AS n FROM roi_history")[0]!.n,
    );
    const names = await rowsIn("names.parquet");
    expect(names.filter(({ valid_to }) => valid_to !== null).length).to.equal(
      sql("SELECT count(*) AS n FROM items_past")[0]!.n,
    );
    expect(statSync(join(folder, "catalog.parquet")).mode & 0o777).to.equal(0o644);
  });

  it("has the quotes of each hour in at most 2.5 bytes each", async () => {
    const path = `hourly/date=${newer}/revision=1.parquet`;
    const rows = await rowsIn(path);
    const { bytes, day } = fileOf(path);
    expect(bytes / rows.length).to.be.at.most(2.5);
    expect(day!.feeds.map(([feed]) => feed)).to.deep.equal(["bazaar", "northgate", "steam"]);
    expect(rows.every(({ ts, recorded_at }) => (recorded_at as number) > (ts as number))).to.equal(true);
    expect(
      new Set(rows.map(({ item_id, side, provider, ts }) => `${item_id} ${side} ${provider} ${ts}`)).size,
    ).to.equal(rows.length);
  });

  it("is the same in each folder, and changes only changed files", async () => {
    const other = join(root, "other");
    await build(other);
    for (const path of pathsIn(folder))
      expect(readFileSync(join(other, path)).equals(readFileSync(join(folder, path))), path).to.equal(true);
    const inodes = () => pathsIn(folder).map((path) => [path, statSync(join(folder, path)).ino]);
    const before = inodes();
    const { lines } = await build(folder);
    expect(lines[0]).to.include(", 0 written for days");
    expect(inodes()).to.deep.equal(before);
    // A file of the same revision and length, of another market.
    const path = join(folder, "index.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(fileOf(`daily/date=${newer}/revision=1.parquet`).source!, "0".repeat(16)));
    expect((await build(folder)).lines[0]).to.include(", 1 written for days");
    expect(readFileSync(path, "utf8")).to.equal(text);
    rmSync(other, { recursive: true });
  });

  it("is not built while another build writes into its folder", async () => {
    const index = join(folder, "index.json");
    const lock = holdLock(index, "dataset");
    const refused = await build(folder);
    lock.release();
    const why = "another process holds the file (a build of a dataset is running on it); stop that process first";
    expect([refused.code, refused.notes]).to.deep.equal([75, [`itemtape: ${index}: ${why}`]]);
    expect((await build(folder)).code).to.equal(0);
  });

  it("moves the file of a superseded revision, and says which revisions it lacks", async () => {
    const old = readFileSync(join(folder, `daily/date=${newer}/revision=1.parquet`));
    await revise();
    await build(folder);
    expect(pathsIn(folder).filter((path) => path.includes(newer))).to.deep.equal([
      `daily/date=${newer}/revision=2.parquet`,
      `hourly/date=${newer}/revision=2.parquet`,
      `superseded/daily/date=${newer}/revision=1.parquet`,
      `superseded/hourly/date=${newer}/revision=1.parquet`,
    ]);
    expect(readFileSync(join(folder, `superseded/daily/date=${newer}/revision=1.parquet`)).equals(old)).to.equal(true);
    expect(fileOf(`superseded/daily/date=${newer}/revision=1.parquet`).day).to.deep.include({ feeds: [] });
    expect(indexOf(folder).missing).to.deep.equal([]);
    const fresh = join(root, "fresh");
    await build(fresh);
    expect(indexOf(fresh).missing, "its rows are kept").to.deep.equal([]);
    for (const path of pathsIn(folder))
      expect(readFileSync(join(fresh, path)).equals(readFileSync(join(folder, path))), path).to.equal(true);
    rmSync(fresh, { recursive: true });
    const knownSince = change(
      "UPDATE market_state SET known_since = known_since + 1e12 RETURNING known_since - 1e12 AS at",
    );
    await build(fresh);
    const why = "its rows are no longer kept";
    expect(indexOf(fresh).missing).to.deep.equal(
      ["daily", "hourly"].map((resolution) => ({ date: newer, resolution, revision: 1, why })),
    );
    await build(folder);
    expect(indexOf(folder).missing, "the file is kept").to.deep.equal([]);
    change(`UPDATE market_state SET known_since = ${knownSince[0]!.at} RETURNING 1`);
    rmSync(fresh, { recursive: true });
  });

  it("leaves out providers that may not be passed on, and what is made of them", async () => {
    const set = (slug: string, redistribution: string) =>
      runHere(["providers", "set", slug, "--redistribution", redistribution, "--db", db]);
    await set("steam", "not_allowed");
    await set("bazaar", "unknown");
    const { lines } = await build(folder);
    const { left_out, files, providers } = indexOf(folder);
    expect(lines.slice(1)).to.deep.equal(left_out.map(({ what, name, why }) => `left out: ${what} ${name} (${why})`));
    expect(left_out.slice(0, 2)).to.deep.equal([
      { what: "provider", name: "bazaar", why: "its terms are unknown" },
      { what: "provider", name: "steam", why: "its terms forbid passing on prices" },
    ]);
    expect(left_out.filter(({ what }) => what === "returns").map(({ name }) => name)).to.have.members([
      "steam_gross",
      "cash_ask",
    ]);
    const indexes = sql("SELECT index_id AS name FROM indexes WHERE provider IN ('steam', 'bazaar') ORDER BY index_id");
    expect(left_out.filter(({ what }) => what === "index").map(({ name }) => ({ name }))).to.deep.equal(indexes);
    for (const { path, providers: of } of files) {
      expect(of, path).not.to.include.members(["steam"]).and.not.to.include.members(["bazaar"]);
      if (path === "providers.parquet" || path.startsWith("indexes") || /bucket=(?!07)/.test(path)) continue;
      const found = new Set((await rowsIn(path)).map(({ provider }) => provider));
      expect(
        [...found].filter((provider) => provider === "steam" || provider === "bazaar"),
        path,
      ).to.deep.equal([]);
    }
    expect((await rowsIn("returns/returns.parquet")).length).to.equal(0);
    // Its empty list of groups has a type, which readers in Rust need.
    const noGroups = Buffer.from([0x16, 0x00, 0x19, 0x0c]);
    expect(readFileSync(join(folder, "returns/returns.parquet")).includes(noGroups)).to.equal(true);
    expect(providers.find(({ provider }) => provider === "steam")).to.include({ included: false });
    await build(folder, "--include-unknown");
    expect(fileOf("market/current.parquet").providers).to.deep.equal(["bazaar", "northgate", "swapyard"]);
    for (const slug of ["steam", "bazaar"]) await set(slug, "allowed");
    await build(folder);
    for (const path of [`daily/date=${newer}/revision=2.parquet`, ...superseded, byItem])
      expect(fileOf(path).providers, path).to.include("steam");
    expect(files.find(({ path }) => path === byItem)).to.deep.include({ without: ["bazaar", "steam"] });
    expect(indexOf(folder).missing).to.deep.equal([]);
  });

  it("keeps a revision without a provider if its rows are lost", async () => {
    const set = (redistribution: string) =>
      runHere(["providers", "set", "steam", "--redistribution", redistribution, "--db", db]);
    await set("not_allowed");
    await build(folder);
    const kept = superseded.map((path) => readFileSync(join(folder, path)));
    const knownSince = change(
      "UPDATE market_state SET known_since = known_since + 1e12 RETURNING known_since - 1e12 AS at",
    );
    await set("allowed");
    await build(folder);
    const missing = (why: string) =>
      ["daily", "hourly"].map((resolution) => ({ date: newer, resolution, revision: 1, why }));
    expect(indexOf(folder).missing).to.deep.equal(missing("without steam: its rows are no longer kept"));
    expect(superseded.map((path) => readFileSync(join(folder, path)))).to.deep.equal(kept);
    change(`UPDATE market_state SET known_since = ${knownSince[0]!.at} RETURNING 1`);
    await build(folder);
    expect(indexOf(folder).missing, "made again").to.deep.equal([]);
    change("UPDATE market_state SET known_since = known_since + 1e12 RETURNING 1");
    await set("not_allowed");
    await build(folder);
    expect(indexOf(folder).missing).to.deep.equal(missing("its rows are no longer kept"));
    expect(
      superseded.filter((path) => existsSync(join(folder, path))),
      "may not be passed on",
    ).to.deep.equal([]);
    change(`UPDATE market_state SET known_since = ${knownSince[0]!.at} RETURNING 1`);
    await set("allowed");
    await build(folder);
  });

  it("has the part of a month that is there by item, also for a later `--since`", async () => {
    const ofDays = `BETWEEN ${Date.parse(older) / 86_400_000} AND ${Date.parse(newer) / 86_400_000}`;
    const months = () => indexOf(folder).files.filter(({ month }) => month !== undefined);
    const before = months();
    expect(before).to.have.length(64);
    expect(before[0]!.month).to.include({ month: "2026-01", from: older, until: newer });
    expect(before.reduce((sum, { rows }) => sum + rows, 0)).to.equal(
      sql(`SELECT count(*) AS n FROM daily_prices WHERE day ${ofDays}`)[0]!.n,
    );
    expect((await build(folder, "--since", newer)).code).to.equal(0);
    expect(months()).to.deep.equal(before);
  });

  it("is as before after a build that was killed or met a full disk", async function () {
    const disk = SmallDisk.mount(this, 4 * 1024 * 1024);
    try {
      const full = join(disk.folder, "dataset");
      disk.fill(100 * 1024);
      const { code, notes } = await build(full);
      expect([code, notes.join()]).to.deep.equal([
        74,
        `itemtape: ${full}: the disk is full, or a quota is used up (ENOSPC: no space left on device, write); free some space and run the command again`,
      ]);
      expect(pathsIn(full)).to.deep.equal([]);
      disk.clear();
      await build(full, "--since", newer);
      const text = readFileSync(join(full, "index.json"));
      disk.fill(0);
      expect((await build(full)).code).to.equal(74);
      expect(readFileSync(join(full, "index.json"))).to.deep.equal(text);
      expect((await runHere(["dataset", "verify", full])).code, "its files are whole").to.equal(0);
    } finally {
      disk.unmount();
    }
    const strays = [`daily/date=${newer}/revision=1.parquet`, ".build/daily/date=2026-01-13/revision=1.parquet"];
    for (const path of strays) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      copyFileSync(join(folder, "names.parquet"), join(folder, path));
    }
    writeFileSync(join(folder, "daily/notes.txt"), "of another program");
    expect((await runHere(["dataset", "verify", folder])).notes).to.deep.equal([
      `itemtape: ${folder}: ${strays[0]} is not in the index; remove them and run \`dataset build\` again`,
    ]);
    await build(folder);
    expect((await runHere(["dataset", "verify", folder])).code).to.equal(0);
    expect(existsSync(join(folder, ".build"))).to.equal(false);
    expect(readFileSync(join(folder, "daily/notes.txt"), "utf8")).to.equal("of another program");
  });

  itLong("has whole months by item, in buckets of ids, apart from the days", async () => {
    const items = sql("SELECT item_id FROM items WHERE in_catalog = 1 ORDER BY item_id LIMIT 90");
    const rows = ["2025-12-30", "2025-12-31", "2026-02-13"].flatMap((date) =>
      items.map(({ item_id }) => ({ item_id: item_id as number, date, side: "ask", amount: 500 })),
    );
    writeFileSync(join(root, "december.ndjson"), canonicalText(rows));
    const december = [join(root, "december.ndjson"), "--adapter", "canonical", "--db", db];
    expect((await runHere(["import", "daily", ...december])).notes.join()).not.to.include("itemtape: ");
    seal();
    const all = join(root, "months");
    const months = () => indexOf(all).files.filter(({ month }) => month !== undefined);
    await runHere(["dataset", "build", "--to", all, "--db", db, "--since", "2025-12-01"]);
    // The newest month has its first days, by sevens.
    const until = { "2025-12": "2025-12-31", "2026-01": "2026-01-31", "2026-02": "2026-02-14" };
    expect(Object.fromEntries(months().map(({ month }) => [month!.month, month!.until]))).to.deep.equal(until);
    expect(months()).to.have.length(3 * 64);
    for (const [month, last] of Object.entries(until)) {
      const of = `date(day * 86400, 'unixepoch') BETWEEN '${month}-01' AND '${last}'`;
      const ofMonth = months().filter((file) => file.month!.month === month);
      expect(ofMonth.reduce((sum, file) => sum + file.rows, 0)).to.equal(
        sql(`SELECT count(*) AS n FROM daily_prices WHERE ${of}`)[0]!.n,
      );
      const [most] = ofMonth.toSorted((one, other) => other.rows - one.rows);
      const found = await rowsIn(most!.path, all);
      const columns = Object.keys(found[0]!).filter((name) => name !== "date");
      expect(found.map(({ date: _date, ...row }) => row)).to.deep.equal(
        sql(`SELECT ${columns} FROM daily_prices WHERE ${of} AND item_id % 64 = ${/bucket=(\d+)/.exec(most!.path)![1]}
          ORDER BY item_id, day, side, provider`),
      );
    }
    const before = months();
    await build(all);
    expect(months(), "they stay").to.deep.equal(before);
    rmSync(all, { recursive: true });
  });

  it("is refused with invalid words, and for a day with other rows than sealed", async () => {
    expect((await runHere(["dataset", "build", "--db", db])).notes[0]).to.include("--to is missing");
    const wrong = await runHere(["dataset", "build", "--to", folder, "--db", db, "--since", "yesterday"]);
    expect([wrong.code, wrong.notes[0]]).to.deep.equal([64, "itemtape: --since: must be a UTC day such as 2026-01-31"]);
    expect((await runHere(["dataset", "verify", join(root, "nowhere")])).code).to.equal(66);
    writeFileSync(join(root, "file"), "");
    mkdirSync(join(root, "folders/catalog.parquet"), { recursive: true });
    mkdirSync(join(root, "site"));
    writeFileSync(join(root, "site/index.json"), "[]");
    const refused: [folder: string, why: string][] = [
      [join(root, "file"), ": the folder cannot be created (a file is in the way); name another"],
      [join(root, "file/dataset"), ": the folder cannot be created (a file is in the way); name another"],
      [join(root, "folders"), "/catalog.parquet: not a regular file; name another folder"],
      [
        join(root, "site"),
        "/index.json: not the index of a dataset of this program; name another folder, or remove the file",
      ],
    ];
    if (process.platform === "linux")
      refused.push(["/proc/dataset", ": the folder cannot be created (ENOENT); name another"]);
    for (const [to, why] of refused)
      expect(await build(to)).to.deep.include({ code: 73, notes: [`itemtape: ${to}${why}`] });
    const database = new SqliteDatabase(db);
    database.exec(`UPDATE sealed_days SET digest = zeroblob(32) WHERE day = ${Date.parse(newer) / 86_400_000}`);
    database.close();
    const { code, notes } = await build(join(root, "damaged"));
    expect([code, notes[0]]).to.deep.equal([
      65,
      `itemtape: ${newer}: its daily rows differ from its sealed digest; \`npx itemtape db check\` finds the damage`,
    ]);
  });

  /** Retracts an hour of the newer day, and seals the day again. */
  async function revise(): Promise<void> {
    const retraction = {
      feed: "northgate",
      hour: Date.parse(`${newer}T10:00Z`) / 3_600_000,
      reason: "cents for dollars",
    };
    await retractFrame(db, retraction, { clock: clockAt(demoAt + 1000) });
    seal();
  }

  function seal(): void {
    const database = openWriter(db, 5000);
    runAtOnce(sealDaysInBatches(database, dayOf(demoAt), clockAt(demoAt + 1000)));
    closeDatabase(database);
  }
});
