import { itemIdMax } from "../../store/catalog.ts";
import type { HoldingRecord, NamedItem, TransactionRecord } from "../../store/write/portfolios.ts";
import { dayOf } from "../../values/calendar.ts";
import { displayText } from "../../values/display-text.ts";
import { amountCentsMax } from "../../values/money.ts";
import { minorUnitsOn } from "../rates/iso-currencies.ts";
import type { Faults } from "./faults.ts";
import { RowCells } from "./field-parsers.ts";
import type { StatedRow } from "./parsed-rows.ts";

/** Common fields of a lot and a ledger row of a file. `ref`: their name at the source. */
export type StatedLot = Pick<HoldingRecord, "itemId" | "quantity" | "unitCostCents" | "acquiredDay"> & Common;
export type StatedTransaction = Pick<
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

export type JudgedRows = { lots: StatedLot[]; transactions: StatedTransaction[]; lines: Map<string, number> };

/** Data that rows are checked against. */
export type RowLookup = {
  item(itemId: number): NamedItem | null;
  itemsNamed(name: string): readonly NamedItem[];
  isProvider(provider: string): boolean;
};

const nameCharactersMax = 300;
const refCharactersMax = 200;
export const notesCharactersMax = 2000;
const candidatesTold = 8;
const kinds = ["buy", "sell", "transfer_in", "transfer_out", "adjustment"] as const;

/** Judges every row; what is wrong goes to `faults`, and such a row is in neither list. `now`: UTC ms. */
export function judgeRows(rows: readonly StatedRow[], lookup: RowLookup, now: number, faults: Faults): JudgedRows {
  const judged: JudgedRows = { lots: [], transactions: [], lines: new Map() };
  for (const row of rows) {
    const cells = new RowCells(row, faults);
    const before = faults.count;
    const record = cells.oneOf("record", ["lot", "transaction"]);
    if (record === null) continue;
    cells.refuseOthers(record);
    const common = commonOf(cells, judged.lines);
    const item = itemOf(cells, lookup);
    refuseOtherMoney(cells, now);
    if (record === "lot") {
      const lot = lotOf(cells, common, item, now);
      if (faults.count === before) judged.lots.push(lot);
    } else {
      const transaction = transactionOf(cells, common, item, now, lookup);
      if (faults.count === before) judged.transactions.push(transaction);
    }
  }
  return judged;
}

function commonOf(cells: RowCells, lines: Map<string, number>): Common {
  const ref = cells.required("integration_ref", refCharactersMax);
  const first = ref === null ? undefined : lines.get(ref);
  if (first !== undefined) cells.fault("integration_ref", `\`${displayText(ref!)}\` is on line ${first} already`);
  else if (ref !== null) lines.set(ref, cells.line);
  return {
    line: cells.line,
    ref: ref ?? "",
    costEstimated: cells.flag("cost_estimated") ?? false,
    notes: cells.text("notes", notesCharactersMax),
    externalAccountId: cells.text("external_account_id", refCharactersMax),
  };
}

function lotOf(cells: RowCells, common: Common, itemId: number, now: number): StatedLot {
  const quantity = cells.quantity(false) ?? 0;
  const unitCostCents = cells.cents("unit_cost");
  if (BigInt(quantity) * BigInt(unitCostCents ?? 0) > BigInt(amountCentsMax))
    cells.fault(cells.has("unit_cost_usd") ? "unit_cost_usd" : "unit_cost_cents", tooDear(quantity));
  return {
    ...common,
    itemId,
    quantity,
    unitCostCents,
    acquiredDay: cells.day("acquired_on", now),
  };
}

function tooDear(quantity: number): string {
  return `${quantity} of it cost more than ${amountCentsMax} cents`;
}

function transactionOf(
  cells: RowCells,
  common: Common,
  itemId: number,
  now: number,
  lookup: RowLookup,
): StatedTransaction {
  const kind = cells.oneOf("kind", kinds) ?? "adjustment";
  const provider = cells.text("provider", refCharactersMax);
  if (provider !== null && !lookup.isProvider(provider))
    cells.fault("provider", `no feed has brought a provider \`${displayText(provider)}\` yet`);
  const occurredAt = cells.instant("occurred_at", now);
  return {
    ...common,
    kind,
    itemId,
    quantity: cells.quantity(kind === "adjustment") ?? 0,
    unitAmountCents: cells.cents("unit_amount"),
    feeCents: cells.cents("fee"),
    totalAmountCents: cells.cents("total_amount"),
    provider,
    occurredAt,
    occurredDay: occurredDayOf(cells, occurredAt, now),
    lotRef: cells.text("lot_ref", refCharactersMax),
  };
}

function occurredDayOf(cells: RowCells, occurredAt: number | null, now: number): number {
  const day = cells.day("occurred_on", now);
  const dayOfInstant = occurredAt === null ? null : dayOf(occurredAt);
  if (!cells.has("occurred_on") && !cells.has("occurred_at")) cells.fault("occurred_on", "is missing");
  if (day !== null && dayOfInstant !== null && day !== dayOfInstant)
    cells.fault("occurred_at", "is on another UTC day than occurred_on");
  return day ?? dayOfInstant ?? 0;
}

/** The item that a row names, by id, by name and phase, or by both where they agree; 0 and a fault for anything else. */
function itemOf(cells: RowCells, lookup: RowLookup): number {
  const name = cells.text("market_hash_name", nameCharactersMax);
  const phase = cells.text("phase", nameCharactersMax);
  if (!cells.has("item_id")) {
    if (name !== null) return itemNamed(cells, name, phase, lookup) ?? 0;
    if (!cells.has("market_hash_name")) cells.fault("item_id", "is missing; give it or market_hash_name");
    return 0;
  }
  const itemId = cells.whole("item_id", 1, itemIdMax);
  if (itemId === null) return 0;
  const item = lookup.item(itemId);
  if (item === null) cells.fault("item_id", `there is no item ${itemId}`);
  else if (name !== null && name !== item.marketHashName)
    cells.fault("market_hash_name", `item ${itemId} is called \`${displayText(item.marketHashName)}\``);
  else if (phase !== null && phase !== item.phase)
    cells.fault("phase", item.phase === null ? `item ${itemId} has none` : `item ${itemId} is ${item.phase}`);
  return itemId;
}

/**
 * Without a phase a name that phases share means the item without one, if there is such an identity. An item that left the
 * catalog is meant only where none of the same name and phase is still in it.
 */
function itemNamed(cells: RowCells, name: string, phase: string | null, lookup: RowLookup): number | null {
  const sharers = lookup.itemsNamed(name);
  const fitting = sharers.filter((item) => item.phase === phase);
  const present = fitting.filter(({ inCatalog }) => inCatalog);
  const [found, second] = present.length > 0 ? present : fitting;
  if (found !== undefined && second === undefined) return found.itemId;
  if (sharers.length === 0) return cells.fault("market_hash_name", `no item is called \`${displayText(name)}\``);
  const candidates = found === undefined ? sharers : fitting;
  const listed = candidates
    .slice(0, candidatesTold)
    .map((item) => `${item.itemId}${item.phase === null ? "" : ` (${item.phase})`}`);
  const more = candidates.length > candidatesTold ? ` and ${candidates.length - candidatesTold} more` : "";
  const which = `${listed.join(", ")}${more}`;
  if (found === undefined && phase !== null)
    return cells.fault(
      "phase",
      `\`${displayText(name)}\` has no phase \`${displayText(phase)}\`; its items are ${which}`,
    );
  return cells.fault(
    "market_hash_name",
    `several items are called \`${displayText(name)}\`; give item_id or phase: ${which}`,
  );
}

/** Money is never converted: a file that says another currency than the dollar is not what its cents would be read as. */
function refuseOtherMoney(cells: RowCells, now: number): void {
  const currency = cells.text("currency", refCharactersMax);
  if (currency === null || currency === "USD") return;
  const isKnown = typeof minorUnitsOn(currency, dayOf(now)) === "number";
  const why = isKnown ? "is not converted; amounts are in USD" : "is no currency of ISO 4217; amounts are in USD";
  cells.fault("currency", `\`${displayText(currency)}\` ${why}`);
}
