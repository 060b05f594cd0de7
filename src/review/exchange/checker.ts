import { isNode, type Node, node, operationsOf, resolve } from "../document.ts";
import { stable, without } from "../stable.ts";
import type { Answer, Caller, Exchange, Request } from "./exchange.ts";
import { type Reader, Reading } from "./reading.ts";

/** An operation prepared for the checker, with references of its parts resolved. */
export type Checked = {
  id: string;
  method: string;
  path: string;
  parameters: readonly Node[];
  body: Node | null;
  responses: Readonly<Record<string, Node>>;
  security: readonly Readonly<Record<string, readonly string[]>>[];
  servers: readonly string[];
  raw: Node;
};

/** A response to check, and its documented form. */
type Answered = { operation: Checked; response: Node; request: Request; answer: Answer; reader: "server" | "client" };

const plans = ["none", "free", "paid"];
/** Headers that caches obey regardless of the contract. */
const cacheHeaders = ["vary", "cache-control"];
const problemType = "application/problem+json";

/** Checks exchanges against one contract. Ajv checks values. Each check returns the reasons for a failure, in a few words each. */
export class Checker {
  readonly operations: readonly Checked[];
  readonly document: Node;
  readonly #reading: Reading;

  constructor(document: Node) {
    this.document = document;
    this.#reading = new Reading(document);
    this.operations = operationsOf(document).map(({ id, method, path, node: raw, item }) => {
      const lists = [raw.parameters, item.parameters].map((list) => (Array.isArray(list) ? list : []));
      const all = lists.flat().map((entry) => resolve(document, entry));
      const labels = all.map(labelOf);
      return {
        id,
        method,
        path,
        raw,
        parameters: all.filter((_, index) => labels.indexOf(labels[index] ?? "") === index),
        body: raw.requestBody === undefined ? null : resolve(document, raw.requestBody),
        responses: Object.fromEntries(
          Object.entries(node(raw.responses)).map(([status, answer]) => [status, resolve(document, answer)]),
        ),
        security: this.#securityOf(raw.security ?? document.security),
        servers: serversOf(raw.servers ?? item.servers ?? document.servers),
      };
    });
  }

  /** Returns the reasons why a request is refused or a reader rejects the response; empty if the exchange is valid. */
  faults({ request, answer }: Exchange, reader: "server" | "client"): readonly string[] {
    return answer === null ? this.#requestFaults(request) : this.#answerFaults(request, answer, reader);
  }

  /** Returns the operation for a request, preferring paths with fewer parameters; undefined if none matches. */
  operationOf({ method, path }: Pick<Request, "method" | "path">): Checked | undefined {
    const fitting = this.operations.filter((one) => one.method === method && valuesInPath(one.path, path) !== null);
    return fitting.toSorted((one, other) => one.path.split("{").length - other.path.split("{").length)[0];
  }

  #requestFaults(request: Request): readonly string[] {
    const operation = this.operationOf(request);
    if (operation === undefined) return [`${request.method.toUpperCase()} ${request.path} is not an endpoint`];
    const { server } = request;
    return [
      server !== null && !operation.servers.includes(server) ? `${server} is not a server` : null,
      ...accessFaults(operation, request.caller),
      ...this.#parametersFaults(operation, request),
      this.#bodyFault(operation, request),
      meaningFault(operation, request, this.document),
      acceptFault(operation, request),
    ].filter((fault) => fault !== null);
  }

  #parametersFaults({ parameters, path }: Checked, request: Request): string[] {
    const inPath = valuesInPath(path, request.path) ?? [];
    const names = Array.from(path.matchAll(/\{([^}]*)\}/g), ([, name]) => name);
    const labels = new Set(parameters.map(labelOf));
    const unknown = request.query.filter(([name]) => !labels.has(`query ${name}`));
    const faults = unknown.map(([name]) => `the query parameter ${name} is unknown`);
    for (const parameter of parameters) {
      const label = labelOf(parameter);
      const name = String(parameter.name);
      const given =
        parameter.in === "query"
          ? request.query.filter(([key]) => key === name).map(([, text]) => text)
          : parameter.in === "path"
            ? [inPath[names.indexOf(name)] ?? ""]
            : [request.headers[`${parameter.in === "cookie" ? "cookie " : ""}${name.toLowerCase()}`]].filter(
                (text) => text !== undefined,
              );
      if (given.length === 0 && parameter.required === true) faults.push(`the ${label} is missing`);
      if (given.length > 0 && !this.takesText(parameter, given)) faults.push(`the ${label} does not fit`);
    }
    return faults;
  }

  /** Returns whether texts fit a schema. A text may be read as a number, boolean or list if the schema requires it. */
  takesText(carrier: Node, texts: readonly string[]): boolean {
    const { schema = {}, explode = carrier.in === "query" || carrier.in === "cookie" } = carrier;
    const isSent = (text: string) => readings(text).some((value) => this.#reading.fits(schema, "server", value));
    const list = explode === true ? texts : texts.flatMap((text) => text.split(","));
    const lists = [list, list.map((text) => readings(text).at(-1))];
    if (lists.some((value) => this.#reading.fits(schema, "server", value))) return true;
    return texts.length === 1 && isSent(texts[0] ?? "");
  }

  #bodyFault({ body }: Checked, request: Request): string | null {
    if (body === null) return request.body === null ? null : "a body is not accepted";
    if (request.body === null) return body.required === true ? "the body is missing" : null;
    const { mediaType, value } = request.body;
    const entry = node(body.content)[mediaType];
    if (entry === undefined) return `${mediaType} is not accepted`;
    return this.#reading.fits(node(entry).schema ?? {}, "server", value) ? null : "the body does not fit";
  }

  #answerFaults(request: Request, answer: Answer, reader: "server" | "client"): readonly string[] {
    const operation = this.operationOf(request);
    if (operation === undefined) return ["the endpoint is unknown"];
    const { status } = answer;
    const response =
      operation.responses[status] ?? operation.responses[`${status[0]}XX`] ?? operation.responses.default;
    if (response === undefined) {
      const isTaken = reader === "client" && /^[45]/.test(status);
      return isTaken ? [] : [`the status ${status} is unknown`];
    }
    const isConditional = operation.parameters.some((one) => labelOf(one) === "header if-none-match");
    if (reader === "server" && status === "304" && isConditional && request.headers["if-none-match"] === undefined)
      return ["304 answers If-None-Match only"];
    const content = this.#contentFault({ operation, response, request, answer, reader });
    return [...this.#headersFaults(response, answer), ...(content === null ? [] : [content])];
  }

  #contentFault({ operation, response, request, answer, reader }: Answered): string | null {
    const { mediaType, value } = answer;
    const content = node(response.content);
    if (value === undefined) return Object.keys(content).length === 0 ? null : "the body is missing";
    if (Object.keys(content).length === 0) return reader === "client" ? null : "no body is sent";
    const entry = content[mediaType ?? ""];
    if (entry === undefined) return `the media type ${mediaType} is unknown`;
    if (reader === "server" && !this.#isPromised(operation, request, node(entry), answer)) return "it is not promised";
    return this.#valueFault(node(entry).schema ?? {}, value, reader);
  }

  #valueFault(schema: unknown, value: unknown, reader: Reader): string | null {
    const { contentSchema } = resolve(this.document, schema);
    if (contentSchema === undefined) return this.#reading.fits(schema, reader, value) ? null : "the body does not fit";
    const by = reader === "client" ? "stream" : reader;
    const lines = Array.isArray(value) ? value : [value];
    return lines.every((line) => this.#reading.fits(contentSchema, by, line)) ? null : "a record does not fit";
  }

  #headersFaults(response: Node, answer: Answer): string[] {
    const faults: string[] = [];
    for (const [name, written] of Object.entries(node(response.headers))) {
      const key = name.toLowerCase();
      if (cacheHeaders.includes(key)) continue;
      const header = resolve(this.document, written);
      const text = answer.headers[key];
      if (text === undefined && header.required === true) faults.push(`the header ${name} is missing`);
      if (text !== undefined && !this.takesText({ ...header, in: "header" }, [text]))
        faults.push(`the header ${name} does not fit`);
    }
    return faults;
  }

  /** Returns whether a page has at most `limit` rows, and a problem code is in the examples of the operation. */
  #isPromised({ parameters }: Checked, request: Request, entry: Node, { mediaType, value }: Answer): boolean {
    const { data, code } = node(value);
    const limit = parameters.find((one) => labelOf(one) === "query limit");
    const asked = request.query.find(([name]) => name === "limit")?.[1] ?? node(limit?.schema).default;
    if (limit !== undefined && Array.isArray(data) && asked !== undefined && data.length > Number(asked)) return false;
    const { properties } = resolve(this.document, entry.schema);
    const isClosed = Array.isArray(resolve(this.document, node(properties).code).enum);
    if (mediaType !== problemType || code === undefined || !isClosed) return true;
    const shown = [
      ...Object.values(node(entry.examples)).map((example) => node(resolve(this.document, example).value).code),
      node(entry.example).code,
    ].filter((one) => one !== undefined);
    return shown.length === 0 || shown.includes(code);
  }

  /** Returns security requirements by the credentials that are sent, because names of schemes are not on the wire. */
  #securityOf(value: unknown): Checked["security"] {
    const schemes = node(node(this.document.components).securitySchemes);
    return (Array.isArray(value) ? value : []).map((alternative) =>
      Object.fromEntries(
        Object.entries(node(alternative)).map(([name, scopes]) => [
          sentBy(resolve(this.document, schemes[name])),
          Array.isArray(scopes) ? scopes.map(String) : [],
        ]),
      ),
    );
  }
}

/** Returns place and name of a parameter, such as `query limit`. */
export function labelOf({ in: place, name }: Node): string {
  return `${String(place)} ${place === "header" ? String(name).toLowerCase() : String(name)}`;
}

function sentBy(scheme: Node): string {
  const notes = Object.keys(scheme).filter((key) => key.startsWith("x-"));
  return stable(without(scheme, ["description", "bearerFormat", ...notes]));
}

function serversOf(value: unknown): string[] {
  const list = Array.isArray(value) && value.length > 0 ? value : [{ url: "/" }];
  return list.map((server) => String(node(server).url));
}

function accessFaults({ security, raw }: Checked, caller: Caller): string[] {
  const takes = (needed: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(needed).every(([scheme, scopes]) => {
      const granted = caller.credentials[scheme];
      return granted !== undefined && scopes.every((scope) => granted.includes(scope));
    });
  const { "x-itemtape-scope": scope = "none", "x-itemtape-plan": plan = "none" } = raw;
  const faults: string[] = [];
  if (security.length > 0 && !security.some(takes)) faults.push("the credential is not enough");
  if (scope !== "none" && caller.scope === "none") faults.push("a key of any scope is required");
  else if (scope !== "none" && scope !== "any" && caller.scope !== scope)
    faults.push(`the scope ${String(scope)} is required`);
  if (plans.indexOf(String(plan)) > plans.indexOf(caller.plan)) faults.push(`the plan ${String(plan)} is required`);
  if (Number(raw["x-itemtape-cost"] ?? 0) > caller.units) faults.push("the cost exceeds the month's units");
  if (raw["x-itemtape-minute"] === true && !caller.hasMinute) faults.push("the minute is used up");
  return faults;
}

function meaningFault(operation: Checked, { means }: Request, document: Node): string | null {
  const now = meaningsOf(operation, document);
  const other = Object.keys(means).find((place) => now[place]?.text !== means[place]);
  return other === undefined ? null : `leaving out the ${other} means something else`;
}

/** A documented default as text, and its path in the view of the operation. */
type Meaning = { text: string; near: readonly string[] };

/** Returns the documented default of each optional part, by its place. */
export function meaningsOf({ parameters, body }: Checked, document: Node): Record<string, Meaning> {
  const found: Record<string, Meaning> = {};
  const add = (place: string, schema: unknown, near: readonly string[]) => {
    const { default: value } = resolve(document, schema);
    if (value !== undefined) found[place] = { text: stable(value), near };
  };
  for (const parameter of parameters) {
    const label = labelOf(parameter);
    if (parameter.required !== true) add(label, parameter.schema, ["parameters", label, "schema"]);
  }
  for (const [mediaType, entry] of Object.entries(node(body?.content))) {
    const { properties } = resolve(document, node(entry).schema);
    const near = ["requestBody", "content", mediaType, "schema", "properties"];
    for (const [name, schema] of Object.entries(node(properties)))
      add(`${mediaType} key ${name}`, schema, [...near, name]);
  }
  return found;
}

function acceptFault({ responses }: Checked, { accept }: Request): string | null {
  if (accept === null) return null;
  const good = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const isSent = good.some(([, { content }]) => isNode(content) && accept in content);
  return isSent ? null : `no answer is ${accept}`;
}

function readings(text: string): unknown[] {
  if (text === "true" || text === "false") return [text, text === "true"];
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? [text, Number(text)] : [text];
}

function valuesInPath(template: string, path: string): string[] | null {
  const pattern = template
    .split(/\{[^}]*\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("([^/]*)");
  const found = new RegExp(`^${pattern}$`).exec(path);
  return found === null ? null : found.slice(1).map(decodeURIComponent);
}
