import type { Selection } from "./types.ts";

const defaults: Selection = {
  slug: null,
  mode: "cash_ask",
  text: "",
  type: "",
  state: "",
  sort: "return",
  order: "desc",
  granularity: "day",
  days: 31,
  methodology: "",
};
const allowed = {
  mode: /^(steam_gross|cash_ask)$/,
  text: /^.{1,80}$/,
  type: /^(case|souvenir_package|capsule|other)$/,
  state: /^(active|retired)$/,
  sort: /^(name|cost|expected_value|return|profit_chance|coverage|age)$/,
  order: /^(asc|desc)$/,
  granularity: /^(day|hour)$/,
  methodology: /^[\w.-]{1,40}$/,
};

const place = "/openables";

/**
 * Reads the selection from the page's address. Defaults replace missing and invalid parts. Old addresses contain the container in the
 * fragment.
 */
export function readAddress({ pathname, hash }: Pick<Location, "pathname" | "hash">): Selection {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const valid = Object.entries(allowed).filter(([name, pattern]) => pattern.test(params.get(name) ?? ""));
  const slug = pathname.slice(place.length + 1) || (params.get("openable") ?? "");
  const days = Number(params.get("days"));
  return {
    ...defaults,
    ...Object.fromEntries(valid.map(([name]) => [name, params.get(name)])),
    slug: /^[a-z0-9][a-z0-9-]{0,119}$/.test(slug) ? slug : null,
    days: [7, 31, 90, 366].includes(days) ? days : defaults.days,
  };
}

/** Returns the address that `readAddress` reads as the same selection. Defaults are omitted. */
export function addressOf({ slug, ...others }: Selection): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(others))
    if (value !== defaults[name as keyof Selection]) params.set(name, String(value));
  return `${place}${slug === null ? "" : `/${slug}`}${params.size === 0 ? "" : `#${params}`}`;
}
