import { expect } from "chai";
import { cs2LibPools } from "../../../src/import/pools/cs2-lib-pools.ts";
import { itemName, poolName } from "../../../src/import/pools/definition.ts";
import { draftPools } from "../../../src/import/pools/draft.ts";
import { publishPoolInBatches } from "../../../src/import/pools/publish.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { itLong } from "../../support/size.ts";
import { documentsOf, PoolWorld, tierOf, weapon, weaponCase } from "./pool-world.ts";

const rows = [weapon(1, "AK-47 | One"), weapon(2, "AK-47 | Two"), weaponCase(800, "Box", { contents: [1, 2] })];
const clones = 501;
/** Escape, the single-byte form of CSI, and a character that reverses the text direction. */
const hostile = "\u001b[2J\u009b31m\u202egnp\u2066";

describe("publication blocks", () => {
  const world = new PoolWorld(rows);
  before(() => {
    // `paint:7:1001` and on: each with five wears, plain and counter.
    world.database.$client.exec(
      `WITH RECURSIVE n(n) AS (SELECT 1001 UNION ALL SELECT n + 1 FROM n WHERE n < ${1000 + clones})
       INSERT INTO items(identity_key, market_hash_name, slug, type, wear_min, wear_max, identity, origin, in_catalog, first_seen_at, search_text)
       SELECT replace(identity_key, 'paint:7:1/', 'paint:7:' || n || '/'), market_hash_name || n, slug || '-' || n, type, wear_min, wear_max,
              identity, origin, in_catalog, first_seen_at, search_text
       FROM n JOIN items WHERE identity_key GLOB 'paint:7:1/*' AND (identity_key LIKE '%/plain/%' OR identity_key LIKE '%/counter/%')`,
    );
  });
  after(() => world.remove());
  const clone = (index: number) => `paint:7:${1001 + index}`;
  const cloned = (count: number) => Array.from({ length: count }, (_, index) => clone(index));

  itLong("cover a pool with too many outcomes, including impossible ones", () => {
    const tiers = [
      { tier: "all", weight: 1, items: cloned(clones).map((item) => ({ item, wear_min: "0", wear_max: "0.07" })) },
    ];
    expect(world.blocks({ counter_chance: "1/10", tiers })).to.deep.equal([
      `too_many_outcomes: it has ${clones * 10} outcomes, but a pool has at most 5000 outcomes`,
    ]);
    const { outcomes } = world.published({ counter_chance: "1/10", tiers: [tierOf(cloned(500))] });
    expect(outcomes).to.have.length(5000);
  });

  it("cover a pool with too many items before any lookup", () => {
    const nowhere = Array.from({ length: 5001 }, (_, index) => `nowhere:${index}`);
    expect(world.blocks({ tiers: [tierOf(nowhere)] })).to.deep.equal([
      "too_many_outcomes: it lists 5001 items, but a pool has at most 5000 outcomes",
    ]);
  });

  it("cover a pool with too long a denominator", () => {
    const tiersOf = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const items = [{ item: clone(2 * index), weight: 9e15 + index }, { item: clone(2 * index + 1) }];
        return { tier: `t${index}`, weight: 1, items };
      });
    const [block, ...more] = world.blocks({ tiers: tiersOf(70) });
    expect(block).to.match(
      /^denominator_too_long: its common denominator has 1\d{3} digits, but at most 1000 can be served$/,
    );
    expect(more).to.deep.equal([]);
    expect(world.published({ tiers: tiersOf(50) }).denominator).to.match(/^\d{700,1000}$/);
  });

  it("cover a container that lists itself by any reference", () => {
    const [{ id }] = world.all<{ id: number }>("SELECT item_id AS id FROM items WHERE type = 'Container'") as [
      { id: number },
    ];
    for (const itself of ["cs2-lib:800", "item:4800", id])
      expect(world.blocks({ tiers: [tierOf(["cs2-lib:1", itself])] })).to.deep.equal([
        `lists_itself: \`${itself}\` is the container itself`,
      ]);
    const listed = rows.map((row) => (row.id === 800 ? { ...row, contents: [1, 800] } : row));
    draftPools(world.database, cs2LibPools(documentsOf(listed)), { clock: world.clock });
    const { outcome, reasons } = world.publish("box");
    expect(outcome).to.equal("blocked");
    expect(reasons.map(({ kind, reason }) => `${kind}: ${reason}`)).to.include(
      "lists_itself: `cs2-lib:800` (Box) is the container itself",
    );
  });

  it("cover a definition too long for a transaction, before it is drafted", () => {
    const before = world.state();
    expect(() => world.draft({ never_published: "x".repeat(4_000_000) })).to.throw(
      /^pool of cs2-lib:800: it has 4000\d{3} characters, but a pool has at most 4000000; nothing was drafted$/,
    );
    expect(world.state()).to.equal(before);
  });

  it("remove control characters of names and reasons from messages", () => {
    const safe = "?[2J?31m?gnp?";
    const item = { item: "cs2-lib:77", name: hostile };
    const tiers = [{ tier: "all", weight: 1, items: [item] }];
    expect(world.blocks({ never_published: hostile, tiers })).to.deep.equal([
      `never_published: ${safe}`,
      `unknown_item: the catalog has no item \`cs2-lib:77\` (${safe})`,
    ]);
    expect(itemName(item)).to.equal(`\`cs2-lib:77\` (${safe})`);
    expect(poolName({ name: hostile, container: `a${hostile}` } as never)).to.equal(`pool "${safe}" (a${safe})`);
    const named = documentsOf(
      rows.map((row) => (row.id === 800 ? { ...row, name: "\u009b\u0085", contents: [9] } : row)),
    );
    expect(() => cs2LibPools(named)).to.throw('container "??" (cs2-lib:800)');
  });

  it("are recomputed if the pool changes during a wait for the lock", () => {
    world.draft({ tiers: [tierOf(["cs2-lib:1"])] });
    let plans = 0;
    const { database } = world;
    const clock = {
      now: () => {
        plans += Number(!database.$client.inTransaction);
        return world.now;
      },
      monotonicMs: () => 0,
    };
    let isChanged = false;
    const progress = {
      phase: (name: string) => {
        if (name !== "publishing pools" || isChanged) return;
        isChanged = true;
        world.draft({ tiers: [tierOf(["cs2-lib:1", "cs2-lib:2"])] });
      },
      advance: () => {},
      end: () => {},
    };
    const outcomes = runAtOnce(publishPoolInBatches(database, ["box"], { clock, progress }));
    expect(outcomes[0]).to.deep.include({ outcome: "published", outcomeCount: 10 });
    expect(plans).to.equal(2);
  });
});
