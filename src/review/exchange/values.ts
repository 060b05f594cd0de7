import { isNode, type Node, node } from "../document.ts";
import { pointed } from "../reference.ts";
import { stable } from "../stable.ts";
import { textOf } from "./texts.ts";

/** A value for a schema. `near` is the path of the varied part in the view of the schema. */
type Drawn = { value: unknown; near: readonly string[] };

const depthMax = 12;
/** Values of each type. A checker keeps the valid ones. */
const oddValues: readonly unknown[] = [null, true, 0, 1.5, "", "odd", [], {}];
const numbers = [0, 1, -1, 0.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, -(2 ** 31) - 1, 1e300];
const lengths = [0, 1, 2, 300];
const entriesMax = 5_001;

/** Generates values for the schemas of one document. Bounds and listed values of a second document are included. */
export class Values {
  readonly #document: Node;
  readonly #other: Node;
  readonly #bases = new WeakMap<Node, unknown>();

  constructor(document: Node, other: Node) {
    this.#document = document;
    this.#other = other;
  }

  /** Returns a valid value with all keys of its objects. */
  base(schema: unknown, depth = 0): unknown {
    if (!isNode(schema)) return this.#baseOf(schema, depth);
    if (this.#bases.has(schema)) return this.#bases.get(schema);
    const base = this.#baseOf(schema, depth);
    this.#bases.set(schema, base);
    return base;
  }

  #baseOf(schema: unknown, depth: number): unknown {
    const form = formOf(this.#document, schema);
    if ("const" in form) return form.const;
    const list = listOf(form);
    if (list.length > 0) return list[0];
    const [branch] = branchesOf(this.#document, form);
    if (branch !== undefined) return this.base(branch, depth + 1);
    const type = typesOf(form)[0];
    if (type === "object" || (type === undefined && isNode(form.properties))) {
      if (depth > depthMax) return {};
      const entries = Object.entries(node(form.properties)).map(([name, own]) => [name, this.base(own, depth + 1)]);
      return Object.fromEntries(entries);
    }
    if (type === "array") {
      if (depth > depthMax) return [];
      return this.#listOf(form, Math.max(1, Number(form.minItems ?? 1)), depth);
    }
    if (type === "integer" || type === "number") return numberOf(form);
    if (type === "boolean") return true;
    if (type === "null") return null;
    return textOf(form);
  }

  /** Yields the base value, then values that differ from it in one part. */
  *of(schema: unknown, other: unknown, near: readonly string[] = [], depth = 0): Generator<Drawn> {
    const base = this.base(schema, depth);
    yield { value: base, near };
    if (depth > depthMax) return;
    const form = formOf(this.#document, schema);
    const twin = formOf(this.#other, other);
    for (const value of [...listOf(form), ...listOf(twin), "unknown_value", ...oddValues]) yield { value, near };
    for (const value of this.#bounded(form, twin, depth)) yield { value, near };
    const branches = branchesOf(this.#document, form);
    const twins = branchesOf(this.#other, twin);
    for (const branch of branches) {
      const twinOf = twins.find((one) => labelsOf(this.#other, one) === labelsOf(this.#document, branch)) ?? twins[0];
      yield* this.of(branch, twinOf ?? twin, near, depth + 1);
    }
    if (isNode(base) && branches.length === 0) yield* this.#objects(base, form, twin, { near, depth });
    if (Array.isArray(base)) {
      for (const drawn of this.of(form.items ?? {}, twin.items ?? {}, [...near, "items"], depth + 1))
        yield { value: [drawn.value, ...base.slice(1)], near: drawn.near };
    }
  }

  *#objects(base: Node, form: Node, twin: Node, { near, depth }: { near: readonly string[]; depth: number }) {
    const properties = node(form.properties);
    yield { value: { ...base, further_key: 1 }, near };
    const least = Array.isArray(form.required) ? form.required.map(String) : [];
    yield { value: Object.fromEntries(Object.entries(base).filter(([name]) => least.includes(name))), near };
    for (const name of Object.keys(properties)) {
      const { [name]: _, ...without } = base;
      yield { value: without, near: [...near, "properties", name] };
    }
    const added = Object.keys(node(twin.properties)).filter((name) => !(name in properties));
    for (const name of added) {
      for (const value of oddValues) yield { value: { ...base, [name]: value }, near: [...near, "properties", name] };
    }
    for (const [name, own] of Object.entries(properties)) {
      const twinOf = node(twin.properties)[name] ?? {};
      for (const drawn of this.of(own, twinOf, [...near, "properties", name], depth + 1))
        yield { value: { ...base, [name]: drawn.value }, near: drawn.near };
    }
    if (!isNode(form.additionalProperties)) return;
    const ownPath = [...near, "additional"];
    for (const drawn of this.of(form.additionalProperties, twin.additionalProperties, ownPath, depth + 1))
      yield { value: { ...base, further_key: drawn.value }, near: drawn.near };
  }

  #bounded(form: Node, twin: Node, depth: number): unknown[] {
    const types = typesOf(form);
    const bounds = (...keys: string[]) =>
      keys
        .flatMap((key) => [form[key], twin[key]])
        .filter((bound) => typeof bound === "number")
        .flatMap((bound) => [bound - 1, bound, bound + 1]);
    const found: unknown[] = [];
    if (types.some((type) => type === "integer" || type === "number"))
      found.push(
        ...numbers,
        ...bounds("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        // Fractions near the bounds.
        ...bounds("minimum", "maximum").flatMap((bound) => [bound - 0.5, bound + 0.5]),
        ...bounds("multipleOf").map((step) => step * 3),
      );
    if (types.includes("boolean")) found.push(false);
    if (types.includes("string") || types.length === 0) {
      const sizes = [...lengths, ...bounds("minLength", "maxLength")].filter((size) => size >= 0 && size < 100_000);
      for (const own of [form, twin]) for (const size of sizes) found.push(textOf(own, size));
      // A text of a valid length that few patterns admit.
      if (sizes.length > lengths.length) found.push("Z".repeat(sizes[lengths.length + 1] ?? 0));
      found.push(
        "2026-02-03",
        "2026-02-03T04:05:06.000Z",
        "2026-02-03T04:05:06Z",
        "http://a.example/",
        "a",
        "b",
        "A b",
        "é",
        "7",
        "-1.50",
      );
    }
    if (types.includes("array")) {
      const sizes = [0, 1, 2, 101, ...bounds("minItems", "maxItems")].filter((size) => size >= 0 && size <= entriesMax);
      for (const size of new Set(sizes)) found.push(this.#listOf(form, size, depth));
      found.push(Array.from({ length: 2 }, () => this.base(form.items ?? {}, depth + 1)));
    }
    if (isNode(form.additionalProperties) || types.includes("object"))
      for (const size of bounds("minProperties", "maxProperties").filter((count) => count >= 0 && count < 300))
        found.push(
          Object.fromEntries(
            Array.from({ length: size }, (_, index) => [
              `key_${index}`,
              this.base(form.additionalProperties ?? {}, depth + 1),
            ]),
          ),
        );
    return found;
  }

  /** Entries differ if the list requires it: numbers count up, texts get different endings. */
  #listOf(form: Node, size: number, depth: number): unknown[] {
    const entry = this.base(form.items ?? {}, depth + 1);
    if (form.uniqueItems !== true) return Array.from({ length: size }, () => entry);
    const list = listOf(formOf(this.#document, form.items));
    if (list.length > 0) return list.slice(0, size);
    return Array.from({ length: size }, (_, index) =>
      typeof entry === "number" ? entry + index : index === 0 ? entry : `${String(entry)}${index}`,
    );
  }
}

/** Returns a schema with its reference resolved and its `allOf` merged. */
export function formOf(document: Node, schema: unknown, open: readonly unknown[] = []): Node {
  if (!isNode(schema) || open.includes(schema) || open.length > 40) return {};
  const known = forms.get(document)?.get(schema);
  if (known !== undefined) return known;
  const form = wholeOf(document, schema, open);
  if (!forms.has(document)) forms.set(document, new WeakMap());
  if (open.length === 0) forms.get(document)?.set(schema, form);
  return form;
}

/** Cache of merged schemas by document and schema. */
const forms = new WeakMap<Node, WeakMap<Node, Node>>();

function wholeOf(document: Node, schema: Node, open: readonly unknown[]): Node {
  const { $ref, allOf, ...own } = schema;
  const parts = [
    ...(typeof $ref === "string" ? [pointed(document, $ref)] : []),
    ...(Array.isArray(allOf) ? allOf : []),
  ];
  return parts.map((part) => formOf(document, part, [...open, schema])).reduce(joined, own);
}

function joined(one: Node, other: Node): Node {
  const found: Node = { ...other, ...one };
  const [names, more] = [node(one.properties), node(other.properties)];
  if (isNode(one.properties) || isNode(other.properties)) {
    const keys = new Set([...Object.keys(more), ...Object.keys(names)]);
    found.properties = Object.fromEntries(
      [...keys].map((key) => [
        key,
        key in names && key in more ? { allOf: [names[key], more[key]] } : (names[key] ?? more[key]),
      ]),
    );
  }
  if (Array.isArray(one.required) && Array.isArray(other.required))
    found.required = [...one.required, ...other.required];
  for (const key of ["minimum", "minLength", "minItems"])
    if (typeof one[key] === "number" && typeof other[key] === "number") found[key] = Math.max(one[key], other[key]);
  for (const key of ["maximum", "maxLength", "maxItems"])
    if (typeof one[key] === "number" && typeof other[key] === "number") found[key] = Math.min(one[key], other[key]);
  if (Array.isArray(one.enum) && Array.isArray(other.enum)) {
    const texts = new Set(other.enum.map(stable));
    found.enum = one.enum.filter((value) => texts.has(stable(value)));
  }
  return found;
}

function listOf(form: Node): unknown[] {
  if ("const" in form) return [form.const];
  const list = form.enum ?? form["x-extensible-enum"];
  return Array.isArray(list) ? list : [];
}

function typesOf(form: Node): string[] {
  return [form.type].flat().filter((type) => typeof type === "string");
}

/** Returns the alternatives of a union, each merged with the keywords beside the union. Null is the last. */
function branchesOf(document: Node, form: Node): Node[] {
  const { oneOf, anyOf, ...own } = form;
  const parts = [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const isNull = (part: Node) => (part.type === "null" ? 1 : 0);
  return parts.map((part) => joined(formOf(document, part), own)).toSorted((one, other) => isNull(one) - isNull(other));
}

/** Returns the type and constants of a form, which identify the same form in another document. */
function labelsOf(document: Node, form: Node): string {
  const constants = Object.entries(node(form.properties)).flatMap(([name, own]) => {
    const { const: value } = formOf(document, own);
    return value === undefined ? [] : [`${name} ${String(value)}`];
  });
  return [String(form.type), ...constants.sort()].join();
}

function numberOf(form: Node): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = form;
  const step = typeof multipleOf === "number" ? multipleOf : 1;
  if (typeof minimum === "number") return Math.ceil(minimum / step) * step;
  if (typeof exclusiveMinimum === "number") return Math.floor(exclusiveMinimum / step) * step + step;
  if (typeof maximum === "number") return Math.floor(maximum / step) * step;
  if (typeof exclusiveMaximum === "number") return Math.ceil(exclusiveMaximum / step) * step - step;
  return step;
}
