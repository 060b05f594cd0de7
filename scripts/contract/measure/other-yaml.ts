import { Document, type ToStringOptions } from "yaml";
import { stable } from "../../../src/review/stable.ts";
import type { Chance } from "./chance.ts";

const styles: readonly ToStringOptions[] = [
  { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", indent: 4 },
  { defaultStringType: "QUOTE_SINGLE", defaultKeyType: "QUOTE_SINGLE", lineWidth: 40 },
  { defaultStringType: "BLOCK_LITERAL", defaultKeyType: "PLAIN" },
  { defaultStringType: "BLOCK_FOLDED", defaultKeyType: "QUOTE_DOUBLE", indentSeq: false },
  { collectionStyle: "flow", lineWidth: 60 },
  {
    collectionStyle: "flow",
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "QUOTE_DOUBLE",
    flowCollectionPadding: false,
  },
];
/** Writes a document in another YAML style: other quotes, flow or block, and anchors for some equal parts. It is apart from the measure. */
export function otherYaml(document: unknown, chance: Chance): string {
  const style = styles[chance.below(styles.length)];
  const written = new Document(shared(document, new Map()), { aliasDuplicateObjects: chance.below(2) === 0 });
  return written.toString(style);
}

/** Returns a copy in which equal mappings are the same object. */
function shared(value: unknown, known: Map<string, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => shared(entry, known));
  const key = stable(value);
  if (known.has(key)) return known.get(key);
  const part = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, shared(child, known)]));
  known.set(key, part);
  return part;
}
