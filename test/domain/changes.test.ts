import { expect } from "chai";
import { bySize } from "../support/size.ts";
import { changesRing } from "./changes-ring.ts";

const seed = Number(process.env.FUZZ_SEED ?? 20_260_115);

const pairs = bySize({ short: 200, long: 600 });

describe("changes between random states of a market", () => {
  it(`turn an earlier export into the current one (seed ${seed})`, () => {
    const { faults, pairs: folded, tooLarge } = changesRing({ pairs, pairsPerStep: 20, seed });
    expect(faults).to.deep.equal([]);
    expect(folded).to.equal(pairs);
    expect(tooLarge).to.be.within(1, (pairs * 2) / 3);
  }).timeout(60_000);
});
