import { itemIdMax } from "../../store/read/catalog.ts";
import type { HoldingRecord, NamedItem, TransactionRecord } from "../../store/write/portfolios.ts";
import { amountCentsMax } from "../../values/money/money.ts";
import { displayText } from "../../values/text/display-text.ts";
import { comparableName } from "../../values/text/item-names.ts";
import { dayOf } from "../../values/time/calendar.ts";
import { minorUnitsOn } from "../rates/iso-currencies.ts";
import type { Faults } from "./faults.ts";
import { RowFields } from "./field-parsers.ts";
import type { ParsedRow } from "./rows.ts";
import { steamSource } from "./sources.ts";

/** Common fields of a lot and a ledger row. `ref` is their name at the source. */
export type ValidatedLot = Pick<HoldingRecord, "itemId" | "quantity" | "unitCostCents" | "acquiredDay"> & Common;
export type ValidatedTransaction = Pick<
  TransactionRecord,
  "kind" | "itemId" | "quantity" | "unitAmountCents" | "feeCents" | "totalAmountCents" | "provider" | "occurredDay"
> &
  Common & { occurredAt: number | null; lotRef: string | null };

/** `faults` belongs to the row's file. `source` is the kind of lots from the row's file. */
type Common = {
  line: number;
  faults: Faults;
  ref: string;
  source: string;
  costEstimated: boolean;
  notes: string | null;
  externalAccountId: string | null;
};

export type ValidatedRows = {
  lots: ValidatedLot[];
  transactions: ValidatedTransaction[];
  unresolved: Unresolved[];
};

/** The rows and faults of one file. */
export type FileRows = { rows: readonly ParsedRow[]; faults: Faults };

/** A lot with an unknown name, or with a name that several `candidates` share. `ref` is its name at the source. */
export type Unresolved = { ref: string; name: string; quantity: number; candidates: readonly NamedItem[] };

type RowLookup = {
  item(itemId: number): NamedItem | null;
  itemsNamed(name: string): readonly NamedItem[];
  isProvider(provider: string): boolean;
  /** Returns the item of the stored or formerly stored row with this reference. Null if it does not exist. */
  itemOf(ref: string): number | null;
};

/**
 * How to resolve a lot with an ambiguous name. It uses the choice for its reference, or its earlier item. With `leavesOut` other such lots,
 * and lots with an unknown name, are skipped and reported. Otherwise they are faults.
 */
export type Resolution = { choices: ReadonlyMap<string, number>; leavesOut: boolean };

/** The first use of each reference. */
type Places = Map<string, { line: number; faults: Faults }>;
/** Facts for all rows of an import. `account` is the name of the Steam account, or "". `source` is the kind of rows outside inventories. */
type Context = {
  lookup: RowLookup;
  now: number;
  resolution: Resolution;
  account: string;
  source: string;
  places: Places;
};

const nameCharactersMax = 300;
const refCharactersMax = 200;
export const notesCharactersMax = 2000;
const candidatesMax = 8;
const kinds = ["buy", "sell", "transfer_in", "transfer_out", "adjustment"] as const;

/** Checks every row of the files. An invalid row is added to the faults of its file and left out of the result. `now` is UTC ms. */
export function validateRows(files: readonly FileRows[], asked: Omit<Context, "places">): ValidatedRows {
  const validated: ValidatedRows = { lots: [], transactions: [], unresolved: [] };
  const context = { ...asked, places: new Map() };
  for (const { rows, faults } of files) for (const row of rows) validateRow(row, faults, context, validated);
  return validated;
}

function validateRow(row: ParsedRow, faults: Faults, context: Context, validated: ValidatedRows): void {
  const { lookup, now, resolution } = context;
  const fields = new RowFields(row, faults);
  const before = faults.count;
  const record = fields.oneOf("record", ["lot", "transaction"]);
  if (record === null) return;
  fields.refuseOthers(record);
  const common = commonOf(fields, row, faults, context);
  const leavesOut = resolution.leavesOut && record === "lot";
  const item = itemOf(fields, lookup, { ...resolution, leavesOut, ref: common.ref });
  const itemId = typeof item === "object" ? 0 : item;
  refuseOtherMoney(fields, now);
  if (record === "lot") {
    const lot = lotOf(fields, common, itemId, now);
    if (faults.count > before) return;
    if (typeof item === "object") validated.unresolved.push({ ...item, ref: lot.ref, quantity: lot.quantity });
    else validated.lots.push(lot);
  } else {
    const transaction = transactionOf(fields, common, itemId, now, lookup);
    if (faults.count === before) validated.transactions.push(transaction);
  }
}

function commonOf(fields: RowFields, { line, context: game }: ParsedRow, faults: Faults, context: Context): Common {
  const { places, account, source } = context;
  const ref = fields.required("integration_ref", refCharactersMax);
  const first = ref === null ? undefined : places.get(ref);
  if (first !== undefined) {
    const of = first.faults === faults ? "" : ` of ${first.faults.name}`;
    fields.fault("integration_ref", `\`${displayText(ref!)}\` is on ${first.faults.place} ${first.line}${of} already`);
  } else if (ref !== null) places.set(ref, { line, faults });
  return {
    line,
    faults,
    ref: ref ?? "",
    source: game === undefined ? source : steamSource(game, account),
    costEstimated: fields.flag("cost_estimated") ?? false,
    notes: fields.text("notes", notesCharactersMax),
    externalAccountId: fields.text("external_account_id", refCharactersMax),
  };
}

function lotOf(fields: RowFields, common: Common, itemId: number, now: number): ValidatedLot {
  const quantity = fields.quantity(false) ?? 0;
  const unitCostCents = fields.cents("unit_cost");
  if (BigInt(quantity) * BigInt(unitCostCents ?? 0) > BigInt(amountCentsMax))
    fields.fault(fields.has("unit_cost_usd") ? "unit_cost_usd" : "unit_cost_cents", tooDear(quantity));
  return {
    ...common,
    itemId,
    quantity,
    unitCostCents,
    acquiredDay: fields.day("acquired_on", now),
  };
}

function tooDear(quantity: number): string {
  return `${quantity} in total cost more than ${amountCentsMax} cents`;
}

function transactionOf(
  fields: RowFields,
  common: Common,
  itemId: number,
  now: number,
  lookup: RowLookup,
): ValidatedTransaction {
  const kind = fields.oneOf("kind", kinds) ?? "adjustment";
  const provider = fields.text("provider", refCharactersMax);
  if (provider !== null && !lookup.isProvider(provider))
    fields.fault("provider", `no feed has the provider \`${displayText(provider)}\` yet`);
  const occurredAt = fields.instant("occurred_at", now);
  return {
    ...common,
    kind,
    itemId,
    quantity: fields.quantity(kind === "adjustment") ?? 0,
    unitAmountCents: fields.cents("unit_amount"),
    feeCents: fields.cents("fee"),
    totalAmountCents: fields.cents("total_amount"),
    provider,
    occurredAt,
    occurredDay: occurredDayOf(fields, occurredAt, now),
    lotRef: fields.text("lot_ref", refCharactersMax),
  };
}

function occurredDayOf(fields: RowFields, occurredAt: number | null, now: number): number {
  const day = fields.day("occurred_on", now);
  const dayOfInstant = occurredAt === null ? null : dayOf(occurredAt);
  if (!fields.has("occurred_on") && !fields.has("occurred_at")) fields.fault("occurred_on", "is missing");
  if (day !== null && dayOfInstant !== null && day !== dayOfInstant)
    fields.fault("occurred_at", "is on another UTC day than occurred_on");
  return day ?? dayOfInstant ?? 0;
}

type NotResolved = Pick<Unresolved, "name" | "candidates">;

/** Returns the item that a row names, by id, by name and phase, or by both if they agree. Otherwise adds a fault and returns 0. */
function itemOf(fields: RowFields, lookup: RowLookup, resolution: Resolution & { ref: string }): number | NotResolved {
  const name = fields.text("market_hash_name", nameCharactersMax);
  const phase = fields.text("phase", nameCharactersMax);
  if (!fields.has("item_id")) {
    if (name !== null) return itemNamed(fields, { name, phase }, lookup, resolution) ?? 0;
    if (!fields.has("market_hash_name")) fields.fault("item_id", "is missing; give it or market_hash_name");
    return 0;
  }
  const itemId = fields.whole("item_id", 1, itemIdMax);
  if (itemId === null) return 0;
  const item = lookup.item(itemId);
  if (item === null) fields.fault("item_id", `unknown item ${itemId}`);
  else if (name !== null && comparableName(name) !== comparableName(item.marketHashName))
    fields.fault("market_hash_name", `item ${itemId} has the name \`${displayText(item.marketHashName)}\``);
  else if (phase !== null && phase !== item.phase)
    fields.fault("phase", item.phase === null ? `item ${itemId} has none` : `item ${itemId} is ${item.phase}`);
  return itemId;
}

/**
 * Finds the item of a name. Without a phase, a name shared by phases is ambiguous, even if one item has no phase. It is resolved by the
 * choice for its reference, or by its earlier item. An item outside the catalog matches only if no catalog item has the same name and
 * phase.
 */
function itemNamed(
  fields: RowFields,
  { name, phase }: { name: string; phase: string | null },
  lookup: RowLookup,
  { choices, leavesOut, ref }: Resolution & { ref: string },
): number | NotResolved | null {
  const sharers = lookup.itemsNamed(name);
  const fitting = phase === null ? sharers : sharers.filter((item) => item.phase === phase);
  const present = fitting.filter(({ inCatalog }) => inCatalog);
  const [found, second] = present.length > 0 ? present : fitting;
  if (found !== undefined && second === undefined) return found.itemId;
  const candidates = found === undefined ? sharers : fitting;
  const chosen = choices.get(ref) ?? lookup.itemOf(ref);
  if (candidates.some(({ itemId }) => itemId === chosen)) return chosen;
  if (leavesOut) return { name, candidates };
  return refuseName(fields, name, phase, { candidates, isNone: found === undefined });
}

/** `isNone` is true if no candidate has the phase. */
function refuseName(
  fields: RowFields,
  name: string,
  phase: string | null,
  { candidates, isNone }: { candidates: readonly NamedItem[]; isNone: boolean },
): null {
  if (candidates.length === 0) return fields.fault("market_hash_name", `no item has the name \`${displayText(name)}\``);
  const listed = candidates
    .slice(0, candidatesMax)
    .map((item) => `${item.itemId}${item.phase === null ? "" : ` (${item.phase})`}`);
  const more = candidates.length > candidatesMax ? ` and ${candidates.length - candidatesMax} more` : "";
  const which = `${listed.join(", ")}${more}`;
  if (isNone && phase !== null)
    return fields.fault(
      "phase",
      `\`${displayText(name)}\` has no phase \`${displayText(phase)}\`; its items are ${which}`,
    );
  return fields.fault(
    "market_hash_name",
    `several items have the name \`${displayText(name)}\`; give item_id or phase: ${which}`,
  );
}

/** Money is never converted: cents in another currency would be read as dollars. */
function refuseOtherMoney(fields: RowFields, now: number): void {
  const currency = fields.text("currency", refCharactersMax);
  if (currency === null || currency === "USD") return;
  const isKnown = typeof minorUnitsOn(currency, dayOf(now)) === "number";
  const why = isKnown
    ? "is not converted: write amounts in USD, or leave them empty"
    : "is not an ISO 4217 currency; amounts are in USD";
  fields.fault("currency", `\`${displayText(currency)}\` ${why}`);
}
