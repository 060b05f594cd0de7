import { expect } from "chai";
import { decodeSegment } from "../../src/store/codec/frame-segment.ts";
import { openReader } from "../../src/store/database.ts";
import { demoFile } from "../support/kept-files.ts";

describe("history of the demo world", () => {
  it("no frame of the demo world is checked before one of its quotes was observed, and each says what it covers", function () {
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
});
