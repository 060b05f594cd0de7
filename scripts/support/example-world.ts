import type { DemoKeys } from "../../src/demo/demo.ts";
import { createExampleFile as createFile, documentedAt as demoAt } from "../../src/demo/documented-world.ts";
import { type DemoList, readDemoList } from "../../src/demo/list.ts";
import type { Ids } from "../../src/values/ids.ts";

export { demoAt };

/**
 * Rows per type in the item list of a small demo, beside its containers' contents. They are the minimum for the demo's portfolios and
 * pools.
 */
const fewRows: Readonly<Record<string, number>> = { case: 6, graffiti: 8 };
const fewOtherRows = 2;
/** A revised pool loses an item of this tier, so another must remain. */
const revisedRarity = "#4b69ff";

/** Creates the demo file of the contract's examples, with the same ids, secrets and times in each run. */
export function createExampleFile(path: string, list = readDemoList()): DemoKeys {
  return createFile(path, new CountingIds("secret"), list);
}

/** Returns the demo's item list with few rows of each type, and few contents in its containers. */
export function fewItemsList(): DemoList {
  const list = readDemoList();
  const rarityOf = new Map(list.items.map(({ id, rarity }) => [id, rarity]));
  const fewOf = (ids: readonly number[]) => {
    const counts = new Map<string | undefined, number>();
    return ids.filter((id) => isAmong(counts, rarityOf.get(id), rarityOf.get(id) === revisedRarity ? 2 : 1));
  };
  const rows = list.items.map((row) => ({
    ...row,
    ...(row.contents && { contents: fewOf(row.contents) }),
    ...(row.specials && { specials: row.specials.slice(0, 2) }),
  }));
  const counts = new Map<string, number>();
  const containers = rows.filter(({ type }) => type === "case").slice(0, fewRows.case);
  const listed = new Set(containers.flatMap(({ contents = [], specials = [] }) => [...contents, ...specials]));
  const isKept = ({ id, type }: { id: number; type: string }) =>
    listed.has(id) || isAmong(counts, type, fewRows[type] ?? fewOtherRows);
  return { ...list, items: rows.filter(isKept) };
}

/** Counts one more of a kind. Returns whether it is among the first `most`. */
function isAmong<T>(counts: Map<T, number>, kind: T, most: number): boolean {
  const count = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, count);
  return count <= most;
}

/** Creates identifiers by counting, so that each run gets the same ones. */
export class CountingIds implements Ids {
  #count = 0;
  readonly #tag: string;

  constructor(tag = "demo") {
    this.#tag = tag;
  }

  readonly requestId = (at: number): string => `req_${at.toString(36).padStart(9, "0")}${this.#next(17)}`;
  readonly handle = (prefix: string): string => prefix + this.#next(20);
  readonly secret = (length: number): string => this.#next(length);

  #next(length: number): string {
    this.#count += 1;
    return `${this.#tag}${this.#count.toString(36)}`.padStart(length, "0").slice(-length);
  }
}
