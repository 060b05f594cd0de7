import type { PoolDefinition } from "../import/pools/definition.ts";
import { draftPools, type PoolDraft } from "../import/pools/draft.ts";
import { publishPool, publishPoolInBatches } from "../import/pools/publish.ts";
import { retirePool } from "../import/pools/retire.ts";
import { calculateRoi, prepareCalculation } from "../jobs/roi/calculate.ts";
import { type RoiInput, readInputs } from "../jobs/roi/read-inputs.ts";
import type { Ask } from "../roi/asks.ts";
import { roiEveryMs } from "../roi/calculation.ts";
import type { Database } from "../store/database.ts";
import { RoiInputsStore } from "../store/read/roi-inputs.ts";
import { runAtOnce } from "../store/write/batches.ts";
import { CalculationWriter } from "../store/write/calculations.ts";
import { dayMs, dayOf, hourMs, hourOf, minuteMs } from "../values/time/calendar.ts";
import { clockAt } from "../values/time/clock.ts";
import { recordedDays } from "./instants.ts";
import type { DemoMarket, Slug } from "./market.ts";

/** Stays an unpublished draft, which is never shown. */
const draftSlug = "operation-broken-fang-case";
const retiredSlug = "chroma-2-case";
/** Its first definition lacks an item; the second one includes it. */
const revisedSlug = "spectrum-2-case";
/** Its definition limits the wear of one item, so one variant of that item cannot drop. */
const narrowedSlug = "stockholm-2021-mirage-souvenir-package";
/** Lower bound of Battle-Scarred. */
const narrowedWearMax = "0.45";

/** Days before the anchor. */
const [publishedAgo, revisedAgo, retiredAgo] = [14, 6, 20];
/** Days without a run of the model, counted back from the first recorded day with all items. */
const daysWithoutRun = [5];
const hourOfDailyRun = 18;
/** In this hour of the first recorded day no feed was verified and the model did not run. */
const hourWithoutRun = 6;

/** Publishes the pools of the demo world. Calculates them from the last prices, and their history from the prices of earlier days. */
export function createDemoOpenables(
  database: Database,
  drafts: readonly PoolDraft[],
  { anchorAt, market }: { anchorAt: number; market: DemoMarket },
): void {
  const receivedAt = market.lastAt;
  const today = dayOf(anchorAt);
  const publishedAt = (today - publishedAgo) * dayMs;
  const revisedAt = (today - revisedAgo) * dayMs;
  const calculatedAt = lastRunAt(anchorAt, receivedAt);
  const instants = runsBefore(calculatedAt, receivedAt).filter((at) => at >= publishedAt);
  const revised = publish(database, drafts, publishedAt);
  retirePool(database, retiredSlug, { clock: clockAt(publishedAt), day: today - retiredAgo });
  recordRuns(database, instants, market);
  draftPools(database, [revised], { clock: clockAt(revisedAt) });
  publishPool(database, revisedSlug, { clock: clockAt(revisedAt) });
  const later = instants.filter((at) => at >= revisedAt);
  recordRuns(database, later, market, [revisedSlug]);
  calculateRoi(database, { clock: clockAt(calculatedAt) });
}

/** Publishes all pools except one draft: one with a shorter, one with a narrower definition. Returns the full draft of the shorter one. */
function publish(database: Database, drafts: readonly PoolDraft[], at: number): PoolDraft {
  const clock = clockAt(at);
  const { drafted } = draftPools(database, drafts, { clock });
  const draftOf = (wanted: string) => drafts[drafted.findIndex(({ slug }) => slug === wanted)]!;
  const full = draftOf(revisedSlug);
  draftPools(database, [withoutLast(full), narrowed(draftOf(narrowedSlug))], { clock });
  const slugs = drafted.map(({ slug }) => slug).filter((slug) => slug !== draftSlug);
  for (const { slug, outcome } of runAtOnce(publishPoolInBatches(database, slugs, { clock })))
    if (outcome !== "published") throw new Error(`the demo world's ${slug} is ${outcome}`);
  return full;
}

/** Returns the draft without the last item of its first tier. */
function withoutLast({ definition, provenance }: PoolDraft): PoolDraft {
  const tiers: PoolDefinition["tiers"] = definition.tiers.map((tier, index) =>
    index === 0 ? { ...tier, items: tier.items.slice(0, -1) } : tier,
  );
  return { definition: { ...definition, tiers }, provenance };
}

/** Returns the draft with a smaller maximum wear for the first item of its last tier. */
function narrowed({ definition, provenance }: PoolDraft): PoolDraft {
  const tiers: PoolDefinition["tiers"] = definition.tiers.map((tier, index) => {
    if (index < definition.tiers.length - 1) return tier;
    const [first, ...others] = tier.items;
    return { ...tier, items: [{ ...first!, wear_max: narrowedWearMax }, ...others] };
  });
  return { definition: { ...definition, tiers }, provenance };
}

/** Returns the last scheduled run time. If the prices arrived later, returns a time shortly after them. */
function lastRunAt(anchorAt: number, receivedAt: number): number {
  const scheduledAt = anchorAt - (anchorAt % roiEveryMs);
  return scheduledAt >= receivedAt ? scheduledAt : receivedAt + 5 * minuteMs;
}

/** Returns the earlier run times: all scheduled ones since the first recorded day, and one on most days before. */
function runsBefore(calculatedAt: number, receivedAt: number): number[] {
  const firstDay = dayOf(receivedAt) - 1;
  const instants: number[] = [];
  for (let daysAgo = publishedAgo; daysAgo >= 1; daysAgo -= 1) {
    if (!daysWithoutRun.includes(daysAgo)) instants.push((firstDay - daysAgo) * dayMs + hourOfDailyRun * hourMs);
  }
  for (let at = firstDay * dayMs; at < calculatedAt; at += roiEveryMs) {
    if (at !== firstDay * dayMs + hourWithoutRun * hourMs) instants.push(at);
  }
  return instants;
}

/** Writes the history of past runs. Their prices are the last prices scaled back to each time. */
function recordRuns(
  database: Database,
  instants: readonly number[],
  market: DemoMarket,
  only?: readonly string[],
): void {
  const at = instants.at(-1)!;
  const { inputs } = runAtOnce(readInputs(database, { at, only }));
  const reads = new RoiInputsStore(database);
  const rows = new CalculationWriter(database);
  for (const input of inputs) {
    const { container } = input;
    if (container === null) continue;
    const itemIds = reads.outcomes(input.pool.revisionId).map(([itemId]) => itemId);
    for (const instant of instants) {
      const move = movedTo(instant, market);
      const moved = {
        ...input,
        container: move(input.pool.itemId, container),
        outcomes: movedOutcomes(input, itemIds, move),
      };
      for (const row of prepareCalculation(moved, instant).history) rows.putHistory(row);
    }
  }
}

type Move = (itemId: number, ask: Ask) => Ask;

function movedOutcomes({ outcomes }: RoiInput, itemIds: readonly number[], move: Move): RoiInput["outcomes"] {
  return outcomes.map((outcome, index) => {
    const { valueCents, valueProvider, valueAsOf } = outcome;
    if (valueCents === null || valueProvider === null) return outcome;
    const { cents, asOf } = move(itemIds[index]!, { cents: valueCents, provider: valueProvider, asOf: valueAsOf });
    return { ...outcome, valueCents: cents, valueAsOf: asOf };
  });
}

/** Returns a function that scales prices to a past time, like the recorded frames or the earlier daily asks. */
function movedTo(instant: number, market: DemoMarket): Move {
  const daysAgo = market.lastDay - dayOf(instant);
  const hoursAgo = market.lastHour - hourOf(instant);
  return (itemId, { cents, provider, asOf }) => {
    const { factor, movedAgo } =
      daysAgo >= recordedDays.all
        ? { factor: market.factorOfDay(itemId, provider as Slug, daysAgo), movedAgo: hoursAgo }
        : market.stepOf(itemId, provider as Slug, hoursAgo);
    const movedCents = Math.max(1, Math.round(cents * factor));
    return { cents: movedCents, provider, asOf: asOf === null ? null : asOf - movedAgo * hourMs };
  };
}
