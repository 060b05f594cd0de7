import type { Answer } from "./client.ts";

/** What asks for a page: its size, what else narrows the list, and from the second page on where the first one ended. */
export type PageQuery = Record<string, string | number>;

/** Reads a list page after page until the one without `next_page`. `rows` are those of all pages in their order. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
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
