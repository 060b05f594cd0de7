import { expect } from "chai";
import fc from "fast-check";
import { comparableName, slugOf, wears, wearsWithin } from "../../src/values/text/item-names.ts";
import { anyText } from "../support/any-text.ts";
import { bySize } from "../support/size.ts";

describe("item names", () => {
  it("compare equal only for known spelling differences of sources", () => {
    expect(comparableName("Ground Rebel  | Elite Crew")).to.equal(comparableName("Ground Rebel | Elite Crew"));
    expect(comparableName("Legends (Holo/Foil)")).to.equal(comparableName("Legends (Holo-Foil)"));
    expect(comparableName("Pin\u0303atita")).to.equal(comparableName("Piñatita"));
    expect(comparableName("★ StatTrak Karambit")).to.equal("★ StatTrak™ Karambit");
    expect(comparableName("Won\u0092t go")).to.equal(comparableName("Wont go"));
    expect(comparableName("Sticker | Move It(Holo)")).to.not.equal(comparableName("Sticker | Move It (Holo)"));
    expect(comparableName("M4A4 | Emperor")).to.not.equal(comparableName("M4A4 | The Emperor"));
    expect(comparableName("ak-47 | Redline")).to.not.equal(comparableName("AK-47 | Redline"));
  });

  it("make a readable slug, also for symbols without letters", () => {
    expect(slugOf("★ StatTrak™ Karambit | Doppler (Factory New)", "Black Pearl")).to.equal(
      "stattrak-karambit-doppler-factory-new-black-pearl",
    );
    expect(slugOf("M4A4 | 龍王 (Dragon King) (Battle-Scarred)", null)).to.equal("m4a4-dragon-king-battle-scarred");
    expect(slugOf("Charm | Lil' Curse", null)).to.equal("charm-lil-curse");
    expect(slugOf("龍王", null)).to.equal("item");
  });

  it("always make a slug of the documented form", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (name) => /^[a-z0-9][a-z0-9-]{0,119}$/.test(slugOf(name, null))),
      { numRuns: bySize({ short: 25, long: 200 }) },
    );
  });

  it("cover at least one wear per range, and only adjacent wears", () => {
    const value = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        fc.pre(a < b);
        const found = wearsWithin({ min: a / 1000, max: b / 1000 }).map((wear) => wears.indexOf(wear));
        return found.length > 0 && found.every((index, at) => index === (found[0] as number) + at);
      }),
    );
  });
});
