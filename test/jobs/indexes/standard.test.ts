import { expect } from "chai";
import { defineStandardIndexesInBatches } from "../../../src/jobs/indexes/standard.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { asksOf, IndexWorld, instantOf } from "./index-world.ts";

describe("standard indexes", () => {
  const world = new IndexWorld(14);
  after(() => world.remove());

  it("have a level on a provider's second completed day, over most-offered items", () => {
    world.rows(
      "UPDATE items SET type = iif(item_id <= 7, 'Container', iif(item_id <= 13, 'Knife', 'Agent')) RETURNING 1",
    );
    const quoted = Array.from({ length: 14 }, (_, at) => ({
      provider: "skinport",
      amount: 100 + at,
      quantity: at < 7 ? at : null,
    }));
    const both = ({ amount, quantity }: { amount: number; quantity: number | null }) =>
      ["skinport", "steam"].map((provider) => ({ provider, amount, quantity }));
    world.at = instantOf("2026-03-01") + 1;
    world.file.publish(1, world.at, Object.fromEntries(quoted.map((ask, at) => [at + 1, { asks: both(ask) }])));
    const define = (provider = "skinport") =>
      runAtOnce(defineStandardIndexesInBatches(world.writer, provider, { clock: world.clock }));
    const made = define().map(({ indexId, outcome, members }) => [indexId, outcome, members]);
    expect(made, "too few agents").to.deep.equal([
      ["cases-skinport", "created", 7],
      ["knives-skinport", "created", 6],
    ]);
    expect(define(), "they stay as they are").to.deep.equal([]);
    expect(world.rows("SELECT description FROM indexes ORDER BY index_id")).to.deep.equal(
      [
        "The 7 cases with the most offers at SKINPORT on the first day",
        "The first 6 knives of the catalog that SKINPORT priced on the first day",
      ].map((chosen) => ({ description: `${chosen}, equally weighted.` })),
    );
    define("steam");
    expect(
      (world.rows("SELECT name FROM indexes ORDER BY index_id") as { name: string }[]).map(({ name }) => name),
    ).to.deep.equal(["Cases", "Cases, STEAM", "Knives", "Knives, STEAM"]);
    for (const [date, price] of [
      ["2026-03-01", 100],
      ["2026-03-02", 110],
    ] as const)
      for (const [, itemId, amount] of asksOf(date, ...Array<number>(13).fill(price)))
        world.price(date, itemId, { amount, from: "skinport" });
    world.calculate("2026-03-02");
    expect(world.levels("cases-skinport")).to.deep.equal(["03-01 1000.0000"]);
    world.calculate("2026-03-03");
    for (const id of ["cases", "knives"])
      expect(world.levels(`${id}-skinport`)).to.deep.equal(["03-01 1000.0000", "03-02 1100.0000"]);
  });
});
