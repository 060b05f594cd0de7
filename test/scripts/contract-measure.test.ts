import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { Chance } from "../../scripts/contract/measure/chance.ts";
import { breakingSides, idleKinds } from "../../scripts/contract/measure/expected.ts";
import { changeKinds, measureChange } from "../../scripts/contract/measure/measure.ts";
import { bySize, itLong } from "../support/size.ts";
import { seedDocument } from "./contract-diff-document.ts";

/** Kinds that the small document has no place for, at most. */
const unplayedMax = bySize({ short: 28, long: 8 });

describe("contract:measure", () => {
  it("names only kinds that exist as breaking or idle", () => {
    expect(changeKinds).to.include.members([...Object.keys(breakingSides), ...idleKinds]);
  });

  itLong("measures no missed or false finding for each kind of change", () => {
    const base = bySize({ short: seedDocument(), long: document });
    const unplayed: string[] = [];
    for (const kind of changeKinds) {
      const measured = measureChange(base, [kind], new Chance(7));
      if (measured === null) unplayed.push(kind);
      else expect([measured.missed, measured.wrong], kind).to.deep.equal([[], []]);
    }
    expect(unplayed.length, unplayed.join(", ")).to.be.at.most(unplayedMax);
  });
});
