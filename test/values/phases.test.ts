import { expect } from "chai";
import { phaseMeant, splitPhase } from "../../src/values/text/phase-names.ts";

const knife = "★ Karambit | Doppler";

describe("phases", () => {
  for (const [text, phase] of [
    ["Phase 2", "Phase 2"],
    ["phase2", "Phase 2"],
    ["P4", "Phase 4"],
    ["BlackPearl", "Black Pearl"],
    ["RUBY", "Ruby"],
    ["415", "Ruby"],
    ["1119", "Emerald"],
    ["619", "Sapphire"],
    ["282", null],
    ["Phase 5", null],
    ["ruby or sapphire", null],
    ["", null],
  ] as const) {
    it(`reads the text "${text}" as ${phase ?? "no phase"}`, () => {
      expect(phaseMeant(text)).to.equal(phase);
    });
  }

  for (const [written, phase] of [
    [`${knife} (Factory New) - Phase 2`, "Phase 2"],
    [`${knife} (Factory New) Phase2`, "Phase 2"],
    [`${knife} (Factory New) Black Pearl`, "Black Pearl"],
    [`${knife} (Factory New) (Ruby)`, "Ruby"],
    [`${knife} Phase 2 (Factory New)`, "Phase 2"],
    [`${knife} - Sapphire (Factory New)`, "Sapphire"],
    [`${knife} (Phase 1) (Factory New)`, "Phase 1"],
    [`${knife} (Factory New)`, null],
    [`${knife} (Factory New)Ruby`, null],
    [`${knife} (Factory New) Tier1`, null],
    [`${knife} (Factory New) Phase5`, null],
    [`${knife} Ruby (Factory New) Ruby`, null],
    [`${knife} (Factory New) Ruby (Factory New)`, null],
    ["Sticker | Ruby (Holo)", null],
    ["Sticker (Holo) Ruby", null],
  ] as const) {
    it(`finds ${phase ?? "no phase"} in the name "${written}"`, () => {
      expect(splitPhase(written)).to.deep.equal({ name: phase === null ? written : `${knife} (Factory New)`, phase });
    });
  }
});
