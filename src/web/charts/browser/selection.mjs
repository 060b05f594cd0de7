/** @import { Selection, Side } from "./types.mjs" */

/** Windows that can be chosen by their length in days; the first one is the default. */
export const presets = {
  daily: [
    { days: 30, words: "last 30 completed days" },
    { days: 90, words: "last 90 days" },
    { days: 366, words: "last 366 days" },
  ],
  hourly: [
    { days: 2, words: "today and yesterday" },
    { days: 7, words: "last 7 days" },
    { days: 31, words: "last 31 days" },
  ],
};

/**
 * Reads the selection from the fragment of the address. Defaults stand in for what it leaves out or has wrong.
 * @param {string} fragment
 * @returns {Selection}
 */
export function readFragment(fragment) {
  const params = new URLSearchParams(fragment.replace(/^#/, ""));
  const item = params.get("item") ?? "";
  const resolution = params.get("resolution") === "hourly" ? "hourly" : "daily";
  const from = dateOf(params.get("from"));
  const to = dateOf(params.get("to"));
  const asked = Number(params.get("days"));
  const preset = presets[resolution].find(({ days }) => days === asked) ?? presets[resolution][0];
  const sides = (params.get("sides") ?? "").split(",").filter(isSide);
  return {
    itemId: /^[1-9]\d{0,9}$/.test(item) ? Number(item) : null,
    resolution,
    days: from !== "" && to !== "" ? null : (preset?.days ?? null),
    from,
    to,
    sides: sides.length > 0 ? [...new Set(sides)] : ["ask"],
    providers: (params.get("providers") ?? "").split(",").filter((slug) => /^[a-z0-9][a-z0-9-]{0,59}$/.test(slug)),
  };
}

/**
 * Returns the URL fragment from which the same selection is read again. The key is no part of it.
 * @param {Selection} selection
 */
export function writeFragment({ itemId, resolution, days, from, to, sides, providers }) {
  const parts = [
    ...(itemId === null ? [] : [`item=${itemId}`]),
    `resolution=${resolution}`,
    ...(days === null ? [`from=${from}`, `to=${to}`] : [`days=${days}`]),
    `sides=${sides.join(",")}`,
    `providers=${providers.join(",")}`,
  ];
  return `#${parts.join("&")}`;
}

/** @param {string | null} text */
function dateOf(text) {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : "";
}

/** @param {string} text @returns {text is Side} */
function isSide(text) {
  return text === "ask" || text === "bid";
}
