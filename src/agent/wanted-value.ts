import type { Node } from "./contract-view.ts";
import { node } from "./contract-view.ts";

// Kept apart from the arguments of a tool, since one value needs only its schema.
const digits = /^-?[0-9]{1,15}$/;

/**
 * Returns the value that another type of value means where `schema` wants one: digits are an integer, `true` is a boolean, and a
 * list may come as JSON, as a text with commas or as its only value. Other values are returned as they are, for the check to refuse.
 */
export function asWanted(name: string, value: unknown, schema: Node): unknown {
  const text = typeof value === "string" ? value.trim() : null;
  switch (schema.type) {
    case "array":
      return listed(name, value).map((one) => asWanted(name, one, node(schema.items)));
    case "integer":
      return text !== null && digits.test(text) ? Number(text) : value;
    case "boolean":
      return text !== null && /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : value;
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    default:
      return value;
  }
}

function listed(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return [value];
  const list = value.trimStart().startsWith("[") ? parsed(value) : null;
  if (Array.isArray(list)) return list;
  const parts = value.split(",").map((part) => part.trim());
  if (name !== "names") return parts.filter((part) => part !== "");
  // A comma may be part of a name: `Music Kit | Daniel Sadowski, Crimson Assault`.
  const areNames = parts.every((part) => part.includes(" | ")) || !value.includes(" | ");
  return areNames ? parts : [value];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
