import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../support/files.ts";
import {
  type Body,
  byOne,
  leavesOf,
  openableBody,
  outcomesBody,
  runRecompute,
  slug,
  spoil,
} from "./recompute-answers.ts";

describe("numbers recomputed from saved responses", () => {
  const folder = temporaryFolder();
  const file = (name: string, body: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof body === "string" ? body : JSON.stringify(body));
    return path;
  };
  const run = (openable: unknown, outcomes: unknown, ...more: string[]) => {
    const names = ["--current", file("current.json", openable), "--outcomes", file("outcomes.json", outcomes)];
    return runRecompute([slug, ...names, ...more]);
  };
  /** The differing fields, or a refusal as the only line. */
  const fields = async (openable: Body, outcomes: Body): Promise<string[]> => {
    const { code, lines, notes } = await run(openable, outcomes, "--json");
    if (notes.length > 0) return notes;
    const { result, differences } = JSON.parse(lines[0]!);
    expect([code, result]).to.deep.equal(differences.length === 0 ? [0, "identical"] : [65, "different"]);
    return differences.map(({ field }: { field: string }) => field);
  };

  it("equal the golden vector, printed as published", async () => {
    const { code, lines, notes } = await run(openableBody(), outcomesBody());
    expect({ code, notes }).to.deep.equal({ code: 0, notes: [] });
    expect(lines).to.deep.equal([
      "golden-case, steam_gross, roi-1, revision 3 of the pool",
      "  calculated  2026-01-15T11:50:00.000Z, prices as of 2026-01-15T11:10:00.000Z",
      "  cost        294 cents: container 45 from steam, key 249",
      "  value       110, at least 106, at most 118",
      "  profit      -184",
      "  return      37.41 %, ROI -62.59 %",
      "  chance      4.0921 %, within 4.0204 to 4.0921 %",
      "  quantiles   p05 6, p25 8, p50 10, p75 25, p95 150, p99 900",
      "  coverage    99.9283 %, lowest tier 90.0000 %, 16 of 19 outcomes",
      "  confidence  medium",
      "  flags       unpriced_outcomes, phases_unpriced, upper_bound_assumed",
      "identical: the served numbers of 20 outcomes recompute to the same bytes",
    ]);
  });

  it("print `current` byte for byte with --json", async () => {
    const { code, lines } = await run(openableBody(), outcomesBody(), "--json");
    const expected = { slug, valuation_mode: "steam_gross", result: "identical", current: openableBody().data.current };
    expect([code, ...lines]).to.deep.equal([0, JSON.stringify({ ...expected, differences: [] })]);
  });

  it("do not depend on white space or page sizes", async () => {
    const pages = [file("1.json", outcomesBody(0, 7, "pag_1")), file("2.json", outcomesBody(7))];
    const current = file("pretty.json", JSON.stringify(openableBody(), null, 2));
    const { code } = await runRecompute([slug, "--current", current, "--outcomes", pages.join(",")]);
    expect(code).to.equal(0);
  });

  /** A changed input shows in the value derived from it. */
  const followers: Record<string, string> = {
    container_cost_cents: "cost_cents",
    key_cost_cents: "cost_cents",
    container_cost_as_of: "price_as_of",
  };
  it("name each value of `current` that is off by one", async () => {
    for (const path of leavesOf(openableBody().data.current)) {
      const name = path.filter((key) => typeof key === "string").join(".");
      // Nothing follows from the provider in the mode of the main platform, which has one only.
      if (name === "calculated_at" || name === "container_cost_provider") continue;
      const body = openableBody();
      spoil(body, ["data", "current", ...path], byOne);
      const found = await fields(body, outcomesBody());
      expect(found.join("\n"), name).to.include(followers[name] ?? name.split(".").at(-1)!);
      expect(found.length, name).to.be.lessThan(5);
    }
  });

  it("are stale if the calculation time makes them so", async () => {
    const body = openableBody();
    body.data.current.calculated_at = "2026-01-15T03:59:59.999Z";
    expect(await fields(body, outcomesBody())).to.deep.equal([
      "current.stale",
      "current.stale_reasons",
      "current.flags",
    ]);
    body.data.current.calculated_at = "2026-01-15T04:00:00.000Z";
    expect(await fields(body, outcomesBody())).to.deep.equal([]);
  });

  it("name each number of a tier that is off by one", async () => {
    for (const [index, { tier }] of openableBody().data.pool.tiers.entries()) {
      for (const name of ["weight", "probability_pct", "item_count", "priced_probability_mass_pct"]) {
        const body = openableBody();
        spoil(body, ["data", "pool", "tiers", index, name], (value) =>
          value === "100.0000" ? "99.9999" : byOne(value),
        );
        const field = name === "weight" ? "pool.tiers[*].weight" : `pool.tiers[${tier}].${name}`;
        expect(await fields(body, outcomesBody())).to.deep.equal([field]);
      }
    }
  });

  it("name each outcome's odds that are off by one", async () => {
    for (const [index, { item_id }] of outcomesBody().data.entries()) {
      for (const name of ["probability_numerator", "probability_denominator", "probability_pct"]) {
        const body = outcomesBody();
        spoil(body, ["data", index, name], byOne);
        const found = await fields(openableBody(), body);
        expect(found).to.include(
          `outcomes[item ${item_id}].${name === "probability_numerator" ? "probability_pct" : name}`,
        );
        if (name === "probability_numerator") expect(found[0]).to.equal("outcomes[*].probability_numerator (sum)");
      }
    }
  });

  it("reveal a value, high or status that the calculation did not use", async () => {
    for (const [index, { item_id, status }] of outcomesBody().data.entries()) {
      const spoilt = async (name: string, value: unknown) => {
        const body = outcomesBody();
        spoil(body, ["data", index, name], () => value);
        return fields(openableBody(), body);
      };
      for (const other of ["priced", "unpriced", "excluded"].filter((one) => one !== status)) {
        expect(await spoilt("status", other)).to.deep.equal([`outcomes[item ${item_id}].status`]);
      }
      if (status === "priced")
        expect(await spoilt("value_cents", 500_000_000)).to.include("current.expected_value_cents");
      if (status === "unpriced") {
        const found = await spoilt("recent_high_cents", 500_000_000);
        expect(found).to.include("current.expected_value_upper_cents");
        expect(await spoilt("above_ceiling_cents", 180_000)).to.include("current.confidence");
      } else {
        expect(await spoilt("above_ceiling_cents", 7)).to.include(`outcomes[item ${item_id}].above_ceiling_cents`);
        expect(await spoilt("recent_high_cents", 7)).to.include(`outcomes[item ${item_id}].recent_high_cents`);
      }
      if (status !== "priced") {
        const field = `outcomes[item ${item_id}].value_provider`;
        expect(await spoilt("value_provider", "steam")).to.deep.equal([field]);
      }
      expect(await spoilt("value_as_of", "2026-01-01T00:00:00.000Z")).to.not.deep.equal([]);
    }
  });

  it("name consistent numbers of another state of the container", async () => {
    const changes: [path: (string | number)[], value: unknown, field: string][] = [
      [["active"], false, "current.flags"],
      [["requires_key"], false, "current.key_cost_cents"],
      [["outcome_count"], 20, "outcome_count"],
      [["pool", "odds_source"], "inferred", "current.flags"],
      [["pool", "revision_number"], 4, "current.revision_number"],
    ];
    for (const [path, value, field] of changes) {
      const body = openableBody();
      spoil(body, ["data", ...path], () => value);
      expect(await fields(body, outcomesBody()), field).to.deep.equal([field]);
    }
  });

  it("report a reducible denominator and fields in another order", async () => {
    const outcomes = outcomesBody();
    for (const outcome of outcomes.data) {
      for (const name of ["probability_numerator", "probability_denominator"])
        outcome[name] = String(2 * outcome[name]);
    }
    expect(await fields(openableBody(), outcomes)).to.deep.equal(["outcomes[*].probability_denominator"]);
    const body = openableBody();
    body.data.current = Object.fromEntries(Object.entries(body.data.current).reverse());
    expect(await fields(body, outcomesBody())).to.deep.equal(["current (order)"]);
  });

  it("print each difference with both values", async () => {
    const body = openableBody();
    body.data.current.expected_value_cents = 107;
    body.data.current.quantiles.p99 = 901;
    const { code, lines } = await run(body, outcomesBody());
    expect(code).to.equal(65);
    expect(lines[3]).to.equal("  value       110, at least 106, at most 118");
    expect(lines.slice(-3)).to.deep.equal([
      "different in 2 fields",
      "  current.expected_value_cents: served 107, recomputed 110",
      "  current.quantiles.p99: served 901, recomputed 900",
    ]);
  });
});
