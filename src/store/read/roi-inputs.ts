import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { openables, poolOutcomes, poolRevisions } from "../../../db/schema/openables.ts";
import { generations, providers } from "../../../db/schema/prices.ts";
import { marketState } from "../../../db/schema/reference.ts";
import { type Ask, kindOfMode, type ModeAsks, type ModeProviders, noAsks } from "../../roi/asks.ts";
import type { ValuationMode } from "../../roi/calculation.ts";
import type { DayWindow } from "../../values/time/window.ts";
import type { Database } from "../database.ts";
import { BookReader } from "./books.ts";

/** A container with its pool in force. */
export type PoolRow = {
  slug: string;
  /** The item of the container itself. */
  itemId: number;
  keyCents: number;
  revisionId: string;
  oddsSource: "published" | "community" | "inferred";
  /** Digit string. */
  denominator: string;
};

/** `[item id, tier, numerator as a digit string, 1 if the item has a phase]` */
export type OutcomeRow = [itemId: number, tier: string, numerator: string, phased: 0 | 1];

/** Reads the inputs of a run of the model. The caller holds one transaction for all reads. */
export class RoiInputsStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #books: BookReader;

  constructor(database: Database) {
    this.#statements = prepare(database);
    this.#books = new BookReader(database);
  }

  /** Returns the published generation and its publication time, UTC ms, or null without one. */
  generation(): { generationId: number; ingestedAt: number } | null {
    const { generationId = null, ingestedAt = null } = this.#statements.generation.get() ?? {};
    return generationId === null || ingestedAt === null ? null : { generationId, ingestedAt };
  }

  /** Returns active and retired containers in ascending slug. */
  pools(): PoolRow[] {
    return this.#statements.pools.all();
  }

  /** Returns the outcomes of a revision in pool order. */
  outcomes(revisionId: string): OutcomeRow[] {
    return this.#statements.outcomes.all(revisionId);
  }

  /** Returns by provider the highest ask of the days `from` to `to` (inclusive), in USD cents. */
  highestAsks(itemId: number, { from, to }: DayWindow): [provider: string, cents: number][] {
    return this.#statements.highestAsks.all(itemId, from, to);
  }

  /**
   * Returns the highest ask that the active providers of each mode allow, in USD cents. Null if one of them has no limit or none is active.
   */
  priceCeilings(): Record<ValuationMode, number | null> {
    const ofMode = (mode: ValuationMode) => this.#statements.ceiling.get({ kind: kindOfMode[mode] })?.cents ?? null;
    return { steam_gross: ofMode("steam_gross"), cash_ask: ofMode("cash_ask") };
  }

  modeProviders(): ModeProviders {
    const ofMode = (mode: ValuationMode) =>
      new Set(this.#statements.providers.all({ kind: kindOfMode[mode] }).map(({ provider }) => provider));
    return { steam_gross: ofMode("steam_gross"), cash_ask: ofMode("cash_ask") };
  }

  /** Returns the lowest ask of an item among the providers of each mode, in the published generation. */
  asks(itemId: number, providersOf: ModeProviders): ModeAsks {
    const asks = this.#books.ofItem(itemId)?.asks;
    if (asks === undefined) return noAsks;
    const lowestIn = (mode: ValuationMode): Ask | null => {
      const lowest = asks.find(({ provider }) => providersOf[mode].has(provider));
      return lowest === undefined
        ? null
        : { cents: lowest.amountCents, provider: lowest.provider, asOf: lowest.observedAt };
    };
    return { steam_gross: lowestIn("steam_gross"), cash_ask: lowestIn("cash_ask") };
  }
}

function prepare(database: Database) {
  const { slug, itemId, keyCostCents, revisionId } = openables;
  const place = sql.placeholder("");
  const outcomeQuery = database
    .select({
      itemId: poolOutcomes.itemId,
      tier: poolOutcomes.tier,
      numerator: poolOutcomes.numerator,
      phased: isNotNull(items.phase),
    })
    .from(poolOutcomes)
    .innerJoin(items, eq(items.itemId, poolOutcomes.itemId))
    .where(eq(poolOutcomes.revisionId, place))
    .orderBy(asc(poolOutcomes.position));
  return {
    generation: database
      .select({ generationId: generations.generationId, ingestedAt: generations.ingestedAt })
      .from(marketState)
      .innerJoin(generations, eq(generations.generationId, marketState.currentGenerationId))
      .prepare(),
    pools: database
      .select({
        slug,
        itemId,
        keyCents: keyCostCents,
        revisionId: poolRevisions.revisionId,
        oddsSource: poolRevisions.oddsSource,
        denominator: poolRevisions.denominator,
      })
      .from(openables)
      .innerJoin(poolRevisions, eq(poolRevisions.revisionId, revisionId))
      .orderBy(asc(slug))
      .prepare(),
    providers: database
      .select({ provider: providers.provider })
      .from(providers)
      .where(eq(providers.kind, sql.placeholder("kind")))
      .prepare(),
    ceiling: database
      .select({
        cents: sql<number | null>`iif(count(*) = count(price_ceiling_cents), max(price_ceiling_cents), NULL)`,
      })
      .from(providers)
      .where(and(eq(providers.kind, sql.placeholder("kind")), eq(providers.active, true)))
      .prepare(),
    // Not built by Drizzle: its schema has no views.
    highestAsks: database.$client
      .prepare<[number, number, number], [provider: string, cents: number]>(
        `SELECT provider, max(high_amount) FROM daily_prices
         WHERE item_id = ? AND side = 'ask' AND day BETWEEN ? AND ? GROUP BY provider`,
      )
      .raw(true),
    // Executed directly, because mapping tens of thousands of rows by name is slow.
    outcomes: database.$client.prepare<[string], OutcomeRow>(outcomeQuery.toSQL().sql).raw(true),
  };
}
