import { isNode, type Node, node, resolve } from "../document.ts";
import { type Checked, type Checker, labelOf, meaningsOf } from "./checker.ts";
import type { Answer, Caller, Exchange, Request } from "./exchange.ts";
import { Values } from "./values.ts";

const scopes = ["none", "any"];
const unitsMany = 1_000;

/**
 * Generates exchanges for an operation of one contract. Each differs from a basic exchange in one part. `other` is the same operation in
 * the other contract.
 */
export class Draw {
  readonly #checker: Checker;
  readonly #twin: Checker;
  readonly #values: Values;

  constructor(checker: Checker, twin: Checker) {
    this.#checker = checker;
    this.#twin = twin;
    this.#values = new Values(checker.document, twin.document);
  }

  /** Yields requests: first a minimal one, then one with all optional parts, then variations. */
  *requests(operation: Checked, other: Checked | null): Generator<Exchange> {
    const least = this.plain(operation, false);
    const whole = this.plain(operation, true);
    const exchange = (request: Request, near: readonly string[] = []) => ({ request, answer: null, near });
    yield exchange(least);
    yield exchange(whole);
    for (const server of operation.servers) yield exchange({ ...least, server }, ["servers"]);
    for (const caller of callersOf(operation)) yield exchange({ ...least, caller: caller.value }, caller.near);
    for (const [place, { text, near }] of Object.entries(meaningsOf(operation, this.#checker.document)))
      yield exchange({ ...least, means: { [place]: text } }, near);
    for (const [status, { content }] of Object.entries(operation.responses))
      if (status.startsWith("2"))
        for (const mediaType of Object.keys(node(content)))
          yield exchange({ ...least, accept: mediaType }, ["responses", status, "content", mediaType]);
    yield* this.#parameters(operation, other, least);
    yield* this.#bodies(operation, other, least);
  }

  /** Yields responses to basic requests. `asked` is the operation in the contract that clients know. */
  *answers(operation: Checked, other: Checked | null, asked: Checked): Generator<Exchange> {
    const request = new Draw(this.#twin, this.#checker).plain(asked, false);
    const headers = Object.fromEntries(
      asked.parameters
        .filter(({ in: place }) => place === "header")
        .map((one) => [String(one.name).toLowerCase(), String(this.#values.base(one.schema))]),
    );
    const limit = asked.parameters.find((one) => labelOf(one) === "query limit");
    const most = node(limit?.schema).maximum;
    const large =
      most === undefined ? [] : [{ ...request, query: [...request.query, ["limit", String(most)] as const] }];
    for (const [status, response] of Object.entries(operation.responses)) {
      const number = status.replaceAll("X", "0").replace("default", "500");
      const twin = other?.responses[status] ?? {};
      const requests = status.startsWith("2") ? [request, ...large] : [{ ...request, headers }, request];
      for (const one of requests)
        for (const { answer, near } of this.#answersOf(number, response, node(twin)))
          yield { request: one, answer, near: ["responses", status, ...near] };
    }
  }

  /** Returns a basic request: minimal, or with all optional parts if `isWhole`. */
  plain(operation: Checked, isWhole: boolean): Request {
    const { method, parameters, body } = operation;
    const taken = parameters.filter((one) => isWhole || one.required === true);
    let { path } = operation;
    const query: [string, string][] = [];
    const headers: Record<string, string> = {};
    for (const parameter of taken) {
      const texts = textsOf(parameter, this.#baseOf(parameter));
      const name = String(parameter.name);
      if (parameter.in === "path") path = path.replace(`{${name}}`, encodeURIComponent(texts[0] ?? ""));
      else if (parameter.in === "query") query.push(...texts.map((text): [string, string] => [name, text]));
      else headers[`${parameter.in === "cookie" ? "cookie " : ""}${name.toLowerCase()}`] = texts[0] ?? "";
    }
    const [entry] = Object.entries(node(body?.content));
    const isSent = entry !== undefined && (isWhole || body?.required === true);
    const value = isSent ? this.#values.base(node(entry[1]).schema) : null;
    return {
      method,
      path,
      server: null,
      query,
      headers,
      caller: callersOf(operation)[0]?.value ?? anybody,
      accept: null,
      body: isSent ? { mediaType: entry[0], value } : null,
      means: {},
    };
  }

  /** Returns the example of a parameter or header if it fits, else another value. */
  #baseOf(carrier: Node): unknown {
    const { example, schema } = carrier;
    const isFit = example !== undefined && this.#checker.takesText(carrier, textsOf(carrier, example));
    return isFit ? example : this.#values.base(schema);
  }

  *#parameters(operation: Checked, other: Checked | null, least: Request): Generator<Exchange> {
    for (const parameter of operation.parameters) {
      const label = labelOf(parameter);
      const near = ["parameters", label];
      const twin = other?.parameters.find((one) => labelOf(one) === label);
      for (const drawn of this.#values.of(parameter.schema, twin?.schema, [...near, "schema"])) {
        for (const request of withParameter({ operation, least, parameter, value: drawn.value }))
          yield { request, answer: null, near: drawn.near };
      }
    }
  }

  *#bodies({ body }: Checked, other: Checked | null, least: Request): Generator<Exchange> {
    for (const [mediaType, entry] of Object.entries(node(body?.content))) {
      const twin = node(node(node(other?.body).content)[mediaType]);
      const near = ["requestBody", "content", mediaType, "schema"];
      for (const drawn of this.#values.of(node(entry).schema, twin.schema, near))
        yield { request: { ...least, body: { mediaType, value: drawn.value } }, answer: null, near: drawn.near };
    }
  }

  *#answersOf(status: string, response: Node, twin: Node): Generator<{ answer: Answer; near: readonly string[] }> {
    const { document } = this.#checker;
    const carriers = Object.entries(node(response.headers)).map(([name, header]) => ({
      name: name.toLowerCase(),
      header: resolve(document, header),
    }));
    const headers = Object.fromEntries(carriers.map(({ name, header }) => [name, String(this.#baseOf(header))]));
    const content = Object.entries(node(response.content));
    if (content.length === 0) yield { answer: { status, headers, mediaType: null, value: undefined }, near: [] };
    for (const [mediaType, entry] of content) {
      const near = ["content", mediaType, "schema"];
      const plain: Answer = { status, headers, mediaType, value: undefined };
      let first: Answer | null = null;
      for (const drawn of this.#valuesOf(node(entry).schema, node(node(twin.content)[mediaType]).schema, near)) {
        const answer = { ...plain, value: drawn.value };
        first ??= answer;
        yield { answer, near: drawn.near };
      }
      for (const { name, header } of carriers) {
        const place = ["headers", name];
        const { [name]: _, ...without } = headers;
        if (first !== null) yield { answer: { ...first, headers: without }, near: place };
        const twinHeader = Object.entries(node(twin.headers)).find(([key]) => key.toLowerCase() === name)?.[1];
        const twinSchema = resolve(this.#twin.document, twinHeader).schema;
        for (const drawn of this.#values.of(header.schema, twinSchema, [...place, "schema"]))
          if (first !== null)
            yield { answer: { ...first, headers: { ...headers, [name]: String(drawn.value) } }, near: drawn.near };
      }
    }
  }

  *#valuesOf(
    schema: unknown,
    other: unknown,
    near: readonly string[],
  ): Generator<{ value: unknown; near: readonly string[] }> {
    const { contentSchema } = resolve(this.#checker.document, schema);
    if (contentSchema === undefined) yield* this.#values.of(schema, other, near);
    else {
      const twin = resolve(this.#twin.document, other).contentSchema;
      for (const drawn of this.#values.of(contentSchema, twin, [...near, "contentSchema"]))
        yield { value: [drawn.value], near: drawn.near };
    }
  }
}

const anybody: Caller = { credentials: {}, scope: "none", plan: "none", units: unitsMany, hasMinute: true };

/** Returns callers that are only just admitted: first one per alternative, then callers without spare units or requests. */
function callersOf({ security, raw }: Checked): { value: Caller; near: readonly string[] }[] {
  const scope = String(raw["x-itemtape-scope"] ?? "none");
  const plan = String(raw["x-itemtape-plan"] ?? "none");
  const units = Number(raw["x-itemtape-cost"] ?? 0);
  const alternatives = security.length === 0 ? [{}] : security;
  const callers = alternatives.map((credentials): Caller => {
    const isNamed = !scopes.includes(scope);
    const own = isNamed ? scope : Object.keys(credentials).length > 0 || scope === "any" ? "other" : "none";
    return { credentials, scope: own, plan, units: unitsMany, hasMinute: true };
  });
  const found = callers.map((value) => ({ value, near: ["security"] }));
  const [first = anybody] = callers;
  found.push({ value: { ...first, units }, near: ["extensions", "x-itemtape-cost"] });
  if (raw["x-itemtape-minute"] !== true)
    found.push({ value: { ...first, hasMinute: false }, near: ["extensions", "x-itemtape-minute"] });
  return found;
}

type Given = { operation: Checked; least: Request; parameter: Node; value: unknown };

/** Returns the minimal request with another value of a parameter. Returns nothing if the value cannot be sent. */
function withParameter({ operation, least, parameter, value }: Given): Request[] {
  if (value === null || isNode(value)) return [];
  const texts = textsOf(parameter, value);
  const name = String(parameter.name);
  if (parameter.in === "path") {
    const [text = ""] = texts;
    const steps = least.path.split("/");
    const index = operation.path.split("/").findIndex((step) => step.includes(`{${name}}`));
    if (text === "" || index < 0) return [];
    steps[index] = (operation.path.split("/")[index] ?? "").replace(`{${name}}`, encodeURIComponent(text));
    return [{ ...least, path: steps.join("/") }];
  }
  if (parameter.in === "query") {
    const rest = least.query.filter(([key]) => key !== name);
    return [{ ...least, query: [...rest, ...texts.map((text) => [name, text] as const)] }];
  }
  const key = `${parameter.in === "cookie" ? "cookie " : ""}${name.toLowerCase()}`;
  return [{ ...least, headers: { ...least.headers, [key]: texts[0] ?? "" } }];
}

function textsOf({ explode, in: place }: Node, value: unknown): string[] {
  if (!Array.isArray(value)) return [String(value)];
  const texts = value.map(String);
  return (explode ?? place === "query") ? texts : [texts.join(",")];
}
