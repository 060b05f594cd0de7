import type { Comparison } from "./compare.ts";
import { changelogKey, type Node, node } from "./document.ts";
import { breaks } from "./finding.ts";

/**
 * Changelog coverage of breaking changes. `entries` are the ids of new entries of kind `breaking`. `uncovered` are the operations that no
 * such entry names; null is the whole document.
 */
export type Coverage = { entries: readonly number[]; uncovered: readonly (string | null)[]; nextId: number };

type Entry = { id: number; kind: unknown; operations: readonly unknown[] };

/**
 * Compares breaking changes with the new changelog entries of kind `breaking`. An entry may use the old or the new id of an operation; an
 * empty list covers all operations.
 */
export function coverageOf(before: Node, after: Node, { findings, renamed }: Comparison): Coverage {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const known = new Set(old.map(({ id }) => id));
  const entries = now.filter(({ id, kind }) => !known.has(id) && kind === "breaking");
  const named = new Set(entries.flatMap(({ operations }) => operations));
  const coversAll = entries.some(({ operations }) => operations.length === 0);
  const isCovered = (operation: string | null) =>
    coversAll || (operation !== null && (named.has(operation) || named.has(renamed.get(operation))));
  const touched = findings
    .filter(breaks)
    .flatMap(({ operations }): readonly (string | null)[] => (operations.length === 0 ? [null] : operations));
  return {
    entries: entries.map(({ id }) => id),
    uncovered: [...new Set(touched)].filter((operation) => !isCovered(operation)),
    nextId: Math.max(0, ...now.map(({ id }) => id)) + 1,
  };
}

function entriesOf(document: Node): Entry[] {
  const list = document[changelogKey];
  return (Array.isArray(list) ? list : []).map(node).map(({ change_id, kind, operations }) => {
    return { id: Number(change_id), kind, operations: Array.isArray(operations) ? operations : [undefined] };
  });
}
