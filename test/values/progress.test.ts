import { expect } from "chai";
import { progressOn } from "../../src/values/progress.ts";

describe("progress of a long command", () => {
  const run = (isTTY: boolean) => {
    const written: string[] = [];
    let nowMs = 0;
    const clock = { now: () => 0, monotonicMs: () => nowMs };
    const progress = progressOn({ isTTY, columns: 60, write: (text) => written.push(text) }, clock);
    progress.phase("reading");
    progress.phase("staging", 10);
    for (let step = 0; step < 10; step += 1) {
      nowMs += 30;
      progress.advance(1);
    }
    progress.end();
    return written;
  };

  it("shows its latest note beside the count", () => {
    const drawn: string[] = [];
    const stream = { isTTY: true, columns: 60, write: (text: string) => drawn.push(text.slice(5)) };
    const progress = progressOn(stream, { now: () => 0, monotonicMs: () => 0 });
    progress.phase("exporting", 2);
    progress.advance(2, "0.5 MB");
    progress.phase("again", 1);
    const full = "#".repeat(24);
    const none = "-".repeat(24);
    expect(drawn).to.deep.equal([`exporting [${none}] 0/2`, `exporting [${full}] 2/2, 0.5 MB`, `again [${none}] 0/1`]);
  });

  it("prints a plain line per phase without a terminal", () => {
    expect(run(false)).to.deep.equal(["reading\n", "staging: 10\n"]);
  });

  it("prints the count every ten seconds without a terminal", () => {
    const written: string[] = [];
    let nowMs = 0;
    const progress = progressOn({ write: (text) => written.push(text) }, { now: () => 0, monotonicMs: () => nowMs });
    progress.phase("replaying", 7);
    for (let step = 0; step < 7; step += 1) {
      nowMs += 4000;
      progress.advance(1, `${step + 1} frames`);
    }
    progress.phase("publishing");
    progress.advance(1);
    expect(written).to.deep.equal([
      "replaying: 7\n",
      "replaying: 3/7, 3 frames\n",
      "replaying: 6/7, 6 frames\n",
      "publishing\n",
    ]);
  });

  it("redraws one terminal line at most every 0.1 s, then erases it", () => {
    const drawn = run(true).map((text) => text.replace("\r\u001b[2K", ""));
    expect(drawn).to.deep.equal([
      "reading …",
      "staging [------------------------] 0/10",
      "staging [##########--------------] 4/10",
      "staging [###################-----] 8/10",
      "staging [########################] 10/10",
      "",
    ]);
  });
});
