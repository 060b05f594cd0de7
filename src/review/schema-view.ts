import { conjunctionOf, mergedView } from "./conjunction.ts";
import { isNode, type Node, node } from "./document.ts";
import { expanded, pointed } from "./reference.ts";
import { empty, integral, isOnlyNull, labelled, labelOf, noType } from "./schema-form.ts";
import { mapped, pick, stable, texts } from "./stable.ts";

/** Keywords for people and tools, which do not limit values. */
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
/** Values of keywords that are equivalent to an absent keyword. */
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
const ownKeywords = [
  "$ref",
  "type",
  "const",
  "enum",
  "x-extensible-enum",
  "default",
  "uniqueItems",
  "properties",
  "required",
  "items",
  "contentSchema",
  "additionalProperties",
  "oneOf",
  "anyOf",
  "allOf",
  "discriminator",
  "$defs",
];

/**
 * Views of schemas by the values that they allow. References are resolved, null is separate from the type, a constant is a list of one, and
 * unions have labels. Equivalent schemas have equal views, so that a rewrite without effect is not a change. A recursive reference becomes
 * `cycle` with its name.
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
    const view = integral(typeof schema.$ref === "string" ? this.#ofReference(schema) : this.#ofSchema(schema));
    this.#open.delete(schema);
    this.#known.set(schema, view);
    return view;
  }

  #ofReference(schema: Node): Node {
    const { $ref, ...siblings } = schema;
    const target = this.of(pointed(this.#document, String($ref)));
    return Object.keys(siblings).length === 0 ? target : mergedView(target, this.#ofSchema(siblings));
  }

  #ofSchema(schema: Node): Node {
    const branches = unionOf(schema).map((branch) => this.of(branch));
    const real = branches.filter((branch) => !isOnlyNull(branch));
    const hasNullBranch = real.length < branches.length;
    const all = (Array.isArray(schema.allOf) ? schema.allOf : []).map((part) => this.of(part));
    const view = mergedView(all.length === 1 ? node(all[0]) : conjunctionOf(all), this.#ownOf(schema));
    const [only] = real;
    if (real.length === 1 && only !== undefined) {
      return mergedView(hasNullBranch ? { ...only, nullable: true } : only, view);
    }
    if (real.length === 0) return hasNullBranch ? { ...view, nullable: true } : view;
    return mergedView(this.#choice(real, hasNullBranch, schema.discriminator), view);
  }

  /** Returns a union by the labels of its branches. Its mapping uses these labels, because names of components are irrelevant. */
  #choice(real: readonly Node[], hasNullBranch: boolean, discriminator: unknown): Node {
    const { propertyName, mapping } = node(discriminator);
    const branches = labelled(real, propertyName);
    const labelFor = (target: unknown) => {
      const reference = String(target).startsWith("#") ? String(target) : `#/components/schemas/${target}`;
      const view = this.of({ $ref: reference });
      return Object.keys(branches).find((label) => branches[label] === view) ?? `${labelOf(view, propertyName)} apart`;
    };
    const labels = Object.entries(node(mapping)).map(([value, target]) => [value, labelFor(target)]);
    return {
      ...empty(),
      branches,
      mapping: Object.fromEntries(labels),
      ...(hasNullBranch ? { nullable: true } : {}),
    };
  }

  /** Returns the view of a schema without its union. */
  #ownOf(schema: Node): Node {
    const view: Node = {
      ...empty(),
      properties: this.#each(schema.properties),
      required: flags(schema.required),
    };
    for (const keyword of plainKeywords) {
      if (matters(schema, keyword) && !isKeptByValues(schema, keyword)) view[keyword] = schema[keyword];
    }
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
    const rest = pick(schema, (keyword) => !known.includes(keyword) && mattering.includes(keyword));
    view.other = texts(node(expanded(this.#document, rest)));
    return view;
  }

  #each(schemas: unknown): Node {
    return mapped(schemas, (schema) => this.of(schema));
  }
}

function matters(schema: Node, keyword: string): boolean {
  return keyword in schema && !(keyword in idle && schema[keyword] === idle[keyword]);
}

/** Returns whether a number bound has no effect, because all listed values are within it. */
function isKeptByValues(schema: Node, keyword: string): boolean {
  const values = valuesOf(schema);
  const bound = schema[keyword];
  if (values === null || typeof bound !== "number") return false;
  const keeps = (value: unknown) => {
    if (typeof value !== "number") return value === null;
    return (keyword === "minimum" && value >= bound) || (keyword === "maximum" && value <= bound);
  };
  return values.every(keeps);
}

/** Returns the listed values of a schema; null if it lists none. */
function valuesOf(schema: Node): unknown[] | null {
  if ("const" in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

function flags(names: unknown): Node {
  return Object.fromEntries((Array.isArray(names) ? names : []).map((name) => [String(name), true]));
}

function unionOf(schema: Node): unknown[] {
  return [schema.oneOf, schema.anyOf].flatMap((union) => (Array.isArray(union) ? union : []));
}

function addTypeAndValues(view: Node, schema: Node): void {
  const values = valuesOf(schema);
  const given = [schema.type ?? values?.map(typeOf) ?? []].flat();
  const types = [...new Set(given)].filter((type) => typeof type === "string");
  const real = values?.filter((value) => value !== null) ?? [];
  const named = values !== null && real.length === 0 ? [] : types.filter((type) => type !== "null");
  const mayBeNull = types.includes("null") && (values === null || values.includes(null));
  if (named.length > 0) view.type = named.sort().join(" or ");
  else if (mayBeNull) view.type = noType;
  if (mayBeNull) view.nullable = true;
  if (real.length > 0) view.values = listed(real);
  if (Array.isArray(schema["x-extensible-enum"])) view.open = listed(schema["x-extensible-enum"]);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Returns values as one text that is independent of their order. */
function listed(values: readonly unknown[]): string {
  return stable(values.map((value) => stable(value)).sort());
}
