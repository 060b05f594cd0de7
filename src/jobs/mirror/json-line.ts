import { placeIn } from "../../values/strict-json.ts";

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/**
 * The line, from 1, on which the value at `pointer` (RFC 6901) stands in a JSON text that was read already. A value that is not
 * there is looked for in what should hold it.
 */
export function lineOf(text: string, pointer: string): number {
  const offsets = valueOffsets(text);
  for (let path = pointer; ; path = path.slice(0, path.lastIndexOf("/"))) {
    const offset = offsets.get(path);
    if (offset !== undefined) return placeIn(text, offset).line;
    if (path === "") return 1;
  }
}

/** Where each value begins, by its pointer. */
function valueOffsets(text: string): Map<string, number> {
  const offsets = new Map<string, number>();
  const open: { path: string; key: string; index: number; isArray: boolean }[] = [];
  let isKey = false;
  for (const { 0: word, index: offset } of text.matchAll(token)) {
    const holder = open.at(-1);
    if (word === ":") continue;
    if (word === "}" || word === "]") {
      open.pop();
      isKey = false;
    } else if (word === ",") {
      if (holder !== undefined) holder.index += 1;
      isKey = holder?.isArray === false;
    } else if (isKey && holder !== undefined) {
      holder.key = JSON.parse(word) as string;
      isKey = false;
    } else {
      const path = holder === undefined ? "" : `${holder.path}/${holder.isArray ? holder.index : escaped(holder.key)}`;
      offsets.set(path, offset);
      isKey = word === "{";
      if (word === "{" || word === "[") open.push({ path, key: "", index: 0, isArray: word === "[" });
    }
  }
  return offsets;
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
