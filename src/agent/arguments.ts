import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { distance } from "fastest-levenshtein";
import { holdsKey } from "../client/redaction.ts";
import { displayText } from "../values/text/display-text.ts";
import { normalizedValue } from "../values/text/normalized-value.ts";
import { perhaps } from "../values/text/suggestion.ts";
import { fieldFaults } from "./columns.ts";
import { type Node, node } from "./contract-view.ts";
import { finderOf } from "./descriptions.ts";

const faultsShownMax = 5;
const valueCharsMax = 60;
const ignoredShownMax = 8;
/** Maximum edit distance between an unknown argument and a suggested one. */
const editsMax = 2;

/** The normalized arguments of a call, the names that no tool has, and the faults. A call with faults must not be sent. */
export type ReadArguments = { given: Node; ignored: readonly string[]; faults: readonly string[] };

/** Names of the arguments of all tools, each with a tool that has it. */
export type ArgumentOwners = ReadonlyMap<string, string>;

/** Checks the arguments of one tool by its input schema, before a request is sent. The schema is compiled at the first use. */
export class ArgumentCheck {
  readonly #name: string;
  readonly #schema: Node;
  readonly #paths: readonly string[];
  readonly #oneOf: readonly string[];
  #validate: ValidateFunction | null = null;

  /** `paths`: allowed names in the argument `fields`. `oneOf`: arguments of which a call must have exactly one. */
  constructor(name: string, schema: Node, paths: readonly string[] = [], oneOf: readonly string[] = []) {
    this.#name = name;
    this.#schema = schema;
    this.#paths = paths;
    this.#oneOf = oneOf;
  }

  /**
   * Reads arguments as agents' hosts send them. Null is an absent argument. A string may represent a number, a boolean or a list. Keys of
   * the host itself are ignored. An unknown key that resembles an argument is a fault.
   */
  read(written: Node, owners: ArgumentOwners): ReadArguments {
    const known = node(this.#schema.properties);
    const present = Object.entries(written).filter(([, value]) => value !== null);
    const unknown = present.map(([name]) => name).filter((name) => !Object.hasOwn(known, name));
    const own = present.filter(([name]) => Object.hasOwn(known, name));
    const given = Object.fromEntries(own.map(([name, value]) => [name, meant(name, value, node(known[name]))]));
    const mistaken = unknown.filter((name) => owners.has(name) || this.#nearest(name) !== null);
    const faults = [...mistaken.map((name) => this.#unknown(name, owners)), ...this.#faults(given)];
    const ignored = unknown.filter((name) => !mistaken.includes(name));
    return { given, ignored, faults: [...new Set(faults)].slice(0, faultsShownMax) };
  }

  /** Lists the faults of arguments with known names. */
  #faults(given: Node): string[] {
    this.#validate ??= compiler().compile(this.#schema);
    if (this.#validate(given)) {
      const fields = fieldFaults((given.fields ?? []) as readonly string[], this.#paths);
      return [...fields, ...countFaults(this.#oneOf, given)];
    }
    return (this.#validate.errors ?? []).map((error) => this.#fault(error, given));
  }

  #nearest(name: string): string | null {
    const typed = name.toLowerCase();
    const near = Object.keys(node(this.#schema.properties)).filter((known) => distance(typed, known) <= editsMax);
    return near.toSorted((a, b) => distance(typed, a) - distance(typed, b))[0] ?? null;
  }

  #unknown(name: string, owners: ArgumentOwners): string {
    const known = Object.keys(node(this.#schema.properties));
    const nearest = this.#nearest(name);
    const hint = nearest === null ? ` but of ${owners.get(name)}` : `, perhaps \`${nearest}\``;
    const takes = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
    return `${shownName(name)} is not a parameter of ${this.#name}${hint}; ${takes}`;
  }

  #fault({ keyword, instancePath, message, params }: ErrorObject, given: Node): string {
    const where = instancePath === "" ? "" : `\`${named(instancePath)}\``;
    if (keyword === "required") {
      const missing = String(params.missingProperty);
      return `\`${missing}\` is missing${finderOf(missing)}`;
    }
    if (keyword === "pattern") return `${where} has an invalid form${wordedAs(instancePath, given)}`;
    if (keyword === "format") return `${where} must be a ${String(params.format)} such as 2026-01-31`;
    if (keyword === "enum") {
      const choices = (params.allowedValues as unknown[]).map(String);
      return `${where} must be one of ${choices.join(", ")}${perhaps(String(given[instancePath.slice(1)]), choices)}`;
    }
    return `${where} ${message ?? "is not accepted"}`;
  }
}

function countFaults(oneOf: readonly string[], given: Node): string[] {
  const [wanted] = oneOf;
  const [first, second] = oneOf.filter((name) => given[name] !== undefined);
  if (second !== undefined) return [`\`${first}\` and \`${second}\` exclude each other`];
  return wanted !== undefined && first === undefined ? [`\`${wanted}\` is missing${finderOf(wanted)}`] : [];
}

/** Converts an argument to the wanted type and, ignoring case, to the wanted choice. */
function meant(name: string, value: unknown, schema: Node): unknown {
  const wanted = asWanted(name, value, schema);
  if (typeof wanted !== "string" || holdsKey(wanted, null)) return wanted;
  return normalizedValue(name, wanted, (schema.enum as readonly string[] | undefined) ?? null);
}

/** Returns a line with the ignored arguments, or an empty list without any. */
export function ignoredText(ignored: readonly string[]): string[] {
  if (ignored.length === 0) return [];
  const more = ignored.length > ignoredShownMax ? ` and ${ignored.length - ignoredShownMax} more` : "";
  return [`Ignored, because no tool has it: ${ignored.slice(0, ignoredShownMax).map(shownName).join(", ")}${more}.`];
}

function shownName(name: string): string {
  return `\`${displayText(holdsKey(name, null) ? "a key" : name, valueCharsMax)}\``;
}

/** Suggests a slug made from a title, and the tool that lists the valid values. */
function wordedAs(pointer: string, given: Node): string {
  const name = pointer.slice(1);
  const isName = (name === "slug" || name === "index_id") && !holdsKey(String(given[name]), null);
  const words = isName ? String(given[name]).toLowerCase() : "";
  const slug = words.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
  return `${slug === "" ? "" : `, perhaps \`${displayText(slug, valueCharsMax)}\``}${finderOf(name)}`;
}

let ajv: Ajv2020 | undefined;

function compiler(): Ajv2020 {
  if (ajv !== undefined) return ajv;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  return ajv;
}

/** Formats the pointer `/item_ids/3` as `item_ids[3]`. */
function named(pointer: string): string {
  const [first = "", ...rest] = pointer.slice(1).split("/");
  const inner = rest.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`));
  return displayText(first + inner.join(""), valueCharsMax);
}

const digits = /^-?[0-9]{1,15}$/;

/**
 * Converts a value to the type in `schema`: digits to an integer, `true` to a boolean. A list may be JSON, text with commas or its only
 * value. Returns other values unchanged, so that the check refuses them.
 */
function asWanted(name: string, value: unknown, schema: Node): unknown {
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
