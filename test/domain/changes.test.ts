import { expect } from "chai";
import { changesRing } from "./changes-ring.ts";

const seed = Number(process.env.ITEMTAPE_FUZZ_SEED ?? 20_260_115);

describe("changes between random states of a market", () => {
  it(`folded over what an export held, they give what an export holds now (seed ${seed})`, () => {
    const { faults, pairs, tooLarge } = changesRing({ pairs: 600, pairsPerStep: 20, seed });
    expect(faults).to.deep.equal([]);
    expect(pairs).to.equal(600);
    expect(tooLarge).to.be.within(1, 400);
  }).timeout(60_000);
});
