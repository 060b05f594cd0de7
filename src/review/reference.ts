import { isNode, type Node, node } from "./document.ts";
import { mapped, without } from "./stable.ts";

/** Returns the target of a local reference. Returns undefined for a missing target or invalid escapes. */
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
  // Fast path: most keys have no escapes, and thousands of references are resolved.
  if (!part.includes("%") && !part.includes("~")) return part;
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return null;
  }
}

/**
 * Replaces references by their targets, so that a change of a target is a change of the text. A recursive reference becomes the number of
 * references back to its start.
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
