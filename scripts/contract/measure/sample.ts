import { isNode, type Node, node, resolve } from "../../../src/review/document.ts";
import { type Checked, Checker, labelOf, meaningsOf } from "../../../src/review/exchange/checker.ts";
import type { Answer, Caller, Exchange, Request } from "../../../src/review/exchange/exchange.ts";
import { textOf } from "../../../src/review/exchange/texts.ts";
import type { Chance } from "./chance.ts";

const depthMax = 7;
const entriesMax = 300;
const textPool = [
  "a",
  "A b",
  "é",
  "7",
  "-1.50",
  "2026-02-03",
  "2026-02-03T04:05:06.000Z",
  "http://a.example/",
  "urn:a",
];
const numberPool = [0, 1, -1, 7, 0.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1];

/**
 * Draws random exchanges of one contract. The measure and the review share the checker, which decides between right and wrong, and the
 * texts for patterns. This drawing is apart from the review's, so that a value which the review never draws can show here.
 */
export class Sampler {
  readonly operations: readonly Checked[];
  readonly #document: Node;
  readonly #chance: Chance;

  constructor(document: Node, chance: Chance) {
    this.#document = document;
    this.#chance = chance;
    this.operations = new Checker(document).operations;
  }

  /** Returns a request that has the part at `near` more often than others. */
  request(operation: Checked, near: readonly string[]): Request {
    const [part, label] = near;
    let { path } = operation;
    const query: [string, string][] = [];
    const headers: Record<string, string> = {};
    for (const parameter of operation.parameters) {
      const isNear = part === "parameters" && label === labelOf(parameter);
      if (parameter.required !== true && !this.#isBy(isNear ? 0.8 : 0.3)) continue;
      const value = this.value(parameter.schema, isNear ? near.slice(3) : []);
      if (value === null || isNode(value)) continue;
      const name = String(parameter.name);
      const texts = [value].flat().map(String);
      const isSpread = parameter.in === "query" && parameter.explode !== false;
      if (parameter.in === "path") path = path.replace(`{${name}}`, encodeURIComponent(texts.join(",")));
      else if (parameter.in !== "query") headers[name.toLowerCase()] = texts.join(",");
      else query.push(...(isSpread ? texts : [texts.join(",")]).map((text): [string, string] => [name, text]));
    }
    const meanings = Object.entries(meaningsOf(operation, this.#document)).map(([place, { text }]) => [place, text]);
    const accepted = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
    return {
      method: operation.method,
      path,
      server: this.#isBy(0.2) ? this.#of(operation.servers) : null,
      query,
      headers,
      caller: this.#caller(operation),
      accept: this.#isBy(0.2)
        ? (this.#of(accepted.flatMap(([, { content }]) => Object.keys(node(content)))) ?? null)
        : null,
      body: this.#body(operation, part === "requestBody" ? near : []),
      means: this.#isBy(0.3) && meanings.length > 0 ? Object.fromEntries([this.#of(meanings)]) : {},
    };
  }

  /** Returns a response of an operation to a request of a client of the other contract. */
  answer(operation: Checked, request: Request, near: readonly string[]): Exchange {
    const statuses = Object.keys(operation.responses);
    const isNear = near[0] === "responses" && statuses.includes(near[1] ?? "") && this.#isBy(0.9);
    const status = isNear ? (near[1] ?? "") : this.#of(statuses);
    const response = node(operation.responses[status]);
    const headers: Record<string, string> = {};
    for (const [name, written] of Object.entries(node(response.headers))) {
      const header = resolve(this.#document, written);
      if (header.required === true || this.#isBy(0.5))
        headers[name.toLowerCase()] = String(this.value(header.schema, []));
    }
    const mediaType = this.#of(Object.keys(node(response.content))) ?? null;
    const { schema } = node(node(response.content)[mediaType ?? ""]);
    const answer: Answer = {
      status: status.replaceAll("X", "0").replace("default", "500"),
      headers,
      mediaType,
      value: mediaType === null ? undefined : this.#content(schema, isNear ? near.slice(5) : []),
    };
    return { request, answer, near };
  }

  #content(schema: unknown, near: readonly string[]): unknown {
    const { contentSchema } = resolve(this.#document, schema);
    return contentSchema === undefined ? this.value(schema, near) : [this.value(contentSchema, near.slice(1))];
  }

  #body({ body }: Checked, near: readonly string[]): Request["body"] {
    const content = Object.entries(node(body?.content));
    const entry = this.#of(content);
    if (entry === undefined || (body?.required !== true && near.length < 2 && this.#isBy(0.5))) return null;
    return { mediaType: entry[0], value: this.value(node(entry[1]).schema, near.slice(4)) };
  }

  #caller({ security, raw }: Checked): Caller {
    const scope = String(raw["x-itemtape-scope"] ?? "none");
    return {
      credentials: this.#of(security) ?? {},
      scope: ["none", "any"].includes(scope) ? (security.length > 0 || scope === "any" ? "other" : "none") : scope,
      plan: String(raw["x-itemtape-plan"] ?? "none"),
      units: this.#isBy(0.5) ? Number(raw["x-itemtape-cost"] ?? 0) : 1_000,
      hasMinute: raw["x-itemtape-minute"] === true || this.#isBy(0.7),
    };
  }

  /** Returns a random value of a schema, mostly with the part at `near`. */
  value(schema: unknown, near: readonly string[], depth = 0): unknown {
    const { $ref, allOf, ...own } = node(schema);
    const parts = [
      ...($ref === undefined ? [] : [resolve(this.#document, schema)]),
      ...(Array.isArray(allOf) ? allOf : []),
    ];
    if (parts.length > 0) {
      const all = isNode(own.properties) ? [...parts, own] : parts;
      const values = all.map((part) => this.value(part, near, depth));
      return values.every(isNode) ? Object.assign({}, ...values) : values[0];
    }
    if ("const" in own) return own.const;
    const open = own["x-extensible-enum"];
    if (Array.isArray(own.enum)) return this.#of(own.enum);
    if (Array.isArray(open)) return this.#of([...open, "unknown_value"]);
    const branches = [own.oneOf, own.anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
    if (branches.length > 0) return this.value(this.#branch(branches, near), near, depth);
    const types = [own.type ?? (isNode(own.properties) ? "object" : "string")].flat().map(String);
    return this.#typed(this.#of(types) ?? "string", own, near, depth);
  }

  #branch(branches: readonly unknown[], [key, name = ""]: readonly string[]): unknown {
    const fitting = branches.filter(
      (one) => key === "properties" && name in node(resolve(this.#document, one).properties),
    );
    return fitting.length > 0 && this.#isBy(0.8) ? this.#of(fitting) : this.#of(branches);
  }

  #typed(type: string, form: Node, near: readonly string[], depth: number): unknown {
    if (type === "object") return this.#object(form, near, depth);
    if (type === "array") return this.#array(form, near, depth);
    if (type === "integer" || type === "number") return this.#number(form, type === "integer");
    if (type === "boolean") return this.#isBy(0.5);
    return type === "null" ? null : this.#text(form);
  }

  #object({ properties, required, additionalProperties }: Node, near: readonly string[], depth: number): Node {
    const needed = Array.isArray(required) ? required : [];
    const found: Node = {};
    for (const [name, schema] of Object.entries(node(properties))) {
      const isNear = near[0] === "properties" && near[1] === name;
      const share = isNear ? (near.length > 2 ? 0.9 : 0.5) : depth > depthMax ? 0 : 0.5;
      if (needed.includes(name) || this.#isBy(share))
        found[name] = this.value(schema, isNear ? near.slice(2) : [], depth + 1);
    }
    if (isNode(additionalProperties)) found.further = this.value(additionalProperties, near.slice(1), depth + 1);
    else if (additionalProperties !== false && this.#isBy(0.3)) found.unknown_key = 1;
    return found;
  }

  #array({ items, minItems, maxItems, uniqueItems }: Node, near: readonly string[], depth: number): unknown[] {
    const least = Number(minItems ?? 0);
    const most = Number(maxItems ?? least + 3);
    const size = depth > depthMax ? least : (this.#of([least, Math.max(1, least), Math.min(2, most), most]) ?? least);
    const below = near[0] === "items" ? near.slice(1) : [];
    const draw = () => this.value(items ?? {}, below, depth + 1);
    const first = draw();
    if (size > entriesMax || uniqueItems === true) return Array.from({ length: Math.min(size, 20) }, draw);
    return Array.from({ length: size }, () => first);
  }

  #number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 }: Node, isWhole: boolean): number {
    const step = Number(multipleOf);
    const bounds = [minimum, maximum, Number(exclusiveMinimum) + step, Number(exclusiveMaximum) - step];
    const ends = bounds.filter((bound) => typeof bound === "number" && !Number.isNaN(bound)).map(Number);
    const near = ends.flatMap((end) => [end, end, end + step, end - step, end + step / 2]);
    const drawn = this.#of([...near, ...numberPool]) ?? 0;
    return isWhole && this.#isBy(0.9) ? Math.round(drawn) : drawn;
  }

  #text(form: Node): string {
    const { minLength = 0, maxLength = Number(minLength) + 3, pattern, format } = form;
    const fits = typeof pattern === "string" ? new RegExp(pattern, "u") : /^/u;
    const size = Number(this.#of([minLength, maxLength]));
    const made = [textOf(form), textOf(form, size)];
    const pool =
      format === undefined
        ? [...textPool, ..."aZ".split("").map((letter) => letter.repeat(Math.min(size, 20_000)))]
        : textPool;
    return this.#of([...made, ...pool.filter((text) => fits.test(text))]) ?? "";
  }

  #isBy(share: number): boolean {
    return this.#chance.below(1_000) < share * 1_000;
  }

  #of<Entry>(entries: readonly Entry[]): Entry {
    return entries[this.#chance.below(Math.max(1, entries.length))] as Entry;
  }
}
