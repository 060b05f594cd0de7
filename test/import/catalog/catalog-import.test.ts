import { expect } from "chai";
import {
  importCatalog,
  importCatalogFile,
  importCatalogInBatches,
} from "../../../src/import/catalog/catalog-import.ts";
import { createFeedDerived } from "../../../src/import/catalog/feed-derived.ts";
import type { CatalogVariant } from "../../../src/import/catalog/variants.ts";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { type Database, openReader, openWriter } from "../../../src/store/database.ts";
import { backupDatabase } from "../../../src/store/file/backup.ts";
import { CatalogStore } from "../../../src/store/read/catalog.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { itemDetail } from "../../../src/wire/item-detail.ts";
import { steamBody } from "../../support/bodies.ts";
import { bySize } from "../../support/size.ts";
import { publishedState, QuoteWorld, variantOf, worldAt } from "../quotes/quote-world.ts";

type Row = {
  item_id: number;
  identity_key: string;
  in_catalog: number;
  origin: string;
  updated_at: number | null;
  stat_counter: number | null;
};

const knife = (phase: CatalogVariant["phase"], index: number): Partial<CatalogVariant> => ({
  identityKey: `paint:507:${415 + index}/FN/plain/${phase ?? "-"}`,
  marketHashName: "★ Karambit | Doppler (Factory New)",
  phase,
  sourceKeys: [`cs2-lib:${index}`],
});

describe("catalog import", () => {
  const first = [
    knife("Ruby", 1),
    knife("Sapphire", 2),
    {},
    { type: "Sticker", statCounter: null, souvenir: null } as const,
  ].map(variantOf);
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld(first);
  });
  afterEach(() => world.destroy());

  const rows = () =>
    world.all<Row>(
      "SELECT item_id, identity_key, in_catalog, origin, updated_at, stat_counter FROM items ORDER BY item_id",
    );
  const detail = (itemId: number) => {
    const reader = openReader(world.path);
    try {
      return itemDetail(new CatalogStore(reader).detail(itemId)!);
    } finally {
      reader.$client.close();
    }
  };
  const write = <T>(work: (database: Database) => T): T => {
    const database = openWriter(world.path, 0);
    try {
      return work(database);
    } finally {
      database.$client.close();
    }
  };
  const version = () => world.all<{ v: number }>("SELECT catalog_version AS v FROM market_state")[0]!.v;

  it("keeps every id in any order of the source, and reuses none", () => {
    const ids = new Map(rows().map((row) => [row.identity_key, row.item_id]));
    const added = variantOf({}, 9);
    write((database) => importCatalog(database, [added, ...first.toReversed()], worldAt + 1));
    for (const row of rows()) if (ids.has(row.identity_key)) expect(row.item_id).to.equal(ids.get(row.identity_key));
    expect(rows().at(-1)).to.include({ identity_key: added.identityKey, item_id: 5 });
    write((database) => importCatalog(database, first, worldAt + 2));
    write((database) => importCatalog(database, [...first, variantOf({}, 10)], worldAt + 3));
    expect(rows().map((row) => row.item_id)).to.deep.equal([1, 2, 3, 4, 5, 6]);
  });

  it("keeps ids of removed items, reports them, and restores returning items", () => {
    const left = write((database) => importCatalog(database, first.slice(1), worldAt + 1));
    expect(left).to.include({ left: 1, created: 0, changed: 0 });
    expect(rows()[0]).to.include({ item_id: 1, in_catalog: 0, updated_at: worldAt + 1 });
    expect(detail(1).in_catalog).to.equal(false);
    const back = write((database) => importCatalog(database, first, worldAt + 2));
    expect(back).to.include({ returned: 1, created: 0 });
    expect(detail(1)).to.include({ in_catalog: true, item_id: 1 });
  });

  it("gives two phases of a name two items that reference each other", () => {
    expect(detail(1).shares_name_with).to.deep.equal([2]);
    write((database) => importCatalog(database, [...first, variantOf(knife("Phase 1", 3), 20)], worldAt + 1));
    expect([detail(1), detail(2), detail(5)].map((item) => item.shares_name_with)).to.deep.equal([
      [2, 5],
      [1, 5],
      [1, 2],
    ]);
    expect(rows()[0]?.updated_at).to.equal(null);
  });

  it("writes nothing and keeps the version if the source is unchanged", () => {
    const before = [version(), world.logicalDigest()];
    expect(write((database) => importCatalog(database, first, worldAt + 9))).to.include({ unchanged: 4 });
    expect([version(), world.logicalDigest()]).to.deep.equal(before);
  });

  it("dates an item by the import that changed it", () => {
    const changed = first.map((variant, index) => (index === 2 ? { ...variant, rarity: "Covert" } : variant));
    expect(write((database) => importCatalog(database, changed, worldAt + 5))).to.include({ changed: 1, unchanged: 3 });
    expect(rows().map((row) => row.updated_at)).to.deep.equal([null, null, worldAt + 5, null]);
  });

  it("keeps a feed-derived variant while its object is in a catalog", () => {
    const derived = {
      ...first[0]!,
      identityKey: first[0]!.identityKey.replace("/plain/", "/counter/"),
      marketHashName: "★ StatTrak™ Karambit | Doppler (Factory New)",
      sourceKeys: [],
    };
    write((database) => createFeedDerived(database, [derived], worldAt));
    write((database) => importCatalog(database, first, worldAt + 1));
    expect(rows()[4]).to.include({ origin: "feed_proven", in_catalog: 1 });
    write((database) => importCatalog(database, first.slice(1), worldAt + 2));
    expect(rows()[4]).to.include({ origin: "feed_proven", in_catalog: 0 });
    write((database) => importCatalog(database, [...first, derived], worldAt + 3));
    expect(rows()[4]).to.include({ item_id: 5, origin: "catalog", in_catalog: 1 });
  });

  describe("with quoted items", () => {
    const generations = () =>
      world.all<{ state: string; items: number; ingested_at: number; digest: string; rest: string | null }>(
        "SELECT state, items, ingested_at, hex(digest) AS digest, hex(rest_digest) AS rest FROM generations ORDER BY 1 DESC, generation_id",
      );
    const asks = () =>
      world.all("SELECT item_id, q.ask_cents AS cents, changed_at AS at FROM quotes q JOIN best_asks USING (item_id)");
    const publish = () => world.import(world.body(steamBody({ "Item 2": 100, "Item 3": 101 })), { adapter: "steam" });
    const without = (index: number) => first.toSpliced(index, 1);
    beforeEach(async () => void (await publish()));

    it("republishes quotes only when a quoted item leaves or returns", () => {
      expect(write((database) => importCatalog(database, without(0), worldAt + 1))).to.include({ generation: null });
      const left = write((database) => importCatalog(database, without(2), worldAt + 2));
      expect(left).to.include({ left: 1, returned: 1, generation: "g2" });
      expect(asks()).to.deep.include({ item_id: 3, cents: 100, at: worldAt });
      const back = write((database) => importCatalog(database, first, worldAt + 3));
      expect(back).to.include({ returned: 1, generation: "g3" });
      expect(asks()).to.deep.include({ item_id: 3, cents: 100, at: worldAt });
      const [old, newer, published] = generations();
      expect([old?.items, newer?.items, published?.items]).to.deep.equal([2, 1, 2]);
      expect(published).to.deep.include({ digest: old?.digest, rest: old?.rest, ingested_at: worldAt + 3 });
      expect(newer?.rest).to.not.equal(old?.rest);
      expect(checkDatabase(world.path).faults).to.deep.equal([]);
    });

    // One transaction per item, because the clock reports a long time after each.
    const slowClock = () => {
      let ms = 0;
      return { now: () => world.now, monotonicMs: () => (ms += 10) };
    };
    const renamed = first
      .toSpliced(2, 2, { ...first[2]!, marketHashName: "Item 3" }, { ...first[3]!, marketHashName: "New 3" })
      .concat(variantOf(knife("Phase 1", 3), 20), variantOf({ marketHashName: "New 3" }, 21));

    it("leaves a sound file wherever it is interrupted, and then resumes", () => {
      const cases = bySize({
        short: [without(2), first, renamed, first.slice(0, 2)],
        long: [without(2), first, without(2), renamed, first.slice(0, 2), first],
      });
      for (const variants of cases) {
        for (let stepsMax = 1, isDone = false; !isDone; stepsMax += 1) {
          world.now += 1;
          write((database) => {
            const steps = importCatalogInBatches(database, variants, world.now, { clock: slowClock(), movesMax: 1 });
            for (let count = 0; count < stepsMax && !isDone; count += 1) isDone = steps.next().done === true;
          });
          const { recorded, actual } = publishedState(world.path);
          expect(recorded, `after ${stepsMax} steps`).to.equal(actual);
          expect(checkDatabase(world.path).faults, `after ${stepsMax} steps`).to.deep.equal([]);
          if (isDone) expect(stepsMax).to.be.greaterThan(1);
        }
        expect(detail(3).in_catalog).to.equal(variants === first || variants === renamed);
      }
    });

    it("changes the catalog version in each transaction, to invalidate cached responses", () => {
      const state = (): [number, string] => [
        version(),
        JSON.stringify(world.all("SELECT market_hash_name, phase FROM items")),
      ];
      const known = new Map([state()]);
      write((database) => {
        const steps = importCatalogInBatches(database, renamed, worldAt + 1, { clock: slowClock() });
        for (let isDone = false; !isDone; ) {
          isDone = steps.next().done === true;
          const [number, names] = state();
          expect(known.get(number) ?? names).to.equal(names);
          known.set(number, names);
        }
      });
      expect(new Set(known.values()).size).to.be.above(2);
    });

    it("can be backed up after each of its transactions", async () => {
      const database = openWriter(world.path, 0);
      const steps = importCatalogInBatches(database, renamed.toSpliced(2, 1), worldAt + 1, { clock: slowClock() });
      let count = 0;
      for (; steps.next().done !== true; count += 1) {
        if (count % bySize({ short: 3, long: 1 }) > 0) continue;
        const copy = `${world.path}.${count}`;
        expect(await backupDatabase(world.path, copy)).to.be.above(0);
        expect(checkDatabase(copy).faults).to.deep.equal([]);
      }
      database.$client.close();
      expect(count).to.be.above(2);
      expect(detail(3).in_catalog).to.equal(false);
    });

    it("limits items moved per generation to keep other writers' waits short", () => {
      const moveOf = (variants: CatalogVariant[], movesMax: number) =>
        write((database) => {
          const steps = importCatalogInBatches(database, variants, worldAt + 1, { clock: world.clock, movesMax });
          let step = steps.next();
          while (step.done !== true) step = steps.next();
          return step.value;
        });
      expect(moveOf(first.slice(0, 2), 1)).to.include({ left: 2, generation: "g3" });
      expect(moveOf(first, 2)).to.include({ returned: 2, generation: "g4" });
      expect(generations().map(({ items }) => items)).to.deep.equal([2, 1, 0, 2]);
    });
  });

  it("rejects sources that omit over half of the catalog unless accepted", async () => {
    const before = world.logicalDigest();
    const refused = await importCatalogFile(world.path, first.slice(3), { clock: world.clock }).catch(
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(OperatorError);
    expect((refused as Error).message)
      .to.contain("leave out 3 of 4 items")
      .and.to.contain("--accept-shrink");
    expect(world.logicalDigest()).to.equal(before);
    expect(await importCatalogFile(world.path, first.slice(2), { clock: world.clock })).to.include({ left: 2 });
    expect(await importCatalogFile(world.path, [], { clock: world.clock, acceptShrink: true })).to.include({ left: 2 });
  });
});
