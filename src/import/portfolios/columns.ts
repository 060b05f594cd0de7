type Column = {
  /** Type in JSON. In CSV every value is text. */
  json: "string" | "number" | "boolean";
  /** The kinds of records with this column. */
  of: "both" | "lot" | "transaction";
};

export const columns = {
  record: { json: "string", of: "both" },
  integration_ref: { json: "string", of: "both" },
  item_id: { json: "number", of: "both" },
  market_hash_name: { json: "string", of: "both" },
  phase: { json: "string", of: "both" },
  quantity: { json: "number", of: "both" },
  currency: { json: "string", of: "both" },
  cost_estimated: { json: "boolean", of: "both" },
  notes: { json: "string", of: "both" },
  external_account_id: { json: "string", of: "both" },
  unit_cost_cents: { json: "number", of: "lot" },
  unit_cost_usd: { json: "number", of: "lot" },
  acquired_on: { json: "string", of: "lot" },
  kind: { json: "string", of: "transaction" },
  lot_ref: { json: "string", of: "transaction" },
  unit_amount_cents: { json: "number", of: "transaction" },
  unit_amount_usd: { json: "number", of: "transaction" },
  fee_cents: { json: "number", of: "transaction" },
  fee_usd: { json: "number", of: "transaction" },
  total_amount_cents: { json: "number", of: "transaction" },
  total_amount_usd: { json: "number", of: "transaction" },
  provider: { json: "string", of: "transaction" },
  occurred_on: { json: "string", of: "transaction" },
  occurred_at: { json: "string", of: "transaction" },
} as const satisfies Record<string, Column>;

export type ColumnName = keyof typeof columns;
export type AmountName = "unit_cost" | "unit_amount" | "fee" | "total_amount";

/** Amounts in cents or in dollars. A file never mixes the two. */
export const amountNames: readonly AmountName[] = ["unit_cost", "unit_amount", "fee", "total_amount"];

export const columnNames = Object.keys(columns) as ColumnName[];

/** Returns whether a portfolio file may have this column. */
export function isColumn(name: string): name is ColumnName {
  return Object.hasOwn(columns, name);
}
