import { itemIdMax } from "../../store/read/catalog.ts";
import type { HoldingRecord, NamedItem, TransactionRecord } from "../../store/write/portfolios.ts";
import { amountCentsMax } from "../../values/money/money.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayOf } from "../../values/time/calendar.ts";
import { minorUnitsOn } from "../rates/iso-currencies.ts";
import type { Faults } from "./faults.ts";
import { RowFields } from "./field-parsers.ts";
import type { ParsedRow } from "./parsed-rows.ts";

/** Common fields of a lot and a ledger row of a file. `ref`: their name at the source. */
export type ValidatedLot = Pick<HoldingRecord, "itemId" | "quantity" | "unitCostCents" | "acquiredDay"> & Common;
export type ValidatedTransaction = Pick<
  TransactionRecord,
  "kind" | "itemId" | "quantity" | "unitAmountCents" | "feeCents" | "totalAmountCents" | "provider" | "occurredDay"
> &
  Common & { occurredAt: number | null; lotRef: string | null };

type Common = {
  line: number;
  ref: string;
  costEstimated: boolean;
  notes: string | null;
  externalAccountId: string | null;
};

export type ValidatedRows = {
  lots: ValidatedLot[];
  transactions: ValidatedTransaction[];
  lines: Map<string, number>;
  unresolved: Unresolved[];
};

/** A lot whose name means no item, or one of several `candidates`. `ref`: its name at the source. */
export type Unresolved = { ref: string; name: string; quantity: number; candidates: readonly NamedItem[] };

type RowLookup = {
  item(itemId: number): NamedItem | null;
  itemsNamed(name: string): readonly NamedItem[];
  isProvider(provider: string): boolean;
  /** Returns the item of the stored lot with a reference; null: there is none. */
  itemOfLot(ref: string): number | null;
};

/**
 * What becomes of a lot whose name means several items: it is the one chosen for its reference, or the one that it was before.
 * `leavesOut`: any other is left out and reported, as is one whose name means none; otherwise it is a fault. `guessesPhase` false: a name
 * that phases share means none of them, not even the item without a phase.
 */
export type Resolution = { choices: ReadonlyMap<string, number>; leavesOut: boolean; guessesPhase: boolean };

const nameCharactersMax = 300;
const refCharactersMax = 200;
export const notesCharactersMax = 2000;
const candidatesMax = 8;
const kinds = ["buy", "sell", "transfer_in", "transfer_out", "adjustment"] as const;

/** Checks every row; what is wrong goes to `faults`, and such a row is in neither list. `now`: UTC ms. */
export function validateRows(
  rows: readonly ParsedRow[],
  lookup: RowLookup,
  now: number,
  faults: Faults,
  resolution: Resolution,
): ValidatedRows {
  const validated: ValidatedRows = { lots: [], transactions: [], lines: new Map(), unresolved: [] };
  for (const row of rows) {
    const fields = new RowFields(row, faults);
    const before = faults.count;
    const record = fields.oneOf("record", ["lot", "transaction"]);
    if (record === null) continue;
    fields.refuseOthers(record);
    const common = commonOf(fields, validated.lines);
    const item = itemOf(fields, lookup, record === "lot" ? { ...resolution, ref: common.ref } : null);
    const itemId = typeof item === "object" ? 0 : item;
    refuseOtherMoney(fields, now);
    if (record === "lot") {
      const lot = lotOf(fields, common, itemId, now);
      if (faults.count > before) continue;
      if (typeof item === "object") validated.unresolved.push({ ...item, ref: lot.ref, quantity: lot.quantity });
      else validated.lots.push(lot);
    } else {
      const transaction = transactionOf(fields, common, itemId, now, lookup);
      if (faults.count === before) validated.transactions.push(transaction);
    }
  }
  return validated;
}

function commonOf(fields: RowFields, lines: Map<string, number>): Common {
  const ref = fields.required("integration_ref", refCharactersMax);
  const first = ref === null ? undefined : lines.get(ref);
  if (first !== undefined)
    fields.fault("integration_ref", `\`${displayText(ref!)}\` is on ${fields.place} ${first} already`);
  else if (ref !== null) lines.set(ref, fields.line);
  return {
    line: fields.line,
    ref: ref ?? "",
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
  return `${quantity} of it cost more than ${amountCentsMax} cents`;
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
    fields.fault("provider", `no feed has brought a provider \`${displayText(provider)}\` yet`);
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

/**
 * Returns the item that a row names, by id, by name and phase, or by both where they agree; 0 and a fault for anything else.
 * `resolution` null: a name that does not mean one item is a fault.
 */
function itemOf(
  fields: RowFields,
  lookup: RowLookup,
  resolution: (Resolution & { ref: string }) | null,
): number | NotResolved {
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
  if (item === null) fields.fault("item_id", `there is no item ${itemId}`);
  else if (name !== null && name !== item.marketHashName)
    fields.fault("market_hash_name", `item ${itemId} is called \`${displayText(item.marketHashName)}\``);
  else if (phase !== null && phase !== item.phase)
    fields.fault("phase", item.phase === null ? `item ${itemId} has none` : `item ${itemId} is ${item.phase}`);
  return itemId;
}

/**
 * Without a phase a name that phases share means the item without one, if there is such an identity. An item that left the
 * catalog is meant only where none of the same name and phase is still in it.
 */
function itemNamed(
  fields: RowFields,
  { name, phase }: { name: string; phase: string | null },
  lookup: RowLookup,
  resolution: (Resolution & { ref: string }) | null,
): number | NotResolved | null {
  const sharers = lookup.itemsNamed(name);
  const isAnyPhase = phase === null && resolution?.guessesPhase === false;
  const fitting = isAnyPhase ? sharers : sharers.filter((item) => item.phase === phase);
  const present = fitting.filter(({ inCatalog }) => inCatalog);
  const [found, second] = present.length > 0 ? present : fitting;
  if (found !== undefined && second === undefined) return found.itemId;
  const candidates = found === undefined ? sharers : fitting;
  if (resolution !== null) {
    const { choices, leavesOut, ref } = resolution;
    const chosen = choices.get(ref) ?? lookup.itemOfLot(ref);
    if (candidates.some(({ itemId }) => itemId === chosen)) return chosen;
    if (leavesOut) return { name, candidates };
  }
  return refuseName(fields, name, phase, { candidates, isNone: found === undefined });
}

/** `isNone`: none of the candidates has the phase. */
function refuseName(
  fields: RowFields,
  name: string,
  phase: string | null,
  { candidates, isNone }: { candidates: readonly NamedItem[]; isNone: boolean },
): null {
  if (candidates.length === 0) return fields.fault("market_hash_name", `no item is called \`${displayText(name)}\``);
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
    `several items are called \`${displayText(name)}\`; give item_id or phase: ${which}`,
  );
}

/** Money is never converted: the cents of a file in another currency than the dollar would be read as something else. */
function refuseOtherMoney(fields: RowFields, now: number): void {
  const currency = fields.text("currency", refCharactersMax);
  if (currency === null || currency === "USD") return;
  const isKnown = typeof minorUnitsOn(currency, dayOf(now)) === "number";
  const why = isKnown ? "is not converted; amounts are in USD" : "is no currency of ISO 4217; amounts are in USD";
  fields.fault("currency", `\`${displayText(currency)}\` ${why}`);
}
