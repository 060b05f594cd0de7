import { expect } from "chai";
import { reportJson, reportText } from "../../../src/import/quotes/report.ts";
import { OperatorError } from "../../../src/values/operator-error.ts";
import { QuoteWorld, worldAt } from "./quote-world.ts";

describe("what an import of quotes keeps of times", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld([{}]);
  });
  afterEach(() => world.destroy());

  const saved = (time: string, cents: number) =>
    world.body({ metadata: { updated_at: time, currency: "USD", item_count: 1 }, prices: { "Item 0": cents } });

  it("the frame of an import has the time of the publication, also where the file's quotes are published already", async () => {
    const body = saved("2026-09-01T10:00:00.000Z", 120);
    await world.import(body, { adapter: "steam" });
    world.now = worldAt + 3_600_000;
    expect(await world.import(body, { adapter: "steam" })).to.include({ outcome: "verified" });
    expect(world.all("SELECT ingested_at, checked_at FROM frames ORDER BY hour")).to.deep.equal([
      { ingested_at: worldAt, checked_at: worldAt },
      { ingested_at: worldAt, checked_at: world.now },
    ]);
  });

  it("a file that was refused has no frame", async () => {
    const unheard = world.body({
      metadata: { updated_at: "2026-09-01T11:00:00Z", currency: "USD" },
      prices: { Unheard: 5 },
    });
    const refused = await world.import(unheard, { adapter: "steam" }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(OperatorError);
    expect(world.all("SELECT * FROM frames")).to.deep.equal([]);
  });

  it("an import of quotes publishes a file that is older than the one before, and says so", async () => {
    const newer = await world.import(saved("2026-09-01T11:00:00.000Z", 1), { adapter: "steam" });
    expect(reportText(newer)).not.to.contain("older");
    world.now = worldAt + 60_000;
    const older = await world.import(saved("2026-09-01T10:00:00.000Z", 2), { adapter: "steam" });
    expect(older).to.include({ outcome: "published", olderThan: worldAt - 3_600_000 });
    expect(reportText(older)).to.contain(
      "  older    the file says that it was saved before the one before it (2026-09-01T11:00:00.000Z)",
    );
    expect(JSON.parse(reportJson(older))).to.include({ older_than: "2026-09-01T11:00:00.000Z" });
    expect(world.all("SELECT saved_at, changed_at FROM feeds")).to.deep.equal([
      { saved_at: worldAt - 7_200_000, changed_at: worldAt },
    ]);
  });
});
