import { expect } from "chai";
import fc from "fast-check";
import { OddsError, type OddsPhase, type OddsTier, poolOdds } from "../../src/roi/odds.ts";
import { goldenDenominator, goldenOutcomes, goldenTiers } from "./golden.ts";
import { definitions, eachPhase } from "./pools.ts";

describe("odds of a pool", () => {
  it("equal the golden vectors", () => {
    const { denominator, outcomes } = poolOdds(goldenTiers);
    expect(denominator).to.equal(goldenDenominator);
    const inGoldenOrder = [...outcomes].sort((a, b) => a.itemId - b.itemId);
    expect(inGoldenOrder.map(({ tier, numerator }) => ({ tier, numerator }))).to.have.deep.members(
      goldenOutcomes.map(({ tier, numerator }) => ({ tier, numerator })),
    );
  });

  it("keep the given order, by wear, plain before counter variant", () => {
    const ids = poolOdds(goldenTiers).outcomes.map(({ itemId }) => itemId);
    expect(ids).to.deep.equal([1, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 14, 17, 15, 18, 19]);
  });

  it("are shared among the present tiers", () => {
    const { denominator, outcomes } = poolOdds([one("mil_spec", 625, 1), one("covert", 5, 2)]);
    expect(denominator).to.equal(126n);
    expect(outcomes.map(({ numerator }) => numerator)).to.deep.equal([125n, 1n]);
  });

  it("are 0 for an impossible outcome, which needs no item", () => {
    const impossible: OddsTier = {
      tier: "a",
      weight: 1,
      slots: [
        {
          weight: 1,
          phases: [
            phase({ weight: 0, counterChance: [0, 1], wears: [wear(1_000_000, 1, 2)] }),
            phase({ wears: [wear(0, 3, 4), wear(0, null, null), wear(1_000_000, 5, 6)] }),
          ],
        },
      ],
    };
    const { denominator, outcomes } = poolOdds([impossible]);
    expect(denominator).to.equal(10n);
    expect(outcomes.map(({ itemId, numerator }) => [itemId, numerator])).to.deep.equal([
      [1, 0n],
      [2, 0n],
      [3, 0n],
      [4, 0n],
      [5, 9n],
      [6, 1n],
    ]);
  });

  it("sum to one over their least common denominator", () => {
    fc.assert(
      fc.property(definitions, (tiers) => {
        const { denominator, outcomes } = poolOdds(tiers);
        expect(outcomes.reduce((mass, { numerator }) => mass + numerator, 0n)).to.equal(denominator);
        for (const prime of [2n, 3n, 5n, 7n, 11n].filter((factor) => denominator % factor === 0n))
          expect(outcomes.every(({ numerator }) => numerator % prime === 0n)).to.equal(false);
      }),
      { numRuns: 200 },
    );
  });

  it("ignore the order of tiers and a common factor of weights", () => {
    const byItem = (tiers: readonly OddsTier[]) => {
      const { denominator, outcomes } = poolOdds(tiers);
      return { denominator, chances: new Map(outcomes.map(({ itemId, numerator }) => [itemId, numerator])) };
    };
    fc.assert(
      fc.property(definitions, (tiers) => {
        const doubled = tiers.map((tier) => ({ ...tier, weight: tier.weight * 2 }));
        const phases = eachPhase(tiers, (part) => ({ ...part, weight: part.weight * 2 }));
        for (const same of [[...tiers].reverse(), doubled, phases]) expect(byItem(same)).to.deep.equal(byItem(tiers));
      }),
      { numRuns: 100 },
    );
  });

  it("are halved for each copy of an evenly split tier", () => {
    fc.assert(
      fc.property(definitions, (tiers) => {
        const [own, ...others] = tiers;
        const copy = { ...eachPhase([own!], renumbered)[0]!, tier: "other" };
        const rest = others.map((tier) => ({ ...tier, weight: tier.weight * 2 }));
        const [whole, cut] = [poolOdds(tiers), poolOdds([own!, copy, ...rest])];
        for (const { itemId, numerator } of whole.outcomes) {
          const both = cut.outcomes.filter((row) => row.itemId === itemId || row.itemId === itemId + 1000);
          const sum = both.reduce((mass, row) => mass + row.numerator, 0n);
          expect(sum * whole.denominator).to.equal(numerator * cut.denominator);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("invalid odds", () => {
  const refused: readonly [title: string, tiers: readonly OddsTier[], message: string][] = [
    ["no tier", [], "the pool has no tier"],
    ["an empty tier", [one("a", 1, 1), { tier: "b", weight: 1, slots: [] }], 'tier "b" is empty'],
    ["a duplicate tier", [one("a", 1, 1), one("a", 1, 2)], 'tier "a" is listed twice'],
    ["a tier of weight 0", [one("a", 0, 1)], 'tier "a": the weight 0 must be a positive whole number'],
    ["a tier of weight -1", [one("a", -1, 1)], 'tier "a": the weight -1 must be a positive whole number'],
    ["half a weight", [one("a", 0.5, 1)], 'tier "a": the weight 0.5 must be a positive whole number'],
    [
      "an item of weight 0",
      [slots({ weight: 0 })],
      'tier "a", slot 1 (item 7): the weight 0 must be a positive whole number',
    ],
    ["a slot without phases", [slots({ phases: [] })], 'tier "a", slot 1: no phase has a chance'],
    ["no phase with a chance", [phases({ weight: 0 })], 'tier "a", slot 1 (item 7): no phase has a chance'],
    [
      "half a phase",
      [phases({ weight: 0.5 })],
      "slot 1 (item 7): the weight of a phase must be a whole number, 0 or more",
    ],
    ["wears under a million", [wears(wear(999_999, 7, 8))], "the chances of its wears sum to 999999 ppm, not 1000000"],
    [
      "wears over a million",
      [wears(wear(600_000, 7, 8), wear(400_001, 9, 10))],
      "(item 7): the chances of its wears sum to 1000001",
    ],
    [
      "a negative wear",
      [wears(wear(-1, 7, 8), wear(1_000_001, 9, 10))],
      "(item 7): the chance of a wear must be a whole number",
    ],
    ["no wears", [wears()], 'tier "a", slot 1: the chances of its wears sum to 0 ppm'],
    [
      "a chance over 1",
      [phases({ counterChance: [11, 10] })],
      "(item 7): the counter chance 11/10 must be a fraction between 0 and 1",
    ],
    ["a chance of 0/0", [phases({ counterChance: [0, 0] })], "(item 7): the counter chance 0/0 must be"],
    ["no counter variant", [wears(wear(1_000_000, 7, null))], "item 7 has no counter variant, which has a chance"],
    ["no plain variant", [wears(wear(1_000_000, null, 8))], 'tier "a", slot 1 (item 8): item 8 has no plain variant'],
    ["an item twice", [one("a", 1, 7), one("b", 1, 7)], 'item 7 is listed twice in tiers "a" and "b"'],
    ["an item twice in a tier", [wears(wear(1_000_000, 7, 7))], 'item 7 is listed twice in tier "a"'],
    ["an item twice, once impossible", [wears(wear(1_000_000, 7, 8), wear(0, 8, 9))], "item 8 is listed twice"],
  ];
  for (const [title, tiers, message] of refused)
    it(`are rejected and named: ${title}`, () => {
      expect(() => poolOdds(tiers)).to.throw(OddsError, message);
    });
});

function wear(ppm: number, plainItemId: number | null, counterItemId: number | null) {
  return { ppm, plainItemId, counterItemId };
}

function phase(part: Partial<OddsPhase>): OddsPhase {
  return { weight: 1, counterChance: [1, 10], wears: [wear(1_000_000, 7, 8)], ...part };
}

function slots(part: Partial<OddsTier["slots"][number]>): OddsTier {
  return { tier: "a", weight: 1, slots: [{ weight: 1, phases: [phase({})], ...part }] };
}

function phases(part: Partial<OddsPhase>): OddsTier {
  return slots({ phases: [phase(part)] });
}

function wears(...rows: OddsPhase["wears"]): OddsTier {
  return phases({ wears: rows });
}

/** A tier of one item that is never counted. */
function one(tier: string, weight: number, itemId: number): OddsTier {
  const plain = phase({ counterChance: [0, 1], wears: [wear(1_000_000, itemId, null)] });
  return { tier, weight, slots: [{ weight: 1, phases: [plain] }] };
}

function renumbered(part: OddsPhase): OddsPhase {
  const moved = (itemId: number | null) => (itemId === null ? null : itemId + 1000);
  const rows = part.wears.map((row) => wear(row.ppm, moved(row.plainItemId), moved(row.counterItemId)));
  return { ...part, wears: rows };
}
