import { Failure } from "../values/failure/failure.ts";
import { dayMs } from "../values/time/calendar.ts";

/** One operation of a page: its path with the query, and its body if it has one. */
export type Wanted = { readonly path: string; readonly body?: unknown };

const partsMax = 128;
const itemsMax = 100;
/** Maximum operations without an item and days. Each has its own limit of rows. */
const listsMax = 8;
/** Maximum days of all histories together: two sides of eight items for a year, or 60 days of 100 items. */
const daysMax = 6_000;
const daysDefault = 30;

/**
 * Returns the parts of a page's request, `{"parts":[{"path","body"}]}`.
 * @throws {Failure} `invalid_body`.
 */
export function partsOf(body: unknown): readonly Wanted[] {
  const parts = (body as { parts?: unknown } | undefined)?.parts;
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > partsMax)
    throw new Failure("invalid_body", { detail: `\`parts\`: must be 1 to ${partsMax} operations` });
  for (const part of parts) {
    const path: unknown = part?.path;
    if (typeof path !== "string" || !/^\/v1\/[!-~]*$/.test(path) || !hasSoundEncoding(path))
      throw new Failure("invalid_body", { detail: "`parts`: each has the `path` of an operation" });
  }
  return parts;
}

/** Returns the visit named in a page's request, null without one. */
export function visitOf(body: unknown): string | null {
  const { visit } = body as { visit?: unknown };
  return typeof visit === "string" ? visit : null;
}

function hasSoundEncoding(path: string): boolean {
  try {
    decodeURIComponent(path);
    return !path.includes("#");
  } catch {
    return false;
  }
}

/** The operation and parameters of a part. */
export type Checked = { readonly operation: string | null; readonly params: Params };
type Params = {
  item_id?: number;
  cursor?: unknown;
  after?: unknown;
  from?: string;
  to?: string;
  body?: { item_ids?: readonly number[]; names?: readonly string[] };
};

/**
 * Refuses more parts than a page can need.
 * @throws {Failure} `invalid_body`.
 */
export function refuseBeyondPage(parts: readonly Checked[]): void {
  const list = parts.map(({ params }) => params);
  const items = new Set(
    list.flatMap(({ item_id: id, body }) => [...(id === undefined ? [] : [id]), ...(body?.item_ids ?? [])]),
  );
  // Several operations of one item count once; the items of bodies are summed.
  const count = (of: "item_ids" | "names") => list.reduce((sum, { body }) => sum + (body?.[of]?.length ?? 0), 0);
  const lists = parts.filter((part) => isList(part));
  const days = parts.reduce((sum, part) => sum + daysOf(part), 0);
  const refuse = (detail: string) => new Failure("invalid_body", { detail: `\`parts\`: ${detail}` });
  if (list.some(({ cursor, after }) => (cursor ?? after) !== undefined))
    throw refuse("a page read together accepts no cursor");
  if (parts.length > partsMax) throw refuse(`at most ${partsMax} operations`);
  if (Math.max(items.size, count("item_ids"), count("names")) > itemsMax) throw refuse(`at most ${itemsMax} items`);
  if (lists.length > listsMax) throw refuse(`at most ${listsMax} lists`);
  if (days > daysMax) throw refuse(`at most ${daysMax} days of history`);
}

/** Histories are limited by their days. */
function isList(part: Checked): boolean {
  const { item_id: id, body } = part.params;
  return id === undefined && body === undefined && daysOf(part) === 0;
}

function daysOf({ operation, params: { from, to } }: Checked): number {
  if (from === undefined || to === undefined) return operation?.endsWith("History") === true ? daysDefault : 0;
  return Math.max(1, (Date.parse(to) - Date.parse(from)) / dayMs + 1);
}
