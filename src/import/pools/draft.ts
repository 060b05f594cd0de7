import type { Database } from "../../store/database.ts";
import { PoolCatalog } from "../../store/read/pool-catalog.ts";
import { type BatchStats, inShortTransactions, runAtOnce } from "../../store/write/batches.ts";
import { type DraftRow, type PoolRows, PoolWriter } from "../../store/write/openables.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { dayOf, parseDay } from "../../values/time/calendar.ts";
import { type Clock, toTimestamp } from "../../values/time/clock.ts";
import { completionsFile, type PoolCompletion } from "../pool-completions.ts";
import { type PoolDefinition, type PoolDraft, type PoolType, poolName, samePool } from "./definition.ts";
import { compareLists, completePool, type ListDifference } from "./listed-slots.ts";
import type { BlockKind } from "./pool-block.ts";
import { resolvePool } from "./resolve.ts";

const slugCharsMax = 120;

export type { PoolDraft } from "./definition.ts";

/** A drafted pool. `unchanged` means that the definition equals the draft or the revision in force. */
type Drafted = { slug: string; name: string; type: PoolType; outcome: "new" | "changed" | "unchanged" };

/** A pool completed from the shipped list. `added` names the added items. */
export type CompletedPool = { slug: string; added: string[]; reference: string };

/** Comparison of a draft with the list of another source or the shipped list. Empty `differences` mean that they agree. */
export type Comparison = { slug: string; source: string; differences: ListDifference[] };

/** Result of drafting. `withoutContainer` names pools that were dropped, because the catalog lacks their container. */
export type DraftReport = {
  drafted: Drafted[];
  withoutContainer: string[];
  completed: CompletedPool[];
  comparisons: Comparison[];
};

/**
 * Options of drafting. With `unknown: "refuse"` an unknown item rejects all drafts. By default it only blocks the publication of its pool.
 */
export type DraftParts = {
  clock: Clock;
  unknown?: "refuse" | "block";
  /** Complete lists by canonical object of the container, used to complete truncated lists. Absent for no completion. */
  completions?: ReadonlyMap<string, PoolCompletion>;
  progress?: Progress;
};

/** Drafts, or a function that creates them from the catalog of the file. */
type DraftSource = readonly PoolDraft[] | ((catalog: PoolCatalog) => readonly PoolDraft[]);

type Plan = { drafted: Drafted; write: (() => void) | null };

/**
 * Stores definitions as drafts, replacing earlier drafts of their containers. Published revisions stay in force. Checks all definitions
 * first, then writes in short transactions.
 *
 * @throws {OperatorError} when a definition cannot be drafted, or the catalog has none of the containers. Nothing is written.
 */
export function* draftPoolInBatches(
  database: Database,
  source: DraftSource,
  parts: DraftParts,
): Generator<BatchStats, DraftReport> {
  const { clock, progress = silent } = parts;
  const catalog = new PoolCatalog(database);
  const drafts = typeof source === "function" ? source(catalog) : source;
  const planner = new DraftPlanner(database, catalog, parts);
  progress.phase("reading pools", drafts.length);
  const plans: Plan[] = [];
  for (const draft of drafts) {
    const plan = planner.plan(draft);
    if (plan !== null) plans.push(plan);
    progress.advance(1);
  }
  const { withoutContainer, completed, comparisons } = planner;
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
  return { drafted: plans.map(({ drafted }) => drafted), withoutContainer, completed, comparisons };
}

/** Drafts pools without pauses. */
export function draftPools(database: Database, drafts: DraftSource, parts: DraftParts): DraftReport {
  return runAtOnce(draftPoolInBatches(database, drafts, parts));
}

/** Faults that reject a definition if unknown items are rejected. */
const refused: ReadonlySet<BlockKind> = new Set<BlockKind>(["unknown_item", "item_twice", "phases_disagree"]);
const faultsShown = 5;
/** Maximum characters of a definition, because one transaction writes it. The largest container of the game needs about 20,000. */
const definitionCharsMax = 4_000_000;

class DraftPlanner {
  readonly withoutContainer: string[] = [];
  readonly completed: CompletedPool[] = [];
  readonly comparisons: Comparison[] = [];
  readonly #rows: PoolWriter;
  readonly #catalog: PoolCatalog;
  readonly #isStrict: boolean;
  readonly #completions: ReadonlyMap<string, PoolCompletion>;
  readonly #at: number;
  /** Slug of each container in this call. */
  readonly #planned = new Map<number, string>();

  constructor(
    database: Database,
    catalog: PoolCatalog,
    { clock, unknown = "block", completions = new Map() }: DraftParts,
  ) {
    this.#rows = new PoolWriter(database);
    this.#catalog = catalog;
    this.#completions = completions;
    this.#isStrict = unknown === "refuse";
    this.#at = clock.now();
  }

  plan({ definition: listed, provenance }: PoolDraft): Plan | null {
    this.#refuseFaults(listed);
    const container = this.#containerOf(listed);
    if (container === null) {
      this.withoutContainer.push(poolName(listed));
      return null;
    }
    const { itemId, objectKey } = container;
    if (this.#planned.has(itemId)) throw refusal(listed, "another pool of this call has its container");
    const before = this.#rows.poolOfItem(itemId);
    const slug = before?.slug ?? poolSlug(itemId, this.#rows, this.#catalog, new Set(this.#planned.values()));
    this.#planned.set(itemId, slug);
    const definition = this.#complete(slug, listed, this.#completions.get(objectKey));
    this.#compare(definition, before?.rows ?? null, provenance.source, slug);
    const { odds, wear } = definition;
    const text = JSON.stringify(definition);
    if (text.length > definitionCharsMax)
      throw refusal(definition, `it has ${text.length} characters, but a pool has at most ${definitionCharsMax}`);
    const draft: DraftRow = {
      slug,
      itemId,
      definition: text,
      provenance: JSON.stringify({ ...provenance, odds, wear_model: wear }),
      draftedAt: this.#at,
    };
    const { outcome, write } = this.#change(definition, before?.rows ?? null, draft);
    const name = this.#rows.container(itemId).marketHashName;
    return { drafted: { slug, name, type: definition.type, outcome }, write };
  }

  #change(definition: PoolDefinition, before: PoolRows | null, draft: DraftRow) {
    const rows = this.#rows;
    const { slug } = draft;
    const earlier = before?.draft ?? null;
    const published = before?.revision ?? null;
    const isInForce = before?.openable?.state === "active" || definition.retired_on !== null;
    if (published !== null && isInForce && samePool(JSON.parse(published.definition), definition)) {
      return { outcome: "unchanged" as const, write: earlier === null ? null : () => rows.dropDraft(slug) };
    }
    if (earlier !== null && samePool(JSON.parse(earlier.definition), definition))
      return { outcome: "unchanged" as const, write: null };
    const outcome: Drafted["outcome"] = before === null ? "new" : "changed";
    return { outcome, write: () => rows.putDraft(draft) };
  }

  #complete(slug: string, listed: PoolDefinition, completion: PoolCompletion | undefined): PoolDefinition {
    const { definition, added, contradiction } = completePool(listed, completion, this.#catalog);
    if (contradiction !== null) this.comparisons.push({ slug, source: completionsFile, differences: [contradiction] });
    if (added.length > 0) this.completed.push({ slug, added, reference: completion?.reference ?? "" });
    return definition;
  }

  /** Compares a definition with the draft or revision in force, if that has another source. */
  #compare(definition: PoolDefinition, before: PoolRows | null, source: string, slug: string): void {
    const stored = before?.draft ?? before?.revision ?? null;
    if (stored === null) return;
    const other = (JSON.parse(stored.provenance) as { source: string }).source;
    if (other === source) return;
    const differences = compareLists(definition, JSON.parse(stored.definition) as PoolDefinition, this.#catalog);
    this.comparisons.push({ slug, source: other, differences });
  }

  /** Returns the container. Null if the catalog lacks it. */
  #containerOf(definition: PoolDefinition): { itemId: number; objectKey: string } | null {
    const [object, other] = this.#catalog.find(definition.container);
    if (object === undefined) {
      if (this.#isStrict) throw refusal(definition, "the catalog does not have the container");
      return null;
    }
    const [itemId, ...more] = object.variants.values();
    if (other !== undefined || object.type !== "Container" || itemId === undefined || more.length > 0)
      throw refusal(definition, `\`${definition.container}\` is not a container in the catalog`);
    return { itemId, objectKey: object.objectKey };
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

/** Returns the columns of an openable that a definition determines. */
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
 * Returns a slug for a container without one, usually its item's slug. If several containers share a name, the lowest definition index has
 * the plain slug and the others append their index. So the order of drafting does not matter. `planned` holds assigned slugs that are not
 * written yet.
 */
function poolSlug(itemId: number, rows: PoolWriter, catalog: PoolCatalog, planned: ReadonlySet<string>): string {
  const { slug, marketHashName } = rows.container(itemId);
  const namesakes = catalog.containersNamed(marketHashName);
  const own = namesakes.find((namesake) => namesake.itemId === itemId)?.objectKey ?? "";
  const isFree = (candidate: string) => !planned.has(candidate) && rows.pool(candidate) === null;
  if (namesakes[0]?.itemId === itemId && isFree(slug)) return slug;
  const index = (own.split(":").at(-1) ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  for (const suffix of [index, `${index}-${itemId}`]) {
    const candidate = `${slug.slice(0, slugCharsMax - suffix.length - 1)}-${suffix}`;
    if (isFree(candidate)) return candidate;
  }
  throw new Error(`no slug is left for the container ${itemId}`);
}
