import { and, asc, eq, getTableColumns, gte, isNotNull, lt, notExists, type SQL, sql } from "drizzle-orm";
import { itemSources, items } from "../../../db/schema/catalog.ts";
import { openables, poolOutcomes } from "../../../db/schema/openables.ts";
import { type Edition, type ItemType, type Phase, phaseOf, type Wear, wears } from "../../values/text/item-names.ts";
import { phases } from "../../values/text/phases.ts";
import type { Database } from "../database.ts";

/** Refers to an object by a catalog source's key, its canonical key, or the id of any of its variants. */
export type ObjectReference = string | number;

/** One object with its variants in the catalog. */
export type PoolObject = {
  objectKey: string;
  type: ItemType | null;
  phase: Phase | null;
  isUnphased: boolean;
  /** The object that represents all phases of its finish. Null if the finish has no phases. */
  familyKey: string | null;
  /** Market names of its variants. */
  names: readonly string[];
  wearMin: string | null;
  wearMax: string | null;
  /** Item ids by wear code (`-` without a wear) and edition. */
  variants: ReadonlyMap<string, number>;
};

export type WearCode = Wear["code"] | "-";

type Row = Pick<typeof items.$inferSelect, keyof typeof columns>;

const all = getTableColumns(items);
const columns = {
  itemId: all.itemId,
  identityKey: all.identityKey,
  marketHashName: all.marketHashName,
  type: all.type,
  phase: all.phase,
  wearMin: all.wearMin,
  wearMax: all.wearMax,
  identity: all.identity,
};

/** Reads the objects of the catalog for pools. Few rows per object are read by index and cached. */
export class PoolCatalog {
  readonly #statements;
  readonly #objects = new Map<string, PoolObject | null>();
  #feedDerivedKnives: readonly string[] | null = null;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Returns the canonical objects of a reference. Returns none if it is unknown or left the catalog. */
  find(reference: ObjectReference): PoolObject[] {
    const keys = typeof reference === "number" ? this.#keysOfId(reference) : this.#keysOfText(reference);
    return [...keys].map((key) => this.#object(key)).filter((object) => object !== null);
  }

  /** Returns the phases of a finish in the catalog, in the fixed order of phases. */
  phasesOf(familyKey: string): PoolObject[] {
    const family = this.#object(familyKey);
    const definition = definitionOf(familyKey);
    if (family === null || definition === null) return [];
    const range = rangeOf(`${definition}:`);
    const rows = family.names.flatMap((name) => this.#statements.phasedOfName.all({ ...range, name }));
    const keys = new Set(rows.map(({ identityKey }) => objectKeyOf(identityKey)));
    const members = [...keys].map((key) => this.#object(key)).filter((object) => object !== null);
    return members.sort((one, other) => phases.indexOf(one.phase!) - phases.indexOf(other.phase!));
  }

  /** Returns the containers with this market name, by object in ascending definition index. */
  containersNamed(marketHashName: string): { itemId: number; objectKey: string }[] {
    return this.#statements.containers
      .all({ marketHashName })
      .map(({ itemId, identityKey }) => ({ itemId, objectKey: objectKeyOf(identityKey) }))
      .sort((one, other) => numeric.compare(one.objectKey, other.objectKey));
  }

  /** Returns the market names of knives with a counter that only feeds name and no pool in force contains. */
  feedDerivedKnives(): readonly string[] {
    this.#feedDerivedKnives ??= this.#statements.feedDerivedKnives.all().map(({ name }) => name);
    return this.#feedDerivedKnives;
  }

  /**
   * Returns the canonical object with this display name and paint index (`0` without paint). The name has no edition and wear (`★ M9
   * Bayonet | Fade`). Returns null if the catalog has none.
   */
  paintedObject(name: string, paintIndex: string): string | null {
    const names = [name, ...wears.map((wear) => `${name} (${wear.name})`)];
    const keys = names.flatMap((one) => this.#statements.exactOfName.all({ name: one }));
    const objects = new Set(keys.map(({ identityKey }) => objectKeyOf(identityKey)));
    return [...objects].find((key) => /^paint:[^:]+:(.*)$/.exec(key)?.[1] === paintIndex) ?? null;
  }

  #keysOfId(itemId: number): Set<string> {
    return new Set(this.#statements.byId.all({ itemId }).map(({ identityKey }) => objectKeyOf(identityKey)));
  }

  #keysOfText(text: string): Set<string> {
    const named = this.#statements.bySource.all({ sourceKey: text });
    return named.length > 0 ? new Set(named.map(({ identityKey }) => objectKeyOf(identityKey))) : new Set([text]);
  }

  #object(objectKey: string): PoolObject | null {
    const known = this.#objects.get(objectKey);
    if (known !== undefined) return known;
    const rows = this.#statements.byObject.all(rangeOf(`${objectKey}/`));
    const object = rows.length === 0 ? null : this.#objectOf(objectKey, rows);
    this.#objects.set(objectKey, object);
    return object;
  }

  #objectOf(objectKey: string, rows: readonly Row[]): PoolObject {
    const [first] = rows as [Row, ...Row[]];
    const variants = new Map(rows.map(({ identityKey, itemId }) => [variantOf(identityKey), itemId]));
    const names = [...new Set(rows.map(({ marketHashName }) => marketHashName))];
    const { wearMin, wearMax } = first;
    return {
      objectKey,
      type: first.type as ItemType | null,
      phase: phaseOf(first.phase ?? undefined),
      isUnphased: first.identity === "unphased",
      familyKey: first.identity === "unphased" ? objectKey : this.#familyOf(objectKey, first.marketHashName),
      names,
      wearMin,
      wearMax,
      variants,
    };
  }

  /** Matches by definition and name, because a source may list a finish without a phase. */
  #familyOf(objectKey: string, name: string): string | null {
    const definition = definitionOf(objectKey);
    if (definition === null) return null;
    const row = this.#statements.unphasedOfName.get({ ...rangeOf(`${definition}:`), name });
    return row === undefined ? null : objectKeyOf(row.identityKey);
  }
}

/** Returns the key of an entry of `variants`. */
export function variantKey(wear: WearCode, edition: Edition): string {
  return `${wear}/${edition}`;
}

/** The codes of the wears, best first. */
export const wearCodes: readonly WearCode[] = wears.map(({ code }) => code);

const numeric = new Intl.Collator("en", { numeric: true });

/** Returns the weapon of a painted object: `paint:507` for `paint:507:419`. */
function definitionOf(objectKey: string): string | null {
  return /^paint:[^:]+/.exec(objectKey)?.[0] ?? null;
}

/** An identity key consists of object, wear, edition and phase. */
function objectKeyOf(identityKey: string): string {
  return identityKey.split("/").slice(0, -3).join("/");
}

function variantOf(identityKey: string): string {
  return identityKey.split("/").slice(-3, -1).join("/");
}

/** Returns the range of all keys that begin with `prefix`. The last character of `prefix` is `/` or `:`. */
function rangeOf(prefix: string): { from: string; below: string } {
  return { from: prefix, below: prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1) };
}

function prepare(database: Database) {
  const inRange = and(
    gte(items.identityKey, sql.placeholder("from")),
    lt(items.identityKey, sql.placeholder("below")),
    sql`${items.inCatalog}`,
  );
  const select = (where: SQL | undefined) =>
    database.select(columns).from(items).where(where).orderBy(asc(items.itemId));
  const named = eq(items.marketHashName, sql.placeholder("name"));
  return {
    byId: select(and(eq(items.itemId, sql.placeholder("itemId")), sql`${items.inCatalog}`)).prepare(),
    byObject: select(inRange).prepare(),
    bySource: database
      .select({ identityKey: items.identityKey })
      .from(itemSources)
      .innerJoin(items, eq(items.itemId, itemSources.itemId))
      .where(and(eq(itemSources.sourceKey, sql.placeholder("sourceKey")), sql`${items.inCatalog}`))
      .orderBy(asc(items.itemId))
      .prepare(),
    phasedOfName: select(and(inRange, named, isNotNull(items.phase))).prepare(),
    unphasedOfName: select(and(inRange, named, eq(items.identity, "unphased"))).prepare(),
    exactOfName: select(and(named, eq(items.identity, "exact"), sql`${items.inCatalog}`)).prepare(),
    feedDerivedKnives: database
      .select({ name: items.marketHashName })
      .from(items)
      .where(
        and(
          eq(items.origin, "feed_proven"),
          eq(items.type, "Knife"),
          sql`${items.statCounter}`,
          sql`${items.inCatalog}`,
          notExists(
            database
              .select({ one: sql`1` })
              .from(openables)
              .innerJoin(poolOutcomes, eq(poolOutcomes.revisionId, openables.revisionId))
              .where(eq(poolOutcomes.itemId, items.itemId)),
          ),
        ),
      )
      .orderBy(asc(items.itemId))
      .prepare(),
    containers: select(
      and(eq(items.marketHashName, sql.placeholder("marketHashName")), eq(items.type, "Container")),
    ).prepare(),
  };
}
