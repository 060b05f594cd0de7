import type { Documented } from "../documented.ts";

/** Returns the path at which the server shows a sample. */
export function samplePath(operationId: string, ending: string): string {
  return `/docs/samples/${operationId}.${ending}`;
}

/** Returns path and query string with the example values in their places. */
export function exampleTarget({ path, parameters }: Documented): string {
  const filled = parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(String(value))), path);
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, value }) => `${name}=${encodeURIComponent(String(value))}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

/** Returns the note on how to read the rest of a list; null where there is no rest. */
export function pagesNote({ paging }: Documented): string | null {
  return paging && `This is one page: go on with meta.${paging.meta} as ${paging.parameter} until it is null.`;
}
