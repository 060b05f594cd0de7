// The requests of the page. main.ts decides when to send them.
import type { Meta } from "../../../client/types.ts";
import { addDays } from "../../../values/time/time-text.ts";
import { type Api, answerOf } from "../../browser/api.ts";
import type { Source } from "../../browser/sources.ts";
import { areOf } from "./numbers.ts";
import type { HistoryRow, Openable, OpenableDetail, Outcome, Selection } from "./types.ts";

/**
 * A container with all outcomes, read at `now`. `isWhole` is false if outcomes and figures do not match, because a calculation was
 * published between the two requests. `names` are provider names by slug. `sources` are the active providers.
 */
export type LoadedDetail = {
  openable: OpenableDetail;
  outcomes: Outcome[];
  names: ReadonlyMap<string, string>;
  sources: readonly Source[];
  now: string;
  isWhole: boolean;
};

export type LoadedHistory = { rows: HistoryRow[]; meta: Meta<"getOpenableHistory"> };

/** Reads all containers of a mode. */
export async function loadList(
  api: Api,
  { mode }: Selection,
  signal: AbortSignal,
): Promise<{ openables: Openable[]; now: string }> {
  const { rows, meta } = await api.all("listOpenables", { valuation_mode: mode, limit: 1000 }, signal);
  return { openables: rows, now: meta.generated_at };
}

/** Reads one container. */
export async function loadDetail(api: Api, { slug, mode }: Selection, signal: AbortSignal): Promise<LoadedDetail> {
  const wanted = { slug: slug ?? "", valuation_mode: mode };
  const of = { ...wanted, limit: 1000 };
  const [openable, outcomes, providers] = await api.readBatch(
    [
      ["getOpenable", wanted],
      ["listOpenableOutcomes", of],
      ["listProviders", { limit: 100 }],
    ],
    signal,
  );
  const { data, meta } = answerOf(openable);
  const first = answerOf(outcomes);
  const isAll = first.meta.next_page === null;
  const rows = isAll ? first.data : (await api.all("listOpenableOutcomes", of, signal)).rows;
  const isWhole = data.current === null || areOf(data.current, rows);
  const sources = (providers.answer?.data ?? []).filter(({ active }) => active);
  const names = new Map(providers.answer?.data.map(({ provider, name }) => [provider, name]));
  return { openable: data, outcomes: [...rows], names, sources, now: meta.generated_at, isWhole };
}

/** Reads the history of one container. `now` is the latest time of the API. */
export function loadHistory(
  api: Api,
  { slug, mode, granularity, days, methodology }: Selection,
  now: string,
  signal: AbortSignal,
): Promise<LoadedHistory> {
  const today = now.slice(0, 10);
  // The default window is resolved by the server.
  const window = days === 31 ? {} : { from: addDays(today, 1 - days), to: today };
  const version = methodology === "" ? {} : { methodology_version: methodology };
  const params = { slug: slug ?? "", valuation_mode: mode, granularity, ...window, ...version, limit: 2000 };
  return api.all("getOpenableHistory", params, signal);
}
