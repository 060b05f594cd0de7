import { isNode, type Node, node } from "../document.ts";
import { pick, stable, texts } from "./stable.ts";

/** Keywords that say something to people and tools and nothing about values. */
const noteKeywords = ["description", "title", "example", "examples", "deprecated", "externalDocs", "$comment"];
const plainKeywords = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "pattern",
  "format",
  "contentMediaType",
  "contentEncoding",
];
/** What a keyword means that stands there with this value: the same as when it is absent. */
const idle: Readonly<Record<string, unknown>> = {
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  uniqueItems: false,
  additionalProperties: true,
  deprecated: false,
  readOnly: false,
  writeOnly: false,
};
/** The type of what is always null, beside `nullable`. */
export const noType = "";
const ownKeywords = [
  ...["$ref", "type", "const", "enum", "default", "uniqueItems", "properties", "required", "items", "contentSchema"],
  ...["additionalProperties", "oneOf", "anyOf", "allOf", "discriminator", "$defs"],
];

/**
 * Schemas as what they allow, whichever way it is written: references followed, null set apart from the type, one constant as a list of
 * one, branches of a union by what tells them apart. Schemas that allow the same have equal views, so that a rewrite without effect is
 * no change. A reference into itself ends as `cycle` with its name.
 */
export class SchemaViews {
  readonly #document: Node;
  readonly #known = new WeakMap<Node, Node>();
  readonly #open = new Set<Node>();

  constructor(document: Node) {
    this.#document = document;
  }

  of(value: unknown): Node {
    if (value === false) return { ...empty(), other: { never: "true" } };
    const schema = node(value);
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    if (this.#open.has(schema)) return { ...empty(), cycle: String(schema.title ?? "itself") };
    this.#open.add(schema);
    const view = typeof schema.$ref === "string" ? this.#ofReference(schema) : this.#ofSchema(schema);
    this.#open.delete(schema);
    this.#known.set(schema, view);
    return view;
  }

  #ofReference(schema: Node): Node {
    const { $ref, ...siblings } = schema;
    const target = this.of(pointed(this.#document, String($ref)));
    return Object.keys(siblings).length === 0 ? target : overlaid(target, this.#ofSchema(siblings));
  }

  #ofSchema(schema: Node): Node {
    const branches = unionOf(schema).map((branch) => this.of(branch));
    const real = branches.filter((branch) => !isOnlyNull(branch));
    const hasNullBranch = real.length < branches.length;
    const own = this.#ownOf(schema);
    const all = Array.isArray(schema.allOf) ? schema.allOf : [];
    if (all.length === 1) return overlaid(this.of(all[0]), own);
    if (all.length > 1) own.all = this.#each({ ...all });
    const [only] = real;
    if (real.length === 1 && only !== undefined) {
      const view = overlaid(only, own);
      return hasNullBranch ? { ...view, nullable: true } : view;
    }
    if (real.length > 1) own.branches = labelled(real, own.discriminator);
    if (hasNullBranch) own.nullable = true;
    return own;
  }

  /** Everything of a schema but its union. */
  #ownOf(schema: Node): Node {
    const view: Node = {
      ...empty(),
      properties: this.#each(schema.properties),
      required: flags(schema.required),
    };
    for (const keyword of plainKeywords) if (matters(schema, keyword)) view[keyword] = schema[keyword];
    addTypeAndValues(view, schema);
    if (matters(schema, "uniqueItems")) view.uniqueItems = true;
    if ("default" in schema) view.default = stable(schema.default);
    for (const keyword of ["items", "contentSchema"]) if (keyword in schema) view[keyword] = this.of(schema[keyword]);
    if (schema.additionalProperties === false) view.closed = true;
    else if (isNode(schema.additionalProperties)) view.additional = this.of(schema.additionalProperties);
    if (isNode(schema.discriminator)) view.discriminator = String(schema.discriminator.propertyName);
    const known = [...ownKeywords, ...plainKeywords, ...noteKeywords];
    const mattering = Object.keys(schema).filter((keyword) => matters(schema, keyword));
    view.notes = texts(pick(schema, (keyword) => noteKeywords.includes(keyword) && mattering.includes(keyword)));
    view.other = texts(pick(schema, (keyword) => !known.includes(keyword) && mattering.includes(keyword)));
    return view;
  }

  #each(schemas: unknown): Node {
    return Object.fromEntries(Object.entries(node(schemas)).map(([name, schema]) => [name, this.of(schema)]));
  }
}

/** What a local reference points at. Documents are checked for references that lead nowhere before they are compared. */
export function pointed(document: Node, reference: string): unknown {
  let current: unknown = document;
  for (const part of reference.replace(/^#\/?/, "").split("/")) {
    // Nearly no key is written with escapes, and references are followed by the thousand.
    const isPlain = !part.includes("%") && !part.includes("~");
    const key = isPlain ? part : decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    current = Array.isArray(current) ? current[Number(key)] : node(current)[key];
  }
  return current;
}

function matters(schema: Node, keyword: string): boolean {
  return keyword in schema && !(keyword in idle && schema[keyword] === idle[keyword]);
}

/** A schema without any keyword. Maps are always there, so that what comes first into one is told like what comes later. */
export function empty(): Node {
  return { properties: {}, required: {}, notes: {}, other: {} };
}

function flags(names: unknown): Node {
  return Object.fromEntries((Array.isArray(names) ? names : []).map((name) => [String(name), true]));
}

function unionOf(schema: Node): unknown[] {
  return [schema.oneOf, schema.anyOf].flatMap((union) => (Array.isArray(union) ? union : []));
}

function isOnlyNull(view: Node): boolean {
  if (view.type !== noType) return false;
  return stable({ ...view, notes: {} }) === stable({ ...empty(), type: noType, nullable: true });
}

function addTypeAndValues(view: Node, schema: Node): void {
  const types = [schema.type].flat().filter((type) => typeof type === "string");
  const values = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : null;
  const isNeverMore = values?.every((value) => value === null) ?? false;
  const named = isNeverMore ? [] : types.filter((type) => type !== "null");
  const mayBeNull = types.includes("null") && (values === null || values.includes(null));
  if (named.length > 0 || mayBeNull) view.type = named.sort().join(" or ");
  if (mayBeNull) view.nullable = true;
  const real = values?.filter((value) => value !== null) ?? [];
  if (real.length > 0) view.values = stable(real.map((value) => stable(value)).sort());
}

/** The view of a schema with what stands beside its reference: notes replace notes, the rest adds to it. */
function overlaid(target: Node, own: Node): Node {
  const maps = ["properties", "required", "notes", "other"].map((key) => [
    key,
    { ...node(target[key]), ...node(own[key]) },
  ]);
  return { ...target, ...own, ...Object.fromEntries(maps) };
}

/** Branches by what tells them apart: the value of the discriminator, a constant, the type. Their order says nothing. */
export function labelled(branches: readonly Node[], discriminator: unknown): Node {
  const found: Node = {};
  for (const branch of branches) {
    const label = labelOf(branch, discriminator);
    const longer = `${label} of ${Object.keys(node(branch.properties)).sort().join(", ")}`;
    const free = [label, longer].find((name) => !(name in found));
    found[free ?? `${longer} (${Object.keys(found).length + 1})`] = branch;
  }
  return found;
}

function labelOf(branch: Node, discriminator: unknown): string {
  const properties = node(branch.properties);
  const names = typeof discriminator === "string" ? [discriminator] : Object.keys(properties).sort();
  for (const name of names) {
    const values = node(properties[name]).values;
    const list: unknown = typeof values === "string" ? JSON.parse(values) : [];
    if (Array.isArray(list) && list.length === 1) return `${name} ${String(list[0])}`;
  }
  return typeof branch.type === "string" ? branch.type : "any";
}
