import { type FeedFile, fileJson, refusedFile } from "../../import/feed-file.ts";
import { type ItemLookup, itemLookup } from "../../import/quotes/name-index.ts";
import { shapeFault, validatorOf } from "../../import/written-json.ts";
import type { Database } from "../../store/database.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import type { Constituent } from "../../store/write/indexes.ts";
import { decimalText, parseDecimal } from "../../values/money/decimal.ts";
import { fileOfProgram } from "../../values/root.ts";
import { toPlain } from "../../values/text/strict-json.ts";
import { parseDay } from "../../values/time/calendar.ts";
import type { Weighting } from "./level.ts";
import { currentMethodology, methodologies } from "./methodologies.ts";

/** An operator's definition of an index. Days since 1970; null if not given. */
export type Definition = {
  indexId: string;
  name: string;
  description: string;
  provider: string;
  weighting: Weighting;
  baseDay: number;
  /** A plain decimal above 0 with at most four decimals. */
  baseValue: string;
  methodologyVersion: string;
  active: boolean | null;
  effectiveDay: number | null;
  /** Unique, in ascending id order. */
  members: readonly Constituent[];
};

/** Lookup of the items and providers that a definition may name. */
type DefinitionLookup = Pick<ItemLookup, "resolve" | "has"> & { isProvider(provider: string): boolean };

type WrittenMember = { item_id?: number; market_hash_name?: string; phase?: string | null; units?: number };
type WrittenDefinition = {
  index_id: string;
  name: string;
  description: string;
  provider: string;
  weighting: Weighting;
  base_date: string;
  base_value: string;
  methodology_version?: string;
  active?: boolean;
  effective_on?: string;
  members: WrittenMember[];
};

const shape = validatorOf<WrittenDefinition>(fileOfProgram("src/jobs/indexes/index-definition.schema.json"));
const faultsShownMax = 5;

/**
 * Reads the definition of an index.
 * @throws {OperatorError} when the file is invalid. The message names the field.
 */
export function readDefinition(body: FeedFile, lookup: DefinitionLookup): Definition {
  const written = toPlain(fileJson(body));
  const validate = shape();
  if (!validate(written)) throw refusedFile(body.name, shapeFault(validate.errors?.[0], "the definition"));
  const methodologyVersion = written.methodology_version ?? currentMethodology;
  if (!methodologies.has(methodologyVersion)) {
    const known = [...methodologies.keys()].join(", ");
    throw refusedFile(body.name, `\`methodology_version\`: unknown version \`${methodologyVersion}\`; use ${known}`);
  }
  if (!lookup.isProvider(written.provider)) {
    throw refusedFile(body.name, `\`provider\`: no feed has the provider \`${written.provider}\` yet`);
  }
  return {
    indexId: written.index_id,
    name: written.name,
    description: written.description,
    provider: written.provider,
    weighting: written.weighting,
    baseDay: dayIn(body, "base_date", written.base_date),
    baseValue: baseValueIn(body, written.base_value),
    methodologyVersion,
    active: written.active ?? null,
    effectiveDay: written.effective_on === undefined ? null : dayIn(body, "effective_on", written.effective_on),
    members: membersIn(body, written.members, lookup),
  };
}

function dayIn(body: FeedFile, name: string, text: string): number {
  const day = parseDay(text);
  if (day === null) throw refusedFile(body.name, `\`${name}\`: the date does not exist: ${text}`);
  return day;
}

function baseValueIn(body: FeedFile, text: string): string {
  const value = parseDecimal(text);
  if (value === null || value.units === 0n) throw refusedFile(body.name, "`base_value`: must be above 0");
  return decimalText(value);
}

/** Creates a lookup of the providers and items of a database. */
export function definitionLookup(database: Database): DefinitionLookup {
  const providers = new ProvidersStore(database);
  const lookup = itemLookup(database);
  return { ...lookup, isProvider: (provider) => providers.exists(provider) };
}

/** Returns all members. Rejects the file with the first few errors if some members are invalid. */
function membersIn(body: FeedFile, written: readonly WrittenMember[], lookup: DefinitionLookup): Constituent[] {
  const placeOf = new Map<number, number>();
  const faults: string[] = [];
  const members = written.flatMap((member, index) => {
    const itemId = itemOf(member, lookup);
    const first = typeof itemId === "number" ? placeOf.get(itemId) : undefined;
    if (typeof itemId === "string") faults.push(`members[${index}]: ${itemId}`);
    else if (first !== undefined) faults.push(`members[${index}]: the same item ${itemId} as members[${first}]`);
    else {
      placeOf.set(itemId, index);
      return [{ itemId, units: member.units ?? 1 }];
    }
    return [];
  });
  if (faults.length > 0) {
    const more = faults.length > faultsShownMax ? `; and ${faults.length - faultsShownMax} more` : "";
    throw refusedFile(body.name, faults.slice(0, faultsShownMax).join("; ") + more);
  }
  return members.toSorted((one, other) => one.itemId - other.itemId);
}

/** Returns the id of a member's item, or a text with the error. */
function itemOf({ item_id, market_hash_name: name, phase }: WrittenMember, lookup: DefinitionLookup): number | string {
  if ((item_id === undefined) === (name === undefined)) return "give either `item_id` or `market_hash_name`";
  if (item_id !== undefined) {
    if (phase !== undefined) return "`item_id` includes the phase; leave out `phase`";
    return lookup.has(item_id) ? item_id : `unknown item ${item_id}`;
  }
  const shown = `\`${name}\`${typeof phase === "string" ? ` in ${phase}` : ""}`;
  const found = lookup.resolve(name!, phase ?? null);
  if (found.kind === "ambiguous_name") return `several items have the name ${shown}; give \`item_id\``;
  return found.kind === "exact" || found.kind === "unphased" ? found.itemId : `no item has the name ${shown}`;
}
