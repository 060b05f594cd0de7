import type { Wanted } from "../../../client/find-items.ts";
import { type SortColumn, sortColumnOf } from "./list-order.ts";

/** Filters of `listItems` that the page offers. */
export const filterNames = [
  "item_type",
  "weapon",
  "rarity",
  "wear",
  "phase",
  "stat_counter",
  "souvenir",
  "provider",
  "ask_min",
  "ask_max",
] as const;
/** Filters that need a paid plan. */
export const paidFilters = ["provider", "ask_min", "ask_max"] as const;

const flagNames = ["stat_counter", "souvenir"] as const;

/**
 * State of the list. Amounts in `filters` are cents as text. `sort` is null for the order by relevance. `columns` are the shown optional
 * columns.
 */
export type ListState = {
  q: string;
  filters: Partial<Record<(typeof filterNames)[number], string>>;
  sort: SortColumn | null;
  isDescending: boolean;
  columns: readonly SortColumn[];
};

/** Reads the state from the query of the address. Invalid parts are ignored. */
export function readList(search: string): ListState {
  const params = new URLSearchParams(search);
  const filters: ListState["filters"] = {};
  for (const name of filterNames) {
    const value = params.get(name)?.trim() ?? "";
    if (value !== "" && value.length <= 120) filters[name] = value;
  }
  for (const name of ["ask_min", "ask_max"] as const) {
    if (!/^[1-9]\d{0,14}$/.test(filters[name] ?? "")) delete filters[name];
  }
  for (const name of flagNames) if (!/^(?:true|false)$/.test(filters[name] ?? "")) delete filters[name];
  const [, minus, column] = /^(-?)([\w.-]+)$/.exec(params.get("sort") ?? "") ?? [];
  const sort = sortColumnOf(column ?? "");
  const columns = (params.get("columns") ?? "").split(",").flatMap((name) => sortColumnOf(name) ?? []);
  return {
    q: (params.get("q") ?? "").trim().slice(0, 120),
    filters,
    sort,
    isDescending: sort !== null && minus === "-",
    columns: [...new Set(columns)],
  };
}

/** Returns the API search for a state. The server refuses invalid values. */
export function wantedOf({ q, filters }: Pick<ListState, "q" | "filters">): Wanted {
  const meant = (name: string, text: string) =>
    name.startsWith("ask_") ? Number(text) : flagNames.includes(name as "souvenir") ? text === "true" : text;
  const typed = Object.entries(filters).map(([name, text]) => [name, meant(name, text)]);
  return { text: q === "" ? null : q, filters: Object.fromEntries(typed) as Wanted["filters"] };
}

/** Returns the query that `readList` reads as the same state, with a question mark; "" for the default list. */
export function writeList({ q, filters, sort, isDescending, columns }: ListState) {
  const params = new URLSearchParams();
  if (q !== "") params.set("q", q);
  for (const name of filterNames) {
    const value = filters[name];
    if (value !== undefined) params.set(name, value);
  }
  if (sort !== null) params.set("sort", `${isDescending ? "-" : ""}${sort}`);
  if (columns.length > 0) params.set("columns", columns.join(","));
  return params.size === 0 ? "" : `?${params}`;
}

/** Parses dollars as people write them: `12`, `12.5`, `$1,234.56`. Returns cents as text; null for an invalid or zero amount. */
export function centsOf(text: string) {
  const [, whole, part = ""] = /^\$?\s*(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", "")) ?? [];
  if (whole === undefined) return null;
  const cents = (whole + part.padEnd(2, "0")).replace(/^0+/, "");
  return cents === "" ? null : cents;
}

/** Formats cents as dollars, in a form that `centsOf` reads. */
export function dollarsOf(cents: string) {
  const digits = cents.padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/\.00$/, "");
}
