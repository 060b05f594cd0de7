import { eq, sql } from "drizzle-orm";
import { exportStates, generations } from "../../../db/schema/prices.ts";
import { type ChangedItem, encodeChangedItems } from "../codec/changed-items.ts";
import type { Database } from "../database.ts";
import { stateLifetimeMs, statesMax } from "../read/export-states.ts";
import { ExportIdentity, type IdentityState } from "./export-identity.ts";

/** Steps of one import within this time share one state. Otherwise a large import would remove all other states of the day. */
const stepsMs = 10_000;

/** The last state of this writer, and its changed items. */
type Step = { stateId: number; since: number; changed: ReadonlyMap<number, ChangedItem> };

/** Appends states of the market. Callers hold the transaction of the change. */
export class ExportStateWriter {
  readonly #statements: ReturnType<typeof prepare>;
  #step: Step | null = null;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /**
   * Appends the state of the market from `at` on (UTC ms) and removes expired states. Returns its id. `at` may precede the last state, in a
   * replay or after a clock was set back. The new state then gets the last state's time, and recently replaced states remain.
   */
  append(identity: IdentityState, changed: Iterable<ChangedItem>, at: number): number {
    const { stateId } = this.#statements.add.get({
      generationId: identity.generationId,
      identityDigest: identity.digest(),
      exportBytes: identity.exportBytes,
      since: at,
      changedItems: encodeChangedItems(changed),
    });
    this.#statements.removeOld.run({ keptSince: at - stateLifetimeMs });
    return stateId;
  }

  /**
   * Appends a state if the lines of these items changed. It replaces a state that the same import has just appended, which clients can then
   * no longer refer to. Does nothing before the first publication.
   */
  record(identity: ExportIdentity | null, itemIds: Iterable<number>, at: number): void {
    const changed = identity?.refresh(itemIds) ?? [];
    if (identity === null || changed.length === 0) return;
    const last = this.#step !== null && at - this.#step.since < stepsMs ? this.#step : null;
    const together = new Map(last?.changed);
    for (const item of changed) {
      const { isNew } = together.get(item.itemId) ?? item;
      together.set(item.itemId, { ...item, isNew });
    }
    if (last !== null) this.#statements.remove.run({ stateId: last.stateId });
    const inOrder = [...together.values()].sort((a, b) => a.itemId - b.itemId);
    const stateId = this.append(identity, inOrder, at);
    this.#step = { stateId, since: last?.since ?? at, changed: together };
  }
}

function prepare(database: Database) {
  const { stateId, since } = exportStates;
  return {
    add: database
      .insert(exportStates)
      .values({
        generationId: sql.placeholder("generationId"),
        identityDigest: sql.placeholder("identityDigest"),
        exportBytes: sql.placeholder("exportBytes"),
        since: sql`max(${sql.placeholder("since")}, coalesce((SELECT max(since) FROM export_states), 0))`,
        changedItems: sql.placeholder("changedItems"),
      })
      .returning({ stateId })
      .prepare(),
    remove: database
      .delete(exportStates)
      .where(eq(stateId, sql.placeholder("stateId")))
      .prepare(),
    removeOld: database
      .delete(exportStates)
      .where(
        sql`${stateId} <= (SELECT ${stateId} FROM ${exportStates} ORDER BY ${stateId} DESC LIMIT 1 OFFSET ${statesMax})
          OR ${stateId} < (SELECT max(${stateId}) FROM ${exportStates} WHERE ${since} <= ${sql.placeholder("keptSince")})`,
      )
      .prepare(),
  };
}

/** Reads the identity part of the published generation, or returns null without one. */
export function publishedIdentity(database: Database): ExportIdentity | null {
  const { generationId } = generations;
  const row = database.select({ generationId }).from(generations).where(eq(generations.state, "published")).get();
  return row === undefined ? null : new ExportIdentity(database, row.generationId);
}
