import { eq, sql } from "drizzle-orm";
import { exportStates, generations } from "../../../db/schema/prices.ts";
import { type ChangedItem, encodeChangedItems } from "../codec/changed-items.ts";
import type { Database } from "../database.ts";
import { stateKeptMs, statesMax } from "../read/export-states.ts";
import { ExportIdentity, type IdentityState } from "./export-identity.ts";

/** Time within which the steps of one import make one state: else a large import would leave no other state of the day. */
const stepsMs = 10_000;

/** The state that this writer appended last, and what changed with it. */
type Step = { stateId: number; since: number; changed: ReadonlyMap<number, ChangedItem> };

/** Appends states of the market. Callers hold the transaction of the change itself. */
export class ExportStateWriter {
  readonly #statements: ReturnType<typeof prepare>;
  #step: Step | null = null;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /**
   * Appends what the market is from `at` on (UTC ms), and removes the states that cannot be named any more. Returns its id. A replay of
   * old bodies, or a clock that was set back, gives a time before that of the last state: it is then as old as that one, so that
   * states which were replaced just now stay.
   */
  append(identity: IdentityState, changed: Iterable<ChangedItem>, at: number): number {
    const { stateId } = this.#statements.add.get({
      generationId: identity.generationId,
      identityDigest: identity.digest(),
      exportBytes: identity.exportBytes,
      since: at,
      changedItems: encodeChangedItems(changed),
    });
    this.#statements.removeOld.run({ keptSince: at - stateKeptMs });
    return stateId;
  }

  /**
   * Appends a state where the lines of these items changed, in place of the one that the same import appended just before: that one
   * cannot be named any more. Does nothing before the first publication.
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

/** Reads the identity part of the published generation; null: nothing is published. */
export function publishedIdentity(database: Database): ExportIdentity | null {
  const { generationId } = generations;
  const row = database.select({ generationId }).from(generations).where(eq(generations.state, "published")).get();
  return row === undefined ? null : new ExportIdentity(database, row.generationId);
}
