import { isNode, type Node, node } from "./document.ts";
import { mapped, without } from "./stable.ts";

/** Returns the target of a local reference; undefined: there is none, or its escapes are broken. */
export function pointed(document: Node, reference: string): unknown {
  let current: unknown = document;
  for (const part of reference.replace(/^#\/?/, "").split("/")) {
    const key = keyOf(part);
    if (key === null) return undefined;
    current = Array.isArray(current) ? current[Number(key)] : node(current)[key];
  }
  return current;
}

function keyOf(part: string): string | null {
  // Nearly no key is written with escapes, and references are followed by the thousand.
  if (!part.includes("%") && !part.includes("~")) return part;
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return null;
  }
}

/**
 * Returns a value with what its references point at in their place, so that a change behind one is a change of the text. A reference into itself
 * ends as the number of references back to where it began.
 */
export function expanded(document: Node, value: unknown, open: readonly unknown[] = []): unknown {
  if (Array.isArray(value)) return value.map((entry) => expanded(document, entry, open));
  if (!isNode(value)) return value;
  const own = (entries: Node) => mapped(entries, (child) => expanded(document, child, open));
  if (typeof value.$ref !== "string") return own(value);
  const target = pointed(document, value.$ref);
  const opened = open.indexOf(target);
  if (opened >= 0) return { cycle: open.length - opened };
  return { ...node(expanded(document, target, [...open, target])), ...own(without(value, ["$ref"])) };
}
