import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { componentsOf, listedValues } from "../../scripts/contract/document.ts";
import { roiFlags, valuationModeDefault, valuationModes } from "../../src/roi/calculation.ts";

describe("ROI model names", () => {
  const { RoiFlag, ValuationMode } = componentsOf(document, "schemas");

  it("equal the contract's modes and flags, in order", () => {
    expect([...roiFlags]).to.deep.equal(listedValues(RoiFlag));
    expect([...valuationModes]).to.deep.equal(listedValues(ValuationMode));
    expect(valuationModeDefault).to.equal("steam_gross");
  });
});
