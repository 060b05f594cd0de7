import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { at as below } from "../../scripts/contract/diff/schema-path.ts";
import { lowestAsk } from "../../src/roi/asks.ts";
import { roiFlags, valuationModeDefault, valuationModes } from "../../src/roi/calculation.ts";

describe("The names of the ROI model", () => {
  const enumOf = (schema: string) => below(document, ["components", "schemas", schema, "enum"]);

  it("the modes and flags are those of the contract, in its order", () => {
    expect([...roiFlags]).to.deep.equal(enumOf("RoiFlag"));
    expect([...valuationModes]).to.deep.equal(enumOf("ValuationMode"));
    expect(valuationModeDefault).to.equal("steam_gross");
  });
});

describe("The lowest ask", () => {
  const offer = (provider: string, amount: number) => ({ provider, amount });
  const known = new Set(["alder", "birch", "cedar"]);

  it("the lowest ask is that of the cheapest known provider, in whatever order they come", () => {
    const offers = [offer("cedar", 5), offer("birch", 3), offer("alder", 4), offer("stranger", 1)];
    for (const asks of [offers, offers.toReversed()]) expect(lowestAsk(asks, known)).to.deep.equal(offer("birch", 3));
    expect(lowestAsk([offer("stranger", 1)], known)).to.equal(null);
  });

  it("of equal asks the provider whose slug comes first has the lowest, in whatever order they come", () => {
    const offers = [offer("birch", 3), offer("alder", 3), offer("cedar", 3)];
    for (const asks of [offers, offers.toReversed()]) expect(lowestAsk(asks, known)).to.deep.equal(offer("alder", 3));
  });
});
