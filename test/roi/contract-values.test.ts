import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { componentsOf, listedValues } from "../../scripts/contract/document.ts";
import { roiFlags, valuationModeDefault, valuationModes } from "../../src/roi/calculation.ts";

describe("The names of the ROI model", () => {
  const { RoiFlag, ValuationMode } = componentsOf(document, "schemas");

  it("the modes and flags are those of the contract, in its order", () => {
    expect([...roiFlags]).to.deep.equal(listedValues(RoiFlag));
    expect([...valuationModes]).to.deep.equal(listedValues(ValuationMode));
    expect(valuationModeDefault).to.equal("steam_gross");
  });
});
