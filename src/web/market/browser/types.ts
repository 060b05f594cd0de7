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
/** An item of a list; its prices are null on the Free plan. */
export type ListedItem = Pick<RowOf<"listItems">, Facts | Prices>;
export type Item = Omit<ListedItem, Prices> & Partial<ListedItem>;
export type Provider = Pick<
  RowOf<"listProviders">,
  "provider" | "name" | "active" | "has_bids" | "last_checked_at" | "unchanged_since"
>;
/** An offer or an order. */
export type Quote = Pick<Data<"getMarketPrices">["asks"][number], "provider" | "amount" | "quantity" | "url" | "as_of">;
/** A row of either history; keys of the other history are absent. */
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
/** One hour or day of the window; `at` is its first second, `row` is null if the API has none. */
export type Point = { at: number; state: "quoted" | Cause; row: Row | null };
/**
 * A line of the chart: a side of one provider, or of one of several items. `key` distinguishes them, `name` is for people, `colour` is the
 * number of its colour from 1, 0 for grey. `markets`: names of providers by slug, for a line of the best price of several.
 */
export type Series = {
  key: string;
  name: string;
  letter: string;
  colour: number;
  side: Side;
  points: readonly Point[];
  markets?: ReadonlyMap<string, string>;
};
/**
 * `step`: seconds from one point to the next; all series have the same points in time. `from` and `to` are its days. `generatedAt`: the
 * time of its last answer.
 */
export type Chart = {
  resolution: Resolution;
  start: number;
  step: number;
  count: number;
  from: string;
  to: string;
  generatedAt: string;
  series: readonly Series[];
};
