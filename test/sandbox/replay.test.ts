import { expect } from "chai";
import { spanOf } from "../../src/sandbox/replay/span.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { closeDatabase, openReader, openWriter } from "../../src/store/database.ts";
import { temporaryFolder } from "../support/files.ts";
import { marketRequests, type RunningReplay, recordedMarket, runReplay } from "./replay-world.ts";

const from = "2026-01-15T09:30:00.000Z";
const until = "2026-01-15T12:00:00.000Z";

describe("replayed market", function () {
  // The demo world is made here when this file is run first.
  this.timeout(180_000);
  const folder = temporaryFolder();
  let market: string;
  let replay: RunningReplay;
  before(async () => {
    market = recordedMarket(folder);
    replay = await runReplay(market, from);
  });
  after(() => replay.close());

  const current = async () => JSON.parse((await replay.read("/v1/markets/generations/current")).slice(4)).data;

  it("begins as known at its begin", async () => {
    expect((await replay.control("GET", "/clock")).json).to.deep.equal({ now: from, stands: true, from, until });
    expect(replay.signInPath).to.match(/^\/dashboard\/sign-in-link#/);
    expect((await current()).ingested_at).to.equal("2026-01-15T09:13:00.000Z");
  });

  it("answers no operation with anything later than its clock", async () => {
    for (const [target, ...how] of marketRequests) {
      const text = await replay.read(target, ...how);
      const { now } = (await replay.control("GET", "/clock")).json;
      const isRefusal = JSON.stringify([target, how]).includes("2026-01-20");
      expect(text.slice(0, 3), `${target} ${text.slice(0, 300)}`).to.equal(isRefusal ? "400" : "200");
      if (isRefusal) continue;
      const instants = text.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
      expect(
        instants.filter((one) => one > now),
        target,
      ).to.deep.equal([]);
      const dates = text.match(/"date":"[\d-]+"/g) ?? [];
      expect(
        dates.filter((one) => one > `"date":"${now.slice(0, 10)}"`),
        target,
      ).to.deep.equal([]);
    }
  });

  it("publishes the next frame, wakes waiting requests and lets the account's clock run", async () => {
    const before = await current();
    const waiting = replay.read(`/v1/markets/generations/current?after=${before.generation}&wait_seconds=25`);
    const usage = JSON.parse((await replay.read("/v1/usage")).slice(4)).data;
    const { json } = await replay.move({ next: "publication" });
    expect(json).to.deep.include({ now: "2026-01-15T10:07:00.000Z", frames: 1, publications: 1, late: 0 });
    const frame = { feed: "northgate", ts: "2026-01-15T10:00:00.000Z", recorded_at: json.now, late: false };
    expect(json.publication).to.deep.equal({ generation: "g4", frame });
    const { data, meta } = JSON.parse((await waiting).slice(4));
    expect([data.generation, data.ingested_at, meta.generated_at]).to.deep.equal(["g4", json.now, json.now]);
    expect(Date.parse(usage.month_ends_at)).to.be.above(Date.now());
    const { generation, identity_digest } = before;
    const changes = await replay.read("/v1/markets/changes", { generation, identity_digest });
    expect(changes.slice(0, 3), changes).to.equal("200");
    expect(changes).to.match(/"type":"item"/);
  });

  it("reports each of several waiting moves, and never moves back for one", async () => {
    const { now } = (await replay.control("GET", "/clock")).json;
    // The second move is refused if it arrives after the first.
    const [next] = await Promise.all([replay.move({ next: "publication" }), replay.move({ to: now })]);
    const { recorded_at } = next.json.publication.frame;
    expect([next.json.now, (await replay.control("GET", "/clock")).json.now]).to.deep.equal([recorded_at, recorded_at]);
  });

  it("refuses moves back, beyond its end and with other members", async () => {
    const refused = async (body: object) => {
      const { status, json } = await replay.move(body);
      return [status, json.error];
    };
    const { now } = (await replay.control("GET", "/clock")).json;
    const range = `\`to\` must be an instant from ${now} to ${until}`;
    expect(await refused({ to: "2026-01-15T10:07:00Z" })).to.deep.equal([400, range]);
    expect(await refused({ to: "2026-01-15T12:00:01Z" })).to.deep.equal([400, range]);
    expect(await refused({ to: 5 })).to.deep.equal([400, range]);
    expect(await refused({})).to.deep.equal([400, "give either `to` or `next`"]);
    expect(await refused({ next: "day" })).to.deep.equal([400, "`next` must be one of publication"]);
    expect(await refused({ advance_seconds: 1 })).to.deep.equal([
      400,
      "`advance_seconds` is not a member; use to, next",
    ]);
  });

  it("ends with the frames and days of the recorded market", async () => {
    const { json } = await replay.move({ to: until });
    expect([json.now, json.frames]).to.deep.equal([until, 4]);
    expect(await replay.move({ next: "publication" })).to.have.nested.property("status", 409);
    expect(checkDatabase(replay.world.path).faults).to.deep.equal([]);
    const recorded = recordedIn(market);
    for (const [query, rows] of Object.entries(recordedIn(replay.world.path)))
      expect(rows, query).to.deep.equal(recorded[query]);
  });

  it("refuses a span that the file cannot show, by name", () => {
    const changed = (text: string) => {
      const database = openWriter(market, 0);
      database.$client.exec(text);
      closeDatabase(database);
    };
    const refusal = (begin: string, end: string | null = null) => {
      try {
        spanOf(market, { from: Date.parse(begin), until: end === null ? null : Date.parse(end), by: "checked" });
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusal("2026-01-12")).to.equal("--replay: the first frame is of 2026-01-13T00:07:00.000Z");
    expect(refusal("2026-01-15", "2026-01-14")).to.equal(
      "--replay: 2026-01-15T00:00:00.000Z is not before --until 2026-01-14T00:00:00.000Z",
    );
    expect(refusal("2026-01-16")).to.match(/^--replay: no frame is recorded after 2026-01-16T00:00:00.000Z/);
    changed("UPDATE market_state SET known_since = 1769000000000");
    expect(refusal(from)).to.equal(
      "--replay: imported days, rates and names changed before 2026-01-21T12:53:20.000Z, and their earlier rows are unknown; begin there or later",
    );
    changed("UPDATE feed_days SET settled_at = 1, pruned_at = 1 WHERE day = 20468 AND feed = 'bazaar'");
    expect(refusal(from)).to.equal(
      "--replay: the hours of 2026-01-15 of the feed bazaar were removed; begin after that day",
    );
  });
});

/** Returns rows that a file recorded, by query. */
function recordedIn(path: string): Record<string, unknown[]> {
  const database = openReader(path);
  try {
    const { $client: client } = database;
    const queries = [
      "SELECT * FROM frames ORDER BY hour, feed",
      "SELECT day, feed, item_id, hex(changes) FROM frame_segments ORDER BY 1, 2, 3",
      "SELECT * FROM daily_prices WHERE import_id IS NULL ORDER BY item_id, side, day, provider",
      "SELECT day, hex(hourly_digest) FROM sealed_days WHERE superseded_at IS NULL ORDER BY day",
      "SELECT * FROM exchange_rates ORDER BY currency, source, day",
      "SELECT item_id, market_hash_name, in_catalog, first_seen_at FROM items ORDER BY item_id",
    ];
    return Object.fromEntries(queries.map((query) => [query, client.prepare(query).raw().all()]));
  } finally {
    closeDatabase(database);
  }
}
