// All requests of the page, apart from main.mjs, which decides when they are sent.
/** @import { Api } from "../../browser/api.mjs" */
/** @import { Openable, OpenableDetail, Outcome, Selection } from "./types.mjs" */
import { addDays } from "../../../values/time/time-text.mjs";
import { areOf } from "./numbers.mjs";

/**
 * Reads all containers of a mode, page after page.
 * @throws {ProblemError | TypeError} when `Api.get` does.
 * @param {Api} api
 * @param {Selection} selection
 * @param {AbortSignal} signal
 * @returns {Promise<{ openables: Openable[], now: string }>}
 */
export async function loadList(api, { mode }, signal) {
  const { rows, meta } = await api.all("/v1/openables", { valuation_mode: mode, limit: 100 }, signal);
  return { openables: rows, now: meta.generated_at };
}

/**
 * Loads one container with every outcome. `isWhole` false: the outcomes are of another calculation than the figures, because one was
 * published between the two answers.
 * @param {Api} api
 * @param {Selection} selection
 * @param {AbortSignal} signal
 * @returns {Promise<{ openable: OpenableDetail, outcomes: Outcome[], now: string, isWhole: boolean }>}
 */
export async function loadDetail(api, { slug, mode }, signal) {
  const path = `/v1/openables/${slug}`;
  const { data, meta } = await api.get(path, { valuation_mode: mode }, signal);
  const { rows } = await api.all(`${path}/outcomes`, { valuation_mode: mode, limit: 1000 }, signal);
  const isWhole = data.current === null || areOf(data.current, rows);
  return { openable: data, outcomes: rows, now: meta.generated_at, isWhole };
}

/**
 * @param {Api} api
 * @param {Selection} selection
 * @param {string} now The latest time of the API.
 * @param {AbortSignal} signal
 * @returns {Promise<{ rows: any[], meta: any }>}
 */
export function loadHistory(api, { slug, mode, granularity, days, methodology }, now, signal) {
  const today = now.slice(0, 10);
  // The default window is the server's to resolve.
  const window = days === 31 ? {} : { from: addDays(today, 1 - days), to: today };
  const version = methodology === "" ? {} : { methodology_version: methodology };
  const params = { valuation_mode: mode, granularity, ...window, ...version, limit: 2000 };
  return api.all(`/v1/openables/${slug}/history`, params, signal);
}
