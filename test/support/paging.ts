import type { Answer } from "./client.ts";

/** The query of a page: its size, the filters, and from the second page on the cursor. */
export type PageQuery = Record<string, string | number>;

/** Reads a list page by page until a page without `next_page`. `rows` are the rows of all pages in order. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
export async function readPages<Row = any>(
  page: (query: PageQuery) => Promise<Pick<Answer, "json">>,
  query: PageQuery = {},
): Promise<{ rows: Row[]; pages: number }> {
  const rows: Row[] = [];
  let after: string | null = null;
  let pages = 0;
  do {
    const { data, meta }: { data: Row[]; meta: { next_page: string | null } } = (
      await page(after === null ? query : { ...query, after })
    ).json;
    rows.push(...data);
    after = meta.next_page;
    pages += 1;
  } while (after !== null);
  return { rows, pages };
}
