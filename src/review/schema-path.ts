import { isNode } from "./document.ts";

/** Parts of a path within a schema: the readable field name, the path of the schema that owns the keyword, the keyword, and its entry. */
type SchemaPath = { field: string; owner: readonly string[]; keyword: string; name: string | undefined };

const deeper = new Set(["items", "contentSchema", "additional"]);
const named = new Set(["properties", "branches", "all"]);

/**
 * Splits a path such as `properties, data, items, maximum` into field `data[]`, the path of the keyword's schema, and the keyword. `name`
 * is the entry for keywords with several entries.
 */
export function splitSchemaPath(path: readonly string[]): SchemaPath {
  let field = "";
  let index = 0;
  while (index < path.length) {
    const [key, next] = [path[index] ?? "", path[index + 1]];
    if (deeper.has(key) && next !== undefined) {
      field += { items: "[]", contentSchema: " line", additional: ".*" }[key];
      index += 1;
    } else if (named.has(key) && path.length > index + 2) {
      field += key === "properties" ? `.${next}` : ` (${next})`;
      index += 2;
    } else break;
  }
  const [keyword = "", name] = path.slice(index);
  return { field: field.replace(/^\./, "").trim(), owner: path.slice(0, index), keyword, name };
}

/** Returns the value at a path of a view; undefined if missing. A single form counts as a choice of one. */
export function at(view: unknown, path: readonly string[]): unknown {
  let current = view;
  for (let index = 0; index < path.length; index += 1) {
    const key = path[index] ?? "";
    if (!isNode(current)) return undefined;
    const isSingle = key === "branches" && isNode(current.properties) && !("branches" in current);
    if (isSingle) index += 1;
    else current = current[key];
  }
  return current;
}
