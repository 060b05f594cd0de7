import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { holdLock } from "../../src/store/file/lock.ts";
import { bearer, programPath, ServerChild } from "../faults/child.ts";
import { FaultFile } from "../faults/fault-file.ts";
import { answer, FeedServer } from "../jobs/mirror/feed-server.ts";
import { canonicalBody } from "../jobs/mirror/mirror-world.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";
import { until } from "../support/until.ts";

describe("itemtape mirror", function () {
  this.timeout(180_000);
  let file: FaultFile;
  let names: string[];
  let configPath: string;
  let bodyPath: string;
  beforeEach(() => {
    file = new FaultFile({ fewItems: true });
    const folder = temporaryFolder();
    configPath = join(folder, "mirror.json");
    bodyPath = join(folder, "hall.json");
    names = file.change(({ $client }) =>
      $client
        .prepare("SELECT market_hash_name FROM items GROUP BY 1 HAVING count(*) = 1 ORDER BY min(item_id) LIMIT 3")
        .pluck()
        .all(),
    ) as string[];
    configure("hall.json");
    put(100);
  });
  afterEach(() => {
    file.remove();
    rmSync(join(configPath, ".."), { recursive: true, force: true });
  });

  function configure(source: string, interval = 1): void {
    const feed = { feed: "hall", adapter: "canonical", source, interval_seconds: interval, providers: ["hall"] };
    writeFileSync(configPath, JSON.stringify({ feeds: [feed] }));
  }

  function body(cents: number): string {
    return canonicalBody("hall", "hall", Object.fromEntries(names.map((name, index) => [name, cents + index])));
  }

  function put(cents: number): void {
    writeFileSync(bodyPath, body(cents));
  }

  const words = () => ["--db", file.path, "--mirror-config", configPath];
  const sql = (text: string) => file.change(({ $client }) => $client.prepare(text).all()) as Record<string, unknown>[];

  itLong("--once publishes and records feeds, reports, and postpones a second change", async () => {
    const first = await runHere(["mirror", "--once", ...words(), "--publish-every-ms", "0"]);
    expect(first.code, first.notes.join()).to.equal(0);
    expect(first.lines.join("\n")).to.match(
      /^hall: verified, 3 items in \d+ bytes\nhall: 3 quotes came, 0 changed, 0 went\nhall: guards joined_share, .*week_price not judged: it is the first body of the feed; first_body not judged: no other provider was checked within 30 days\npublished g\d+ with hall: \d+ items\nhall: frame of \S+:00:00\.000Z recorded, 3 items, 3 quotes/,
    );
    put(200);
    const second = await runHere(["mirror", "--once", ...words()]);
    expect(second.code).to.equal(0);
    expect(second.lines.at(-1)).to.match(/^hall: not published yet, .* run it again in \d+ s$/);
  });

  it("--once exits with 75 if a feed fails, and names the cause", async () => {
    configure("nothing.json");
    const { code, lines } = await runHere(["mirror", "--once", ...words()]);
    expect({ code, first: lines[0] }).to.deep.equal({ code: 75, first: "hall: failed: the file does not exist" });
  });

  it("refuses a wrong configuration or a second mirror before it polls", async () => {
    const holder = holdLock(file.path, "mirror");
    const second = await runHere(["mirror", "--once", ...words()]);
    holder.release();
    expect(second.code).to.equal(75);
    expect(second.notes[0]).to.include("a mirror is running on it");
    configure("http://example.com/x");
    const wrong = await runHere(["mirror", "--once", ...words()]);
    expect({ code: wrong.code, lines: wrong.lines }).to.deep.equal({ code: 65, lines: [] });
    expect(wrong.notes[0]).to.include("line 1: the source must be https");
    const missing = await runHere(["mirror", "--db", file.path, "--mirror-config", `${configPath}.none`]);
    expect(missing.code).to.equal(66);
  });

  it("runs until SIGTERM and logs each event as a JSON line", async () => {
    const child = spawn(process.execPath, [programPath, "mirror", ...words()], { stdio: ["ignore", "pipe", "pipe"] });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        texts[name] += text;
      });
    }
    await until("the frame is recorded", () => texts.stderr.includes("frame recorded"), 40_000);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code, texts.stderr).to.equal(0);
    expect(texts.stdout).to.include(`Itemtape mirrors hall into ${file.path}`);
    const reported = texts.stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(reported.map(({ msg }) => msg)).to.include.members(["feed verified: new content", "generation published"]);
    expect(reported.find(({ msg }) => msg === "frame recorded")).to.include({ feed: "hall", items: 3, quotes: 3 });
    holdLock(file.path, "mirror").release();
    expect(await runHere(["db", "check", "--db", file.path])).to.have.property("code", 0);
  });

  it("serve --mirror serves its publications; a failing source removes nothing", async () => {
    const source = new FeedServer();
    await source.start();
    source.behave = answer(200, body(100));
    configure(`${source.url}?token=secret`);
    const server = await ServerChild.start(file.path, {
      flags: ["--mirror", "--mirror-config", configPath, "--publish-every-ms", "0", "--log-level", "debug"],
    });
    try {
      const person = file.person();
      const [itemId] = sql(
        `SELECT item_id FROM items WHERE market_hash_name = '${names[0]!.replaceAll("'", "''")}'`,
      ).map(({ item_id }) => item_id);
      const read = async (path: string) =>
        (await (await fetch(`${server.base}${path}`, { headers: bearer(person) })).json()) as {
          // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
          data: any;
          meta: Record<string, unknown>;
        };
      const prices = `/v1/items/${itemId}/markets?provider=hall`;
      await until("the quote is served", async () => (await read(prices)).data?.asks.length === 1, 40_000);
      expect((await read(prices)).data.asks[0].amount).to.equal(100);
      expect((await read(prices)).meta.cache_recently_checked).to.equal(true);
      const hall = (await read("/v1/providers")).data.find(({ provider }: { provider: string }) => provider === "hall");
      expect(hall).to.include({ active: true, has_asks: true, has_bids: false });
      expect(Date.now() - Date.parse(hall.last_checked_at)).to.be.within(0, 60_000);
      expect((await read("/v1/status")).data).to.include({ database: "ok", market_snapshot: "available" });
      source.behave = answer(500);
      await until("the next poll has failed", () => server.stderr.includes("feed failed"), 30_000);
      expect((await read(prices)).data.asks[0].amount, "what is published stays").to.equal(100);
      expect(server.stderr).to.include('"reason":"HTTP 500"').and.to.not.include("secret");
      server.signal("SIGTERM");
      expect((await server.exited).code, server.stderr).to.equal(0);
      holdLock(file.path, "mirror").release();
    } finally {
      await server.stop();
      await source.stop();
    }
  });

  itLong("serve --mirror refuses a wrong configuration or second mirror before it listens", async () => {
    const flags = ["--mirror", "--mirror-config", configPath];
    const holder = holdLock(file.path, "mirror");
    const second = await ServerChild.refused(file.path, { flags });
    holder.release();
    expect(second.exit?.code).to.equal(75);
    expect(second.stderr).to.include("a mirror is running on it");
    configure("ftp://example.com");
    const wrong = await ServerChild.refused(file.path, { flags });
    expect(wrong.exit?.code).to.equal(65);
    expect(wrong.stderr).to.include("the source must be https");
  });
});
