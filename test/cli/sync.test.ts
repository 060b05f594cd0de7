import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { copyFileAt } from "../../src/cli/sync/run.ts";
import { current, exportOf, from, gone, held, later, nothing, textOfAll, to, whole } from "../client/changes-script.ts";
import { noProviders, problem, type Reply, ScriptedServer } from "../client/scripted-server.ts";
import { streamed } from "../client/streams.ts";
import { programPath, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { publishFewQuotes, publishOffers } from "../support/publish.ts";
import { bySize, casesBySize, isLongRun, itLong } from "../support/size.ts";
import { needPosix } from "../support/skip.ts";
import { type Account, World } from "../support/world.ts";
import { demoTerms, readBack, termsIn } from "./export-files.ts";
import { copyFormats as formats, syncKillRing } from "./sync-kill-ring.ts";

const apiKey = "itemtape_live_k";

describe("itemtape sync from the real service", () => {
  const folder = temporaryFolder();
  let world: World;
  let account: Account;
  before(async () => {
    world = await World.start(isLongRun ? { fewDays: true } : { fewItems: true });
    if (!isLongRun) publishFewQuotes(world);
    account = world.account("quant");
  });
  after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (...words: string[]) =>
    runHere(["sync", ...words], { env: { ITEMTAPE_API_KEY: account.secret, ITEMTAPE_URL: world.base } });
  /** Publishes these cents by item id. Connections that the server closed while this process was busy are seen as such after a request. */
  const publish = async (cents: ReadonlyMap<number, number>) => {
    world.clock.at += 300_000;
    publishOffers(world, cents);
    await world.client.call("getStatus");
  };

  for (const format of casesBySize(formats, 1)) {
    it(`equals the export at each step as ${format}, for one unit`, async () => {
      const path = join(folder, `market.${format}`);
      const results = [];
      for (const cents of [100, 101, 101]) {
        await publish(new Map([40, 80, 120, 160].map((itemId) => [itemId, cents + itemId])));
        const before = world.used(account.accountId);
        const { code, lines, notes } = await run(path, "--json");
        expect(code, `${notes}`).to.equal(0);
        const { result, generation, digest, changed } = JSON.parse(lines[0]!);
        results.push([result, changed, world.used(account.accountId) - before]);
        const { records } = await world.client.call("streamMarketSnapshot", { key: account.secret });
        const { items, facts } = await readBack(format, path);
        expect(JSON.stringify(items)).to.equal(JSON.stringify(records.slice(1, -1).map(({ data }) => data)));
        expect([facts.generation, generation]).to.deep.equal([records[0].generation, records[0].generation]);
        const { json } = await world.client.call("getGeneration", { key: account.secret, path: { generation } });
        expect(json.data.digest).to.equal(digest);
        if (format === "sqlite") expect(termsIn(format, path)).to.deep.include(demoTerms);
      }
      expect(results).to.deep.equal([
        ["exported", null, format === "sqlite" ? 3 : 2],
        ["changed", 4, 1],
        ["current", 0, 1],
      ]);
      const items = bySize({ short: 284, long: 3216 });
      expect((await run(path)).lines[0]).to.match(new RegExp(`^.*: ${items} items of g\\d+ \\(.*Z\\), unchanged$`));
    });
  }

  it("replaces a copy of an unknown state by an export", async () => {
    for (const format of casesBySize(formats, 1)) {
      const path = join(folder, `old.${format}`);
      await run(path);
      world.sql("DELETE FROM export_states WHERE state_id < (SELECT max(state_id) FROM export_states)");
      await publish(new Map([[40, 1 + formats.indexOf(format)]]));
      world.sql("DELETE FROM export_states WHERE state_id < (SELECT max(state_id) FROM export_states)");
      const { code, lines } = await run(path, "--json");
      expect([code, JSON.parse(lines[0]!).result]).to.deep.equal([0, "exported"]);
      const { records } = await world.client.call("streamMarketSnapshot", { key: account.secret });
      const { items } = await readBack(format, path);
      expect(JSON.stringify(items)).to.equal(JSON.stringify(records.slice(1, -1).map(({ data }) => data)));
    }
  });
});

describe("itemtape sync from a restored service", () => {
  const folder = temporaryFolder();
  const config = { port: 0 };
  let world: World;
  let account: Account;
  before(async () => {
    world = await World.start({ fewItems: true, config });
    publishFewQuotes(world);
    account = world.account("quant");
    config.port = Number(new URL(world.base).port);
  });
  after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (url: string, ...words: string[]) =>
    runHere(["sync", ...words, "--url", url], { env: { ITEMTAPE_API_KEY: account.secret } });

  itLong("restarts a copy only at its own address or with --force", async () => {
    const backup = join(folder, "backup.db");
    expect((await runHere(["db", "backup", backup, "--db", world.path])).code).to.equal(0);
    for (let count = 0; count < 2; count += 1) {
      world.clock.at += 300_000;
      publishOffers(world, new Map([[40, 500 + count]]));
      // A connection that the server closed while this process was busy is seen as such after a request.
      await world.client.call("getStatus");
    }
    const paths = formats.map((format) => join(folder, `market.${format}`));
    for (const path of paths) {
      const { code, notes } = await run(world.base, path);
      expect(code, `${notes}`).to.equal(0);
    }
    const newest = await (await copyFileAt(paths[0]!, { mayReplace: false })).read()!.generation;
    // A restart also closes the handle of this process.
    await world.restart();
    await world.app.close(1000);
    expect((await runHere(["db", "restore", backup, "--force", "--db", world.path])).code).to.equal(0);
    await world.restart();
    for (const [index, path] of paths.entries()) {
      const kept = readFileSync(path);
      const other = world.base.replace("127.0.0.1", "localhost");
      const elsewhere = await run(other, path);
      expect(elsewhere.code).to.equal(66);
      expect(elsewhere.notes.join()).to.match(
        /has an older market; .* is a copy of http.* stays unchanged; check --url/,
      );
      expect(readFileSync(path)).to.deep.equal(kept);
      const before = world.charged();
      const words = index === 0 ? [world.base, path] : [other, path, "--force"];
      const { code, lines, notes } = await run(words[0]!, ...words.slice(1), "--json");
      expect([code, JSON.parse(lines[0]!).result]).to.deep.equal([0, "exported"]);
      expect(notes.join()).to.include(
        `the service no longer has ${newest}, as after a restore; the copy started again`,
      );
      const after = world.charged();
      // A file keeps the terms of its day.
      expect(after.units - before.units, "changes, export, generation, changes").to.equal(4);
      const { records } = await world.client.call("streamMarketSnapshot", { key: account.secret });
      const items = (await copyFileAt(path, { mayReplace: false })).read()!.items;
      expect([...items.values()]).to.deep.equal(records.slice(1, -1).map(({ data }) => data));
    }
  });
});

describe("copy of `itemtape sync`", () => {
  const folder = temporaryFolder();
  let server: ScriptedServer;
  before(async () => {
    server = await ScriptedServer.start();
    server.providers = noProviders;
  });
  after(() => {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (...words: string[]) =>
    runHere(["sync", ...words], { env: { ITEMTAPE_API_KEY: apiKey, ITEMTAPE_URL: server.base } });
  const first = [exportOf("g5", held), nothing(from)];
  const second = [exportOf("g6", later), nothing(to)];
  const itemsIn = async (path: string) => [
    ...((await copyFileAt(path, { mayReplace: false })).read()?.items.values() ?? []),
  ];
  /** A new copy of the first state. */
  const copyOf = async (name: string) => {
    const path = join(folder, name);
    rmSync(path, { force: true });
    server.play(...first);
    expect((await run(path)).code).to.equal(0);
    return path;
  };

  it("is refused and named if the file is foreign; --force replaces it", async () => {
    const database = new SqliteDatabase(join(folder, "other.sqlite"));
    database.exec("CREATE TABLE export (generation TEXT)");
    database.close();
    const put = (name: string, content: string) => writeFileSync(join(folder, name), content);
    put("text.db", "this is a text and longer than the head of a file of SQLite, which has a hundred bytes or more");
    put("empty.sqlite", "");
    put("list.ndjson", '{"a":1}\n');
    put("empty.ndjson", "");
    put(
      "export.ndjson",
      textOfAll([
        { type: "start", request_id: "req_" },
        { type: "end", items: 0 },
      ]),
    );
    for (const name of ["other.sqlite", "text.db", "empty.sqlite", "list.ndjson", "empty.ndjson", "export.ndjson"]) {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      server.play(...first);
      const { code, notes } = await run(path);
      expect([code, server.requests.length], name).to.deep.equal([73, 0]);
      expect(notes[0]).to.match(new RegExp(`${name}: not a copy of the market kept by sync \\(.*--force$`));
      expect(readFileSync(path).equals(bytes), name).to.equal(true);
      expect((await run(path, "--force")).code, name).to.equal(0);
      expect(await itemsIn(path)).to.deep.equal(held);
    }
    expect(readdirSync(folder).filter((name) => /itemtape-part|journal/.test(name))).to.deep.equal([]);
  });

  it("is refused and named, before any request, at an unusable path", async function () {
    needPosix(this);
    for (const format of formats) {
      execFileSync("mkfifo", [join(folder, `pipe.${format}`)]);
      mkdirSync(join(folder, `folder.${format}`));
      symlinkSync(join(folder, `nothing.${format}`), join(folder, `link.${format}`));
      for (const [name, expected] of [
        [`pipe.${format}`, 73],
        [`folder.${format}`, 73],
        [`link.${format}`, 73],
        [`nowhere/market.${format}`, 73],
      ] as const) {
        server.play(...first);
        const { code, notes } = await run(join(folder, name));
        expect([code, server.requests.length, notes.length], `${name}: ${notes}`).to.deep.equal([expected, 0, 1]);
        expect(notes[0]).to.include(name);
        expect((await run(join(folder, name), "--force")).code, `${name} --force`).to.equal(expected);
      }
    }
  });

  it("is refused and named if damaged; --force replaces it", async () => {
    const spoil: Record<string, (path: string) => void> = {
      "price.ndjson": (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"amount":120', '"amount":121')),
      "cut.ndjson": (path) => writeFileSync(path, readFileSync(path).subarray(0, -30)),
      "blank.ndjson": (path) => writeFileSync(path, `${readFileSync(path, "utf8")} \r\n`),
      "line.ndjson": (path) => writeFileSync(path, readFileSync(path, "utf8").replace(/\n.*"item_id":4.*\n/, "\n")),
      "price.sqlite": (path) => edit(path, "UPDATE quotes SET amount = amount + 1"),
      "facts.sqlite": (path) => edit(path, "DELETE FROM export"),
      "table.sqlite": (path) => edit(path, "DROP TABLE quotes"),
      "cut.sqlite": (path) => writeFileSync(path, readFileSync(path).subarray(0, 5000)),
    };
    for (const [name, work] of Object.entries(spoil)) {
      const path = await copyOf(name);
      work(path);
      const bytes = readFileSync(path);
      server.play(...first);
      const { code, notes } = await run(path);
      expect([code, server.requests.length], `${name}: ${notes}`).to.deep.equal([83, 0]);
      if (name === "blank.ndjson") expect(notes[0]).to.include("(its last line is blank)");
      expect(notes[0]).to.match(new RegExp(`${name}: the copy is damaged \\(.*; --force replaces it with a new one$`));
      expect(readFileSync(path).equals(bytes), name).to.equal(true);
      expect((await run(path, "--force")).code, name).to.equal(0);
      expect(await itemsIn(path)).to.deep.equal(held);
    }
  });

  it("keeps its state and exits by kind if a stream fails", async () => {
    const refused = problem(403, "plan_required");
    const forged = streamed(textOfAll(whole).replace('"amount":121', '"amount":122'));
    const cases: readonly [number, readonly Reply[]][] = [
      [77, [refused]],
      [93, [forged, streamed("{}\n")]],
      [69, [problem(429, "monthly_quota_exceeded")]],
      // Only `--watch` waits for another copy of the account to end.
      [75, [problem(429, "changes_busy", { "retry-after": "119" })]],
    ];
    for (const format of formats) {
      const path = await copyOf(`kept.${format}`);
      for (const [expected, replies] of cases) {
        server.play(...replies);
        const { code, notes } = await run(path);
        expect(code, `${notes}`).to.equal(expected);
        expect(await itemsIn(path)).to.deep.equal(held);
      }
      server.play(forged, ...second);
      expect((await run(path)).code).to.equal(0);
      expect(await itemsIn(path), "an export took the place of the forged stream").to.deep.equal(later);
    }
  });

  it("retries after a broken connection, and reports it", async () => {
    const path = await copyOf("again.ndjson");
    server.play(gone, streamed(textOfAll(whole)));
    const { code, notes } = await run(path, "--once");
    expect(code, `${notes}`).to.equal(0);
    expect(notes.join("\n")).to.match(/: no answer; waiting [12] s/);
  });

  it("does not overwrite a file that another process wrote meanwhile", async () => {
    for (const format of formats) {
      const path = await copyOf(`twice.${format}`);
      const other = join(folder, `other-state.${format}`);
      server.play(...second);
      await run(other);
      server.play((response, request) => {
        writeFileSync(path, readFileSync(other));
        streamed(textOfAll(whole))(response, request);
      });
      const { code, notes } = await run(path);
      expect([code, notes.at(-1)]).to.deep.equal([
        75,
        `itemtape: ${path}: another process has written it meanwhile; run one sync of a file at a time`,
      ]);
      expect(await itemsIn(path)).to.deep.equal(later);
    }
  });

  it("is refused for wrong arguments before any request or file", async () => {
    server.play(...first);
    expect((await run(join(folder, "market.csv"))).code).to.equal(64);
    expect((await run(join(folder, "new.ndjson"), "--once", "--watch")).code).to.equal(64);
    expect((await run(join(folder, "new.ndjson"), "--pause", "60")).code).to.equal(64);
    for (const pause of ["0", "86401", "1.5", "x"])
      expect((await run(join(folder, "new.ndjson"), "--watch", "--pause", pause)).code, pause).to.equal(64);
    expect([server.requests.length, readdirSync(folder).includes("new.ndjson")]).to.deep.equal([0, false]);
    expect((await run(join(folder, "none", "new.ndjson"))).code).to.equal(73);
  });

  it("--watch writes each state, survives failures and exits with 0", async () => {
    const path = join(folder, "watched.sqlite");
    const env = { ...process.env, ITEMTAPE_API_KEY: apiKey, ITEMTAPE_URL: server.base };
    let kill = () => {};
    const away = problem(503, "service_unavailable", { "retry-after": "3600" });
    server.play(...first, away, nothing(from), current(to), streamed(textOfAll(whole)), () => kill());
    const child = spawn(process.execPath, [programPath, "sync", path, "--watch"], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    kill = () => child.kill("SIGINT");
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    expect(code, stderr).to.equal(0);
    expect(stdout.split("\n").map((line) => line.replace(/^.*: (\d)/, "$1"))).to.deep.equal([
      "3 items of g5 (2026-01-15T12:04:00.000Z), from an export",
      "3 items of g5 (2026-01-15T12:04:00.000Z), unchanged",
      "3 items of g6 (2026-01-15T12:04:00.000Z), 2 changed or new, 1 removed",
      "",
    ]);
    expect(stderr).to.match(/sync: .*; trying again in 1 s\n/);
    expect(await itemsIn(path)).to.deep.equal(later);
  });

  itLong("--watch with a pause requests changes once per pause, without waiting", async () => {
    const path = join(folder, "paused.ndjson");
    server.play(...first, streamed(textOfAll(whole)), () => process.emit("SIGHUP", "SIGHUP"));
    const { code, lines, notes } = await run(path, "--watch", "--pause", "1", "--json");
    expect(code, `${notes}`).to.equal(0);
    expect(lines.map((line) => JSON.parse(line).generation)).to.deep.equal(["g5", "g6"]);
    const asked = server.requests.map(({ line }) => line.split("/").at(-1));
    expect(asked).to.deep.equal(["snapshot", "changes", "changes", "changes"]);
  });

  itLong("--watch reports a service behind the copy and continues", async () => {
    const path = join(folder, "ahead.ndjson");
    const behind = Array.from({ length: 3 }, () => current(from));
    server.play(exportOf("g6", later), nothing(to), ...behind, () => process.emit("SIGHUP", "SIGHUP"));
    const { code, notes } = await run(path, "--watch");
    expect(code, `${notes}`).to.equal(0);
    expect(notes).to.deep.equal(["exporting", "the service has g5, which is behind this copy; asking again"]);
  });

  for (const format of formats) {
    it(`is a complete state after a kill as ${format}, and continues`, async () => {
      const kills = bySize({ short: 1, long: 3 });
      expect(await syncKillRing(format, { kills, seed: 1 })).to.deep.equal({ kills, faults: [] });
    });
  }
});

function edit(path: string, sql: string): void {
  const database = new SqliteDatabase(path);
  database.exec(sql);
  database.close();
}
