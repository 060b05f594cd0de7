/** @import { Api } from "../../browser/api.mjs" */
/** @import { Chart, Meta, Provider, Selection, Series } from "./types.mjs" */

import { addDays } from "../../browser/times.mjs";
import { pointsOf, stepSeconds } from "./points.mjs";

const colours = 8;

/**
 * Asks for each side of each provider on its own: only with a provider filter the cause of each gap is that provider's.
 * @throws {ProblemError | TypeError} when `Api.get` does.
 * @param {Api} api
 * @param {Selection & { itemId: number }} selection
 * @param {{ providers: readonly Provider[], today: string, signal: AbortSignal, onProgress: (done: number, total: number) => void }} parts
 * @returns {Promise<Chart>}
 */
export async function loadChart(api, selection, { providers, today, signal, onProgress }) {
  const { resolution, itemId, sides } = selection;
  const path = `/v1/items/${itemId}/history${resolution === "hourly" ? "/hourly" : ""}`;
  const chosen = providers.filter(({ provider }) => selection.providers.includes(provider));
  const pairs = sides.flatMap((side) => chosen.map((provider) => ({ side, provider })));
  const before = api.sent;
  let window = windowOf(selection, today);
  /** @type {Series[]} */
  const series = [];
  for (const { side, provider } of pairs) {
    onProgress(series.length, pairs.length);
    const { rows, meta } = await api.all(
      path,
      { provider: provider.provider, side, ...window, limit: 1000 },
      signal,
      mergeTimes,
    );
    const day = meta.generated_at.slice(0, 10);
    if (series.length === 0 && selection.days !== null && window.to === today && day !== today) {
      // The page was open over midnight: what ends today ends a day later.
      return loadChart(api, selection, { providers, today: day, signal, onProgress });
    }
    // A default window is the server's to resolve; the others keep to it, however the clock moves meanwhile.
    window = { from: meta.from, to: meta.to };
    const number = chosen.indexOf(provider);
    const looks = { letter: letterOf(number), colour: (number % colours) + 1 };
    series.push({ provider, side, ...looks, meta, points: pointsOf(resolution, meta, rows) });
  }
  const points = series[0]?.points ?? [];
  const start = points[0]?.at ?? 0;
  return {
    resolution,
    start,
    step: stepSeconds[resolution],
    count: points.length,
    series,
    requests: api.sent - before,
  };
}

/**
 * Dates left out ask for the default window: of daily prices the last 30 completed days, which every plan may see.
 * @param {Selection} selection
 * @param {string} today
 * @returns {{ from?: string, to?: string }}
 */
function windowOf({ resolution, days, from, to }, today) {
  if (days === null) return { from, to };
  if (resolution === "daily" && days === 30) return {};
  return { from: addDays(today, 1 - days), to: today };
}

/** A, B … Z, A2 … @param {number} number */
function letterOf(number) {
  const round = Math.floor(number / 26);
  return String.fromCharCode(65 + (number % 26)) + (round === 0 ? "" : String(round + 1));
}

const freshnessByAge = ["fresh", "stale", "unknown"];

/** Merges the `meta` of two pages: the oldest source time and the worst freshness. A page without a quote has no source time. @param {Meta} meta @param {Meta} other A later page of the same history. */
function mergeTimes(meta, other) {
  if (other.timestamp_quality === "unknown") return;
  if (meta.timestamp_quality === "unknown") {
    Object.assign(meta, { as_of: other.as_of, freshness: other.freshness, timestamp_quality: other.timestamp_quality });
    return;
  }
  const worst = Math.max(freshnessByAge.indexOf(meta.freshness), freshnessByAge.indexOf(other.freshness));
  meta.freshness = /** @type {Meta["freshness"]} */ (freshnessByAge[worst]);
  const isKnown = meta.as_of !== null && other.as_of !== null;
  meta.as_of = isKnown ? ([meta.as_of, other.as_of].sort()[0] ?? null) : null;
  if (meta.timestamp_quality !== other.timestamp_quality) meta.timestamp_quality = "partial";
}
