import type { OperatorError } from "../../values/failure/operator-error.ts";
import { type FeedFile, refusedFile } from "../feed-file.ts";
import type { ColumnName } from "./columns.ts";

/** Original text of a field, and its line. */
export type Field = { text: string; line: number };

/**
 * One record of a file before validation. Empty or null fields are absent. `context` is the game and context of an asset; absent for table
 * rows. `content` is for rows without a reference: the digest of the values, and the reference that earlier releases built from their
 * spelling.
 */
export type ParsedRow = {
  line: number;
  fields: Map<ColumnName, Field>;
  context?: string;
  content?: { digest: string; formerRef: string };
};

/** Maximum rows. One transaction writes all rows while charged requests wait, so this limits the wait. */
export const portfolioRowsMax = 5000;

/** Creates the error for a file with too many rows. */
export function tooManyRows(body: FeedFile): OperatorError {
  return refusedFile(body.name, `more than ${portfolioRowsMax} rows; split the file`);
}

/** Returns the reference of the `count`th row (from 1) with the same content. */
export function contentRef(digest: string, count: number): string {
  return `row:${digest}:${count}`;
}

/**
 * Gives rows without a reference a unique one from their content. A lot with the reference of an earlier release keeps it; otherwise the
 * next free reference is used. `isLot` returns whether a lot has a reference.
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
