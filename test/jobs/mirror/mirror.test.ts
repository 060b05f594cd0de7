import { renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { holdLock } from "../../../src/store/file/lock.ts";
import { dayMs, hourMs, hourOf, minuteMs, secondMs } from "../../../src/values/time/calendar.ts";
import { publishedState, worldAt } from "../../import/quotes/quote-world.ts";
import { answer, conditional } from "./feed-server.ts";
import { canonicalBody, MirrorWorld, steamBody } from "./mirror-world.ts";

const bodyOf = (first: number, savedAt?: number) =>
  steamBody({ "Item 0": first, "Item 1": 200, "Item 2": 300 }, savedAt);
const quarter = hourMs / 4;

describe("mirror", () => {
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  const events = () => world.take().map(({ event }) => event);

  it("records only the first verified frame of each hour", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.restart(world.feed({ intervalMs: quarter }));
    await world.mirror.turn();
    for (let turn = 1; turn < 6; turn += 1) await world.turnAfter(quarter);
    world.server.behave = conditional(bodyOf(111), '"2"');
    await world.turnAfter(quarter);
    for (let turn = 7; turn < 12; turn += 1) await world.turnAfter(quarter);
    const hour = hourOf(worldAt);
    const times = { feed: "steam", items: 3 };
    expect(world.frames()).to.deep.equal([
      { ...times, hour, by: "body", ingested: worldAt, checked: worldAt },
      { ...times, hour: hour + 1, by: "not_modified", ingested: worldAt, checked: worldAt + hourMs },
      { ...times, hour: hour + 2, by: "not_modified", ingested: worldAt + 6 * quarter, checked: worldAt + 2 * hourMs },
    ]);
    const [item] = Object.keys(world.published().asks).map(Number);
    const asks = [0, 1, 2].map((hours) => world.file.asksAt(worldAt + hours * hourMs, item!));
    expect(asks).to.deep.equal([[100], [100], [111]]);
  });

  it("polls unconditionally after a start, and conditionally afterwards", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.restart(world.feed());
    await world.mirror.turn();
    await world.turnAfter(hourMs);
    world.restart(world.feed());
    await world.turnAfter(hourMs);
    expect(world.server.heads.map((head) => head.includes('if-none-match: "1"'))).to.deep.equal([false, true, false]);
    expect(world.published().generation, "a restart publishes nothing that is published").to.equal(1);
    expect(world.frames()).to.have.length(3);
  });

  it("uses the date of a source without an ETag", async () => {
    const date = new Date(worldAt).toUTCString();
    world.server.behave = answer(200, bodyOf(100), { "Last-Modified": date });
    world.restart(world.feed());
    await world.mirror.turn();
    await world.turnAfter(hourMs);
    expect(world.server.heads[1]).to.include(`if-modified-since: ${date.toLowerCase()}\r\n`);
  });

  it("verifies identical bytes unchecked, and publishes newer ones without recording", async () => {
    world.server.behave = answer(200, bodyOf(100));
    world.restart(world.feed({ intervalMs: quarter }));
    await world.mirror.turn();
    events();
    await world.turnAfter(quarter);
    expect(events()).to.deep.equal(["feedUnchanged"]);
    expect(world.checkedAt()).to.equal(worldAt + quarter);
    world.server.behave = answer(200, bodyOf(111));
    await world.turnAfter(quarter);
    expect(events()).to.deep.equal(["feedVerified", "generationPublished"]);
  });

  it("accepts compressed bodies and redirects within the source's own origin", async () => {
    const moved = gzipSync(bodyOf(100));
    world.server.behave = (socket, head, server) => {
      const behave = head.startsWith("get /feed.json ")
        ? answer(302, "", { Location: "/moved/feed.json" })
        : answer(200, moved, { "Content-Encoding": "gzip" });
      behave(socket, head, server);
    };
    world.restart(world.feed());
    await world.mirror.turn();
    expect(Object.values(world.published().asks)).to.deep.equal([100, 200, 300]);
  });

  it("publishes changes together when the last publication is old enough", async () => {
    world.server.behave = (socket, head, server) => {
      const body = head.startsWith("get /hall ")
        ? canonicalBody("hall", "hall", { "Item 3": 400 + server.heads.length })
        : bodyOf(100 + server.heads.length);
      answer(200, body)(socket, head, server);
    };
    const hall = { kind: "http" as const, url: world.server.url.replace("feed.json", "hall") };
    world.restart(
      world.feed({ intervalMs: minuteMs }),
      world.feed({ feed: "hall", adapter: "canonical", source: hall, intervalMs: minuteMs }),
    );
    await world.mirror.turn();
    expect(world.published().generation, "the first goes out at once, both feeds in it").to.equal(1);
    expect(Object.values(world.published().asks)).to.have.length(4);
    world.take();
    for (let minutes = 1; minutes < 5; minutes += 1) {
      await world.turnAfter(minuteMs);
      expect(world.published().generation, `after ${minutes} minutes`).to.equal(1);
    }
    expect(world.take("publicationPostponed").map(({ facts }) => facts)).to.deep.equal([
      { feeds: "steam, hall", wait_ms: 4 * minuteMs },
    ]);
    await world.turnAfter(minuteMs);
    expect(world.published().generation).to.equal(2);
    expect(world.take("generationPublished")[0]!.facts).to.include({
      feeds: "steam, hall",
      generation: "g2",
      items: 4,
    });
    const state = publishedState(world.path);
    expect(state.actual).to.equal(state.recorded);
  });

  it("writes only the check while an import runs, and the rest afterwards", async () => {
    world.server.behave = answer(200, bodyOf(100));
    world.restart(world.feed());
    await world.mirror.turn();
    const lock = holdLock(world.path, "import");
    await world.turnAfter(hourMs);
    expect(world.checkedAt()).to.equal(worldAt + hourMs);
    expect(world.frames()).to.have.length(1);
    expect(world.mirror.isBehind).to.equal(true);
    expect(world.take("mirrorWaiting")).to.have.length(1);
    world.server.behave = answer(200, bodyOf(111));
    await world.turnAfter(hourMs);
    await world.turnAfter(5 * secondMs);
    expect(world.published().generation).to.equal(1);
    expect(world.take("mirrorWaiting"), "told once").to.have.length(0);
    lock.release();
    world.advance(5 * secondMs);
    await world.mirror.write();
    expect(Object.values(world.published().asks)).to.deep.equal([111, 200, 300]);
    expect(world.frames().map(({ checked }) => checked - worldAt)).to.deep.equal([0, hourMs, 2 * hourMs]);
    expect(world.mirror.isBehind).to.equal(false);
  });

  it("reports after one poll whether everything received could be written", async () => {
    world.server.behave = answer(200, bodyOf(100));
    const lock = holdLock(world.path, "import");
    expect(await world.restart(world.feed()).once(0)).to.equal(false);
    lock.release();
    expect(await world.restart(world.feed()).once(0)).to.equal(true);
    expect(Object.values(world.published().asks)).to.deep.equal([100, 200, 300]);
  });

  it("writes the log back at each turn although other connections are open", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    const other = new SqliteDatabase(world.path);
    world.restart(world.feed({ intervalMs: quarter }));
    const behind = () => {
      const [counts] = other.pragma("wal_checkpoint(NOOP)") as { log: number; checkpointed: number }[];
      return counts!.log - counts!.checkpointed;
    };
    try {
      for (const at of [0, quarter, 2 * quarter]) {
        await world.turnAfter(at === 0 ? 0 : quarter);
        expect(world.checkedAt()).to.equal(worldAt + at);
        expect(behind()).to.equal(0);
      }
    } finally {
      other.close();
    }
  });

  it("replaces an import's publication at the source's next verification", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.restart(world.feed());
    await world.mirror.turn();
    world.file.now = worldAt + minuteMs;
    await world.file.import(world.file.body(bodyOf(999)), { adapter: "steam" });
    await world.turnAfter(hourMs);
    expect(Object.values(world.published().asks)).to.deep.equal([100, 200, 300]);
  });

  it("finalizes past days at the start and on each new day", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.restart(world.feed());
    await world.mirror.turn();
    for (let hours = 0; hours < 11; hours += 1) await world.turnAfter(hourMs);
    expect(world.take("daysFinalized")).to.deep.equal([]);
    await world.turnAfter(hourMs);
    expect(world.take("daysFinalized")[0]!.facts).to.deep.equal({
      days: 1,
      rows: 3,
      index_levels: 0,
      corrected_levels: 0,
    });
    const rows = world.file.all<{ observations: number }>("SELECT observations FROM daily_prices");
    expect(rows.map(({ observations }) => observations)).to.deep.equal([12, 12, 12]);
    for (let hours = 0; hours < 22; hours += 1) await world.turnAfter(hourMs);
    world.restart(world.feed());
    await world.turnAfter(3 * hourMs);
    expect(world.take("daysFinalized")[0]!.facts).to.deep.equal({
      days: 1,
      rows: 3,
      index_levels: 0,
      corrected_levels: 0,
    });
  });

  it("moves daily rows into item order when their month is past", async () => {
    const count = (table: string) => world.file.all<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)[0]!.rows;
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.restart(world.feed());
    await world.mirror.turn();
    await world.turnAfter(dayMs);
    expect([count("daily_by_day"), count("daily_by_item")]).to.deep.equal([3, 0]);
    await world.turnAfter(61 * dayMs);
    while (world.mirror.isBehind) await world.mirror.write();
    expect([count("daily_by_day"), count("recent_days")]).to.deep.equal([0, 0]);
    // The rows of both days: the second day was finalized when its month was past.
    expect([count("daily_by_item"), count("daily_prices")]).to.deep.equal([6, 6]);
  });

  it("reports a failed write, keeps the data and retries", async () => {
    world.server.behave = answer(200, bodyOf(100));
    world.restart(world.feed());
    renameSync(world.path, `${world.path}.away`);
    await world.mirror.turn();
    expect(world.take("mirrorFailed")[0]!.facts).to.have.property("retry_ms", 5 * secondMs);
    renameSync(`${world.path}.away`, world.path);
    world.advance(5 * secondMs);
    await world.mirror.write();
    expect(Object.values(world.published().asks)).to.deep.equal([100, 200, 300]);
    expect(world.server.heads).to.have.length(1);
  });
});

describe("mirror of a file", () => {
  let world: MirrorWorld;
  let path: string;
  beforeEach(() => {
    world = new MirrorWorld();
    path = join(world.file.folder, "latest.json.gz");
    world.restart(world.feed({ source: { kind: "file", path } }));
  });
  afterEach(() => world.stop());

  const put = (body: string, secondsAgo = 60) => {
    writeFileSync(`${path}.new`, gzipSync(body));
    utimesSync(`${path}.new`, world.at / 1000 - secondsAgo, world.at / 1000 - secondsAgo);
    renameSync(`${path}.new`, path);
  };

  it("verifies an untouched file without reading it, and reads a new one", async () => {
    put(bodyOf(100));
    await world.mirror.turn();
    await world.turnAfter(hourMs);
    expect(world.take("feedUnchanged").map(({ facts }) => facts.verified_by)).to.deep.equal(["not_modified"]);
    put(bodyOf(111));
    await world.turnAfter(hourMs);
    expect(Object.values(world.published().asks)).to.deep.equal([111, 200, 300]);
  });

  it("rereads a recently written file, since its time may hide a change", async () => {
    put(bodyOf(100), 1);
    await world.mirror.turn();
    await world.turnAfter(hourMs);
    expect(world.take("feedUnchanged").map(({ facts }) => facts.verified_by)).to.deep.equal(["body"]);
  });

  it("fails without changes for a missing, oversized or non-gzip file or folder", async () => {
    put(bodyOf(100));
    await world.mirror.turn();
    const digest = world.digest();
    const cases: [source: string, description: string][] = [
      [join(world.file.folder, "nothing.json"), "the file does not exist"],
      [world.file.folder, "it is not a file"],
      [world.file.body(Buffer.alloc(1024 * 1024 + 1, " ")), "the body is larger than 1048576 bytes"],
      [world.file.body(Buffer.from([0x1f, 0x8b, 0, 0])), "broken gzip (Z_DATA_ERROR)"],
      [world.file.body(""), "the body is empty"],
    ];
    for (const [source, description] of cases) {
      world.take();
      world.restart(
        world.feed({
          source: { kind: "file", path: source },
          limits: { ...world.feed().limits, bytesMax: 1024 * 1024 },
        }),
      );
      await world.turnAfter(hourMs);
      expect(world.take("feedFailed")[0]?.facts.reason, source).to.equal(description);
      expect(world.digest()).to.equal(digest);
    }
  });
});
