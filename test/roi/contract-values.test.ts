import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { at as below } from "../../scripts/contract/diff/schema-path.ts";
import { roiFlags, valuationModeDefault, valuationModes } from "../../src/roi/calculation.ts";

describe("The names of the ROI model", () => {
  const enumOf = (schema: string) => below(document, ["components", "schemas", schema, "enum"]);

  it("the modes and flags are those of the contract, in its order", () => {
    expect([...roiFlags]).to.deep.equal(enumOf("RoiFlag"));
    expect([...valuationModes]).to.deep.equal(enumOf("ValuationMode"));
    expect(valuationModeDefault).to.equal("steam_gross");
  });
});
