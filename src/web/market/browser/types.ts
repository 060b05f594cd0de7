import type { Data, Row as RowOf } from "../../../client/types.ts";

export type Resolution = "daily" | "hourly";
export type Side = "ask" | "bid";
export type Cause = "item_missing" | "no_quote" | "no_frame" | "no_observation" | "not_begun";
type Facts =
  | "image_url"
  | "item_id"
  | "market_hash_name"
  | "name_ru"
  | "type"
  | "rarity"
  | "phase"
  | "wear"
  | "stat_counter"
  | "souvenir";
type Prices = "best_ask_cents" | "best_ask_provider" | "price_updated_at";
/** An item of a list. Its prices are null on the Free plan. */
export type ListedItem = Pick<RowOf<"listItems">, Facts | Prices>;
export type Item = Omit<ListedItem, Prices> & Partial<ListedItem>;
export type Provider = Pick<
  RowOf<"listProviders">,
  | "provider"
  | "name"
  | "active"
  | "has_bids"
  | "last_checked_at"
  | "unchanged_since"
  | "terms_url"
  | "terms_read_on"
  | "redistribution"
  | "attribution"
>;
/** An ask or a bid. */
export type Quote = Pick<Data<"getMarketPrices">["asks"][number], "provider" | "amount" | "quantity" | "url" | "as_of">;
/** A row of hourly or daily history. Keys of the other history are absent. */
export type Row = {
  ts?: string;
  date?: string;
  provider: string | null;
  side: Side;
  amount: number | null;
  low_amount?: number;
  high_amount?: number;
  observations?: number;
  quantity: number | null;
  availability?: "quoted" | "item_missing" | "no_quote";
  complete?: boolean;
  ingested_at?: string;
  checked_at?: string;
  recorded_at?: string;
  source_observed_at: string | null;
};
export type Meta = { generated_at: string; from: string; to: string };
/** An hour or day of the window. `at` is its first second; `row` is null if the API returned none. */
export type Point = { at: number; state: "quoted" | Cause; row: Row | null };
/**
 * A line of the chart: a side of one provider, or of one of several items. `key` identifies it, `name` is its label. `colour` is its colour
 * number from 1, or 0 for grey. `markets` are provider names by slug, for a line of best prices. `knownRows` are the rows of `points` as
 * known at the earlier instant of the chart.
 */
export type Series = {
  key: string;
  name: string;
  letter: string;
  colour: number;
  side: Side;
  points: readonly Point[];
  markets?: ReadonlyMap<string, string>;
  knownRows?: readonly (Row | null)[];
};
/**
 * A chart. `step` is the seconds between points; all series have the same times. `from` and `to` are its days. `generatedAt` is the time of
 * the last response. `knownSince` is the begin of the log of the data, null if it is unknown. `knownAt` is the earlier instant of the second
 * lines, null without them. `refusal` is the API's refusal of them, or null.
 */
export type Chart = {
  knownSince: string | null;
  knownAt: string | null;
  refusal: Error | null;
  resolution: Resolution;
  start: number;
  step: number;
  count: number;
  from: string;
  to: string;
  generatedAt: string;
  series: readonly Series[];
};
