import type { OperatorError } from "../../values/failure/operator-error.ts";
import { type FeedFile, refusedFile } from "../feed-file.ts";
import type { ColumnName } from "./columns.ts";

/** Original text of a field, and its line. */
export type Field = { text: string; line: number };

/**
 * One record of a file before validation. A field that is empty, or null, is absent. `context`: game and context of an asset; left out: the
 * row of a table. `content`: of a row without a reference, the digest of its values and the reference that earlier releases made of their spelling.
 */
export type ParsedRow = {
  line: number;
  fields: Map<ColumnName, Field>;
  context?: string;
  content?: { digest: string; formerRef: string };
};

/** All or nothing is one transaction, and requests that are charged meanwhile wait for it: this bounds how long. */
export const portfolioRowsMax = 5000;

/** Makes the refusal of a file with more rows than a file may have. */
export function tooManyRows(body: FeedFile): OperatorError {
  return refusedFile(body.name, `more than ${portfolioRowsMax} rows; a file has at most so many, so split it`);
}

/** Returns the reference of the `count`th row (from 1) of the same content. */
export function contentRef(digest: string, count: number): string {
  return `row:${digest}:${count}`;
}

/**
 * Gives rows without a reference one of their content, each another: that of an earlier release if a lot has it, which `isLot` tells, or the
 * next one that is free.
 */
export function nameByContent(rows: readonly ParsedRow[], isLot: (ref: string) => boolean): void {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  for (const { line, fields, content } of rows) {
    if (content === undefined) continue;
    const { digest, formerRef } = content;
    let ref = formerRef;
    if (!isLot(formerRef) || taken.has(formerRef)) {
      let count = counts.get(digest) ?? 1;
      while (taken.has(contentRef(digest, count))) count += 1;
      counts.set(digest, count);
      ref = contentRef(digest, count);
    }
    taken.add(ref);
    fields.set("integration_ref", { text: ref, line });
  }
}
