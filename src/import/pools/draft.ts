import type { Database } from "../../store/database.ts";
import { PoolCatalog } from "../../store/pool-catalog.ts";
import { type BatchStats, inShortTransactions, runAtOnce } from "../../store/write/batches.ts";
import { type DraftRow, type OpenableRow, PoolWriter } from "../../store/write/openables.ts";
import { dayOf, parseDay } from "../../values/calendar.ts";
import { type Clock, toTimestamp } from "../../values/clock.ts";
import { OperatorError } from "../../values/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { type PoolDefinition, type PoolDraft, type PoolType, poolName, samePool } from "./definition.ts";
import type { BlockKind } from "./pool-block.ts";
import { resolvePool } from "./resolve.ts";

const slugCharsMax = 120;

export type { PoolDraft } from "./definition.ts";

/** A drafted pool. `unchanged`: the definition equals the draft, or the revision in force. */
export type Drafted = { slug: string; name: string; type: PoolType; outcome: "new" | "changed" | "unchanged" };
/** Result of drafting. `withoutContainer`: names of pools that are not kept, since the catalog lacks their container. */
export type DraftReport = { drafted: Drafted[]; withoutContainer: string[] };

/** Parts of drafting. `unknown`: an unknown item refuses all drafts, or (default) blocks the publication of its pool. */
export type DraftParts = { clock: Clock; unknown?: "refuse" | "block"; progress?: Progress };

type Plan = { drafted: Drafted; write: (() => void) | null };

/**
 * Keeps definitions as drafts, each in place of an earlier draft of its container. Published revisions stay in force. Writes in
 * short transactions, after every definition was checked.
 *
 * @throws {OperatorError} when a definition cannot be drafted or the catalog has none of the containers; nothing is written.
 */
export function* draftPoolInBatches(
  database: Database,
  drafts: readonly PoolDraft[],
  parts: DraftParts,
): Generator<BatchStats, DraftReport> {
  const { clock, progress = silent } = parts;
  const planner = new DraftPlanner(database, parts);
  progress.phase("reading pools", drafts.length);
  const plans: Plan[] = [];
  for (const draft of drafts) {
    const plan = planner.plan(draft);
    if (plan !== null) plans.push(plan);
    progress.advance(1);
  }
  const { withoutContainer } = planner;
  if (drafts.length > 0 && plans.length === 0) {
    throw new OperatorError(
      `the catalog has none of the containers, such as ${withoutContainer[0]}; import the catalog first`,
    );
  }
  const writes = plans.flatMap(({ write }) => write ?? []);
  progress.phase("writing drafts", writes.length);
  for (const batch of inShortTransactions(database, clock, writes, (write) => write())) {
    progress.advance(batch.rows);
    yield batch;
  }
  return { drafted: plans.map(({ drafted }) => drafted), withoutContainer };
}

/** Drafts pools without pauses. */
export function draftPools(database: Database, drafts: readonly PoolDraft[], parts: DraftParts): DraftReport {
  return runAtOnce(draftPoolInBatches(database, drafts, parts));
}

/** Faults that refuse a definition when unknown items are refused. */
const refused: ReadonlySet<BlockKind> = new Set<BlockKind>(["unknown_item", "item_twice", "phases_disagree"]);
const faultsShown = 5;
/** A definition is written in one transaction, so it is bounded; the largest container of the game has about 20,000. */
const definitionCharsMax = 4_000_000;

class DraftPlanner {
  readonly withoutContainer: string[] = [];
  readonly #rows: PoolWriter;
  readonly #catalog: PoolCatalog;
  readonly #isStrict: boolean;
  readonly #at: number;
  /** Slug of each container that this call drafts. */
  readonly #planned = new Map<number, string>();

  constructor(database: Database, { clock, unknown = "block" }: DraftParts) {
    this.#rows = new PoolWriter(database);
    this.#catalog = new PoolCatalog(database);
    this.#isStrict = unknown === "refuse";
    this.#at = clock.now();
  }

  plan({ definition, provenance }: PoolDraft): Plan | null {
    this.#refuseFaults(definition);
    const itemId = this.#containerOf(definition);
    if (itemId === null) {
      this.withoutContainer.push(poolName(definition));
      return null;
    }
    if (this.#planned.has(itemId)) throw refusal(definition, "its container is that of another pool of this call");
    const before = this.#rows.openableOfItem(itemId);
    const slug = before?.slug ?? poolSlug(itemId, this.#rows, this.#catalog, new Set(this.#planned.values()));
    this.#planned.set(itemId, slug);
    const { odds, wear } = definition;
    const text = JSON.stringify(definition);
    if (text.length > definitionCharsMax)
      throw refusal(definition, `it has ${text.length} characters, and a pool has at most ${definitionCharsMax}`);
    const draft: DraftRow = {
      slug,
      definition: text,
      provenance: JSON.stringify({ ...provenance, odds, wear_model: wear }),
      draftedAt: this.#at,
    };
    const { outcome, write } = this.#change(definition, before, draft, itemId);
    const name = this.#rows.container(itemId).marketHashName;
    return { drafted: { slug, name, type: definition.type, outcome }, write };
  }

  #change(definition: PoolDefinition, before: OpenableRow | null, draft: DraftRow, itemId: number) {
    const rows = this.#rows;
    const { slug } = draft;
    const earlier = before === null ? null : rows.draft(slug);
    const published = before?.revisionId == null ? null : rows.revision(before.revisionId);
    const isInForce = before?.state === "active" || definition.retired_on !== null;
    if (published !== null && isInForce && samePool(JSON.parse(published.definition), definition)) {
      return { outcome: "unchanged" as const, write: earlier === null ? null : () => rows.dropDraft(slug) };
    }
    if (earlier !== null && samePool(JSON.parse(earlier.definition), definition))
      return { outcome: "unchanged" as const, write: null };
    const at = this.#at;
    const openable: OpenableRow = {
      slug,
      itemId,
      state: "draft",
      revisionId: null,
      createdAt: at,
      changedAt: at,
      ...openableColumns(definition),
    };
    const outcome: Drafted["outcome"] = before === null ? "new" : "changed";
    return { outcome, write: () => rows.putDraft(openable, draft) };
  }

  /** Returns the item id of the container, or null where the catalog has none. */
  #containerOf(definition: PoolDefinition): number | null {
    const [object, other] = this.#catalog.find(definition.container);
    if (object === undefined) {
      if (this.#isStrict) throw refusal(definition, "the catalog has no such container");
      return null;
    }
    const [itemId, ...more] = object.variants.values();
    if (other !== undefined || object.type !== "Container" || itemId === undefined || more.length > 0)
      throw refusal(definition, `\`${definition.container}\` is no container in the catalog`);
    return itemId;
  }

  #refuseFaults(definition: PoolDefinition): void {
    const retired = definition.retired_on;
    if (retired !== null && parseDay(retired)! > dayOf(this.#at))
      throw refusal(definition, `\`retired_on\` is after today, ${toTimestamp(this.#at).slice(0, 10)}`);
    if (!this.#isStrict) return;
    const faults = resolvePool(definition, this.#catalog).blocks.filter(({ kind }) => refused.has(kind));
    const shown = faults.slice(0, faultsShown).map(({ reason }) => reason);
    const more = faults.length > faultsShown ? `; and ${faults.length - faultsShown} more` : "";
    if (faults.length > 0) throw refusal(definition, shown.join("; ") + more);
  }
}

/** Returns the columns of the openable that come from a definition. */
export function openableColumns(definition: PoolDefinition) {
  const { type, released_on, retired_on, requires_key, key_cost_cents } = definition;
  return {
    type,
    releasedDay: released_on === null ? null : parseDay(released_on),
    retiredDay: retired_on === null ? null : parseDay(retired_on),
    requiresKey: requires_key,
    keyCostCents: key_cost_cents,
  };
}

function refusal(definition: PoolDefinition, fault: string): OperatorError {
  return new OperatorError(`${poolName(definition)}: ${fault}; nothing was drafted`);
}

/**
 * Returns a slug for a container without one: that of its item. Where several containers share a name, the one with the lowest
 * definition index gets the plain slug and the others append their index, so the order of drafting does not matter. `planned`:
 * slugs that are assigned and not written yet.
 */
function poolSlug(itemId: number, rows: PoolWriter, catalog: PoolCatalog, planned: ReadonlySet<string>): string {
  const { slug, marketHashName } = rows.container(itemId);
  const namesakes = catalog.containersNamed(marketHashName);
  const own = namesakes.find((namesake) => namesake.itemId === itemId)?.objectKey ?? "";
  const isFree = (candidate: string) => !planned.has(candidate) && rows.openable(candidate) === null;
  if (namesakes[0]?.itemId === itemId && isFree(slug)) return slug;
  const index = (own.split(":").at(-1) ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  for (const suffix of [index, `${index}-${itemId}`]) {
    const candidate = `${slug.slice(0, slugCharsMax - suffix.length - 1)}-${suffix}`;
    if (isFree(candidate)) return candidate;
  }
  throw new Error(`no slug is left for the container ${itemId}`);
}
