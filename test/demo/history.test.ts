import { expect } from "chai";
import { decodeSegment } from "../../src/store/codec/frame-segment.ts";
import { type Database, openReader } from "../../src/store/database.ts";
import { privateCopy } from "../../src/store/file/file.ts";
import { demoFile } from "../support/kept-files.ts";
import { itLong } from "../support/size.ts";

describe("history of the demo world", () => {
  it("has the tables, indexes and triggers of an empty file", function () {
    this.timeout(60_000);
    const schemaOf = ({ $client: client }: Database) => {
      const schema = client.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();
      client.close();
      return schema;
    };
    expect(schemaOf(openReader(demoFile().path))).to.deep.equal(schemaOf(privateCopy()));
  });

  it("has frames checked after their observations, with known coverage", function () {
    this.timeout(60_000);
    const { $client: client } = openReader(demoFile().path);
    const frames = client.prepare("SELECT hour, feed, checked_at AS checkedAt, providers FROM frames").all();
    const checks = new Map(
      (frames as { hour: number; feed: string; checkedAt: number; providers: string }[]).map((frame) => {
        expect(JSON.parse(frame.providers)).to.have.length.above(0);
        return [`${frame.hour} ${frame.feed}`, frame.checkedAt];
      }),
    );
    const segments = client.prepare("SELECT day, feed, changes FROM frame_segments").all();
    let observed = 0;
    const late: object[] = [];
    for (const { day, feed, changes } of segments as { day: number; feed: string; changes: Buffer }[]) {
      for (const { hour, state } of decodeSegment(changes)) {
        const checkedAt = checks.get(`${day * 24 + hour} ${feed}`)!;
        for (const { observedAt } of state ?? []) {
          if (observedAt !== null) observed += 1;
          if (observedAt !== null && observedAt > checkedAt) late.push({ day, hour, feed, observedAt, checkedAt });
        }
      }
    }
    client.close();
    expect(observed).to.be.above(1000);
    expect(late).to.deep.equal([]);
  });

  itLong("has no buy order above the lowest offer in earlier hours", function () {
    this.timeout(60_000);
    const { $client: client } = openReader(demoFile().path);
    const segments = client.prepare(
      "SELECT item_id AS itemId, day, feed, changes FROM frame_segments ORDER BY item_id, day",
    );
    const frames = client.prepare("SELECT hour / 24 AS day, feed, hour FROM frames").all() as {
      day: number;
      feed: string;
      hour: number;
    }[];
    const hoursOf = new Map<string, number[]>();
    for (const { day, feed, hour } of frames)
      hoursOf.set(`${day} ${feed}`, [...(hoursOf.get(`${day} ${feed}`) ?? []), hour]);
    const lastHour = Math.max(...frames.map(({ hour }) => hour));
    /** Lowest ask and highest bid by item and hour. */
    const books = new Map<string, { ask: number; bid: number }>();
    for (const row of segments.iterate()) {
      const { itemId, day, feed, changes } = row as { itemId: number; day: number; feed: string; changes: Buffer };
      const left = decodeSegment(changes);
      let state = left[0]!.state;
      for (const hour of hoursOf.get(`${day} ${feed}`)!) {
        if (left[0]?.hour === hour % 24) state = left.shift()!.state;
        const book = books.get(`${itemId} ${hour}`) ?? { ask: Number.POSITIVE_INFINITY, bid: 0 };
        for (const { side, amount } of state ?? [])
          if (side === "ask") book.ask = Math.min(book.ask, amount);
          else book.bid = Math.max(book.bid, amount);
        books.set(`${itemId} ${hour}`, book);
      }
    }
    client.close();
    const early = [...books].filter(([key, { bid }]) => bid > 0 && Number(key.split(" ")[1]) <= lastHour - 3);
    const crossed = early.filter(([, { ask, bid }]) => bid > ask);
    expect(early).to.have.length.above(50_000);
    expect(crossed).to.have.length(0);
  });
});
