import { expect } from "chai";
import { calculateRoi } from "../../src/jobs/roi/calculate.ts";
import { valuationModes } from "../../src/roi/calculation.ts";
import { RoiInputsStore } from "../../src/store/read/roi-inputs.ts";
import { hourMs } from "../../src/values/time/calendar.ts";
import { insertPool } from "../support/pools.ts";
import { casesBySize } from "../support/size.ts";
import { useWorld } from "../support/world.ts";
import { runRecompute } from "./recompute-answers.ts";

const slug = "recompute-case";
const tiers = ["common", "rare", "special"];

describe("numbers recomputed from the real server", () => {
  const world = useWorld();
  let secret: string;
  before(() => {
    ({ secret } = world.account("trader"));
    world.change((database) => {
      const reads = new RoiInputsStore(database);
      const modeProviders = reads.modeProviders();
      const asks = (itemId: number) => reads.asks(itemId, modeProviders);
      const ids = database.$client
        .prepare(
          "SELECT item_id FROM items WHERE item_id NOT IN (SELECT item_id FROM openables) ORDER BY phase IS NULL, item_id",
        )
        .pluck()
        .all() as number[];
      const container = ids.find((itemId) => asks(itemId).steam_gross !== null && asks(itemId).cash_ask !== null)!;
      // Outcomes with rising prices and falling chances, more than one page.
      const outcomes = ids
        .filter((itemId) => itemId !== container)
        .slice(0, 1100)
        .map((itemId, index) => ({ itemId, tier: tiers[index % 3]!, numerator: 1 + index * 7919 }))
        .sort((one, other) => one.tier.localeCompare(other.tier));
      const tierWeights: Record<string, number> = {};
      for (const { tier, numerator } of outcomes) tierWeights[tier] = (tierWeights[tier] ?? 0) + numerator;
      insertPool(database, { slug, itemId: container, outcomes, tierWeights, oddsSource: "inferred" });
      calculateRoi(database, { clock: world.clock, only: [slug] });
    });
  });

  const run = (name: string, mode: string) =>
    runRecompute([name, "--url", world.base, "--valuation-mode", mode, "--json"], { ITEMTAPE_API_KEY: secret });

  it("equal every published container byte for byte in both modes", async () => {
    const reported = new Map<string, number>();
    for (const mode of valuationModes) {
      const list = await world.client.call("listOpenables", {
        key: secret,
        query: { valuation_mode: mode, limit: 100 },
      });
      expect(list.json.data.map((entry: { slug: string }) => entry.slug)).to.include(slug);
      for (const { slug: name, current } of casesBySize<{ slug: string; current: unknown }>(list.json.data, 3)) {
        const { code, lines, notes } = await run(name, mode);
        expect(notes, name).to.deep.equal([]);
        expect(JSON.parse(lines[0]!).differences, `${name} ${mode}`).to.deep.equal([]);
        expect(JSON.parse(lines[0]!).current, `${name} ${mode}`).to.deep.equal(current);
        expect(code, `${name} ${mode}`).to.equal(current === null ? 66 : 0);
        reported.set(mode, (reported.get(mode) ?? 0) + Number(current !== null));
      }
    }
    for (const mode of valuationModes) expect(reported.get(mode), mode).to.be.greaterThan(0);
  });

  it("equal a stale calculation byte for byte", async () => {
    world.clock.advance(25 * hourMs);
    const { code, lines } = await run(slug, "steam_gross");
    expect(code).to.equal(0);
    expect(JSON.parse(lines[0]!).current.stale_reasons).to.include("calculation_age");
  });

  it("change with a ledger value that the calculation did not use", async () => {
    const [row] = world.sql("SELECT ledger FROM roi_calculations WHERE slug = ? AND valuation_mode = 'cash_ask'", slug);
    const ledger = JSON.parse(String(row!.ledger)) as ([number | null] | 0)[];
    for (const entry of ledger) if (entry !== 0 && entry[0] !== null) entry[0] += 100;
    world.sql(
      "UPDATE roi_calculations SET ledger = ? WHERE slug = ? AND valuation_mode = 'cash_ask'",
      JSON.stringify(ledger),
      slug,
    );
    const { code, lines } = await run(slug, "cash_ask");
    const fields = JSON.parse(lines[0]!).differences.map(({ field }: { field: string }) => field);
    expect([code, fields.slice(0, 1)]).to.deep.equal([65, ["current.expected_value_lower_cents"]]);
  });
});
