import { expect } from "chai";
import { HourlyHistory } from "../../../src/domain/hourly-history.ts";
import { Reference } from "../../../src/domain/reference.ts";
import { importCatalog } from "../../../src/import/catalog/catalog-import.ts";
import { openWriter } from "../../../src/store/database.ts";
import { CatalogStore } from "../../../src/store/read/catalog.ts";
import { FramesStore } from "../../../src/store/read/frames.ts";
import { MarketStateStore } from "../../../src/store/read/market-state.ts";
import { ProvidersStore } from "../../../src/store/read/providers.ts";
import { feedText } from "../../support/bodies.ts";
import { QuoteWorld, variantOf } from "./quote-world.ts";

const hourMs = 3_600_000;
const early = [
  {},
  { marketHashName: "Case Key", identityKey: "key:1" },
  { marketHashName: "Case Key", identityKey: "key:2" },
];

describe("hours before an item or a provider came", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld(early);
  });
  afterEach(() => world.destroy());

  it("an item that a feed priced before the catalog had it has no quote in those hours, one that it did not name is missing", async () => {
    await take([ask("hall", "Item 0", 5), ask("hall", "Huntsman  Knife", 777)]);
    world.now += hourMs;
    await take([ask("hall", "Item 0", 5)]);
    world.now += hourMs;
    addToCatalog("Huntsman Knife", "Never named");
    await take([ask("hall", "Item 0", 5), ask("hall", "Huntsman Knife", 778)]);
    expect(rowsOf(4)).to.deep.equal(["12 null no_quote", "13 null item_missing", "14 778 quoted"]);
    expect(rowsOf(4, "hall")).to.deep.equal(["12 null no_quote", "13 null item_missing", "14 778 quoted"]);
    expect(rowsOf(5)).to.deep.equal(["12 null item_missing", "13 null item_missing", "14 null item_missing"]);
  });

  it("every item of a name that several share has no quote where a feed has the name, also one that comes later", async () => {
    await take([ask("hall", "Item 0", 5), ask("hall", "Case Key", 1475)]);
    addToCatalog("Case Key");
    for (const itemId of [2, 3, 4]) expect(rowsOf(itemId)).to.deep.equal(["12 null no_quote"]);
  });

  it("hours before a feed covered a provider, and after it left, have no row and are missing points", async () => {
    const both = ["hall", "cellar"];
    await take([ask("hall", "Item 0", 5)]);
    world.now += hourMs;
    await take([ask("hall", "Item 0", 5), ask("cellar", "Item 0", 4)], both);
    world.now += hourMs;
    await take([ask("hall", "Item 0", 5)], both);
    world.now += hourMs;
    await take([ask("hall", "Item 0", 5)]);
    expect(rowsOf(1, "cellar")).to.deep.equal(["13 4 quoted", "14 null no_quote"]);
    expect(missingOf(1, "cellar")).to.match(/^14 of 16 hours absent: .*T12:00Z, .*T15:00Z$/);
    expect(missingOf(1, "hall")).to.match(/^12 of 16 hours absent/);
    expect(missingOf(1)).to.match(/^12 of 16 hours absent/);
  });

  function take(quotes: readonly object[], providers: readonly string[] = ["hall"]): Promise<unknown> {
    return world.import(world.body(feedText("hall", providers, quotes)), { adapter: "canonical" });
  }

  function addToCatalog(...names: string[]): void {
    const later = names.map((marketHashName, index) => ({ marketHashName, identityKey: `later:${index}` }));
    const database = openWriter(world.path, 0);
    importCatalog(database, [...early, ...later].map(variantOf), world.now);
    database.$client.close();
  }

  function read(itemId: number, provider?: string) {
    return world.read((database) => {
      const providers = new ProvidersStore(database);
      const reference = new Reference({ state: new MarketStateStore(database), providers });
      const stores = { catalog: new CatalogStore(database), frames: new FramesStore(database), providers };
      const hourly = new HourlyHistory({ ...stores, cursors: reference.cursors });
      const params = { item_id: itemId, from: "2026-09-01", to: "2026-09-01", ...(provider && { provider }) };
      return hourly.read(hourly.prepare(params, { at: world.now, reference }), world.now);
    });
  }

  function rowsOf(itemId: number, provider?: string): string[] {
    const { data } = read(itemId, provider);
    const rows = JSON.parse(data.json) as { ts: string; amount: number | null; availability: string }[];
    return rows.map(({ ts, amount, availability }) => `${ts.slice(11, 13)} ${amount} ${availability}`);
  }

  function missingOf(itemId: number, provider?: string): string {
    return read(itemId, provider).meta.missing_points;
  }
});

function ask(provider: string, market_hash_name: string, amount: number): object {
  return { provider, side: "ask", market_hash_name, amount };
}
