import type { Documented } from "../documented.ts";

/** Returns the path of a sample on the server. */
export function samplePath(operationId: string, ending: string): string {
  return `/docs/samples/${operationId}.${ending}`;
}

/** Returns path and query string of an operation, with its example values. */
export function exampleTarget({ path, parameters }: Documented): string {
  const filled = parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(String(value))), path);
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, value }) => `${name}=${encodeURIComponent(String(value))}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

/** Returns a note on reading further pages of a list; null if the operation has no pages. */
export function pagesNote({ paging }: Documented): string | null {
  return paging && `This is one page: go on with meta.${paging.meta} as ${paging.parameter} until it is null.`;
}
