import { dailyChecksum } from "../../../src/store/codec/daily-checksum.ts";
import { revisionIdOf } from "../../../src/store/codec/pool-revision-id.ts";
import type { Database } from "../../../src/store/database.ts";
import { openWriter } from "../../../src/store/database.ts";
import { PoolWriter } from "../../../src/store/write/openables.ts";
import { dayOf } from "../../../src/values/calendar.ts";
import { systemClock } from "../../../src/values/clock.ts";

export type PoolCounts = { containers: number; outcomes: number };

const outcomesPerContainer = 100;
/** 400 containers in the 30,000 items that everything else is measured with. */
const itemsPerContainer = 75;
/** Standard weights of the five tiers of a case, and how many of its outcomes belong to each. */
const tiers = [
  ["mil_spec", 625],
  ["restricted", 125],
  ["classified", 25],
  ["covert", 5],
  ["rare_special", 2],
] as const;
/** Every so many items are not quoted. */
const unpricedEvery = 20;
const daysOfHistory = 30;
const busyMs = 5000;

/**
 * Puts containers with published pools into a data set's file. One of its providers becomes the main platform; some items lose
 * their quotes and have daily prices instead, which is what an upper bound is made of.
 */
export function addPools(path: string, items: number): PoolCounts {
  const database = openWriter(path, busyMs);
  const containers = Math.max(1, Math.floor(items / itemsPerContainer));
  const count = Math.min(outcomesPerContainer, items);
  try {
    database.$client.pragma("synchronous = OFF");
    const rows = new PoolWriter(database);
    database.$client.transaction(() => {
      // A revision and the container that it belongs to refer to each other.
      database.$client.pragma("defer_foreign_keys = ON");
      database.$client.exec("UPDATE providers SET kind = 'main_platform' WHERE provider = 'bench-a'");
      for (let number = 0; number < containers; number += 1) {
        addPool(rows, number, (place) => 1 + ((number * itemsPerContainer + place) % items), count);
      }
      for (let itemId = containers + 1; itemId <= items; itemId += unpricedEvery) unquote(database, itemId);
    })();
    database.$client.pragma("synchronous = FULL");
    database.$client.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    database.$client.close();
  }
  return { containers, outcomes: containers * count };
}

/** Adds a container with a published pool of `count` outcomes; `itemOf` gives the item of each position. */
function addPool(rows: PoolWriter, number: number, itemOf: (position: number) => number, count: number): void {
  const slug = `bench-case-${String(number).padStart(3, "0")}`;
  const outcomes = Array.from({ length: count }, (_, position) => {
    const [tier, weight] = tiers[Math.floor((position * tiers.length) / count)]!;
    // Unequal chances, as wear causes them.
    return {
      position,
      itemId: itemOf(position),
      tier,
      numerator: String(weight * (10_000 + ((position * 7919) % 9973))),
    };
  });
  const revision = {
    slug,
    revisionNumber: 1,
    definition: "{}",
    provenance: "{}",
    oddsSource: "community" as const,
    wearModel: "wear-1",
    tiers: JSON.stringify(
      tiers.map(([tier]) => ({
        tier,
        weight: 1,
        itemCount: outcomes.filter((outcome) => outcome.tier === tier).length,
      })),
    ),
    denominator: String(outcomes.reduce((sum, { numerator }) => sum + Number(numerator), 0)),
    outcomeCount: count,
    publishedAt: 1,
  };
  const revisionId = revisionIdOf(revision, outcomes);
  rows.addRevision({ ...revision, revisionId }, outcomes);
  rows.putOpenable({
    slug,
    itemId: 1 + number,
    state: "active",
    type: "case",
    releasedDay: null,
    retiredDay: null,
    requiresKey: true,
    keyCostCents: 249,
    revisionId,
    createdAt: 1,
    changedAt: 1,
  });
}

/** Makes every calculation one with new numbers: all costs rise by a cent. */
export function changeCosts(path: string): void {
  const database = openWriter(path, busyMs);
  database.$client.exec("UPDATE openables SET key_cost_cents = key_cost_cents + 1");
  database.$client.close();
}

function unquote({ $client }: Database, itemId: number): void {
  $client
    .prepare(
      "DELETE FROM generation_quotes WHERE quote_key = (SELECT current_generation_id FROM market_state) << 31 | ?",
    )
    .run(itemId);
  const today = dayOf(systemClock.now());
  const put = $client.prepare("INSERT INTO daily_prices VALUES (?, 'ask', ?, ?, ?, ?, ?, 1, NULL, NULL, 1, NULL, ?)");
  for (let day = today - daysOfHistory; day < today; day += 1) {
    for (const provider of ["bench-a", "bench-b"]) {
      const amount = 100 + ((itemId * 31 + day) % 5000);
      const row = { itemId, side: "ask", day, provider, amount, lowAmount: amount, highAmount: amount } as const;
      const rest = { observations: 1, quantity: null, sourceObservedAt: null, recordedAt: 1, importId: null };
      put.run(itemId, day, provider, amount, amount, amount, dailyChecksum({ ...row, ...rest }));
    }
  }
}
