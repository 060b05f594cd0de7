import { changelogKey, type Node, node, operationsOf } from "./document.ts";
import { expanded, pointed } from "./reference.ts";
import { SchemaViews } from "./schema-view.ts";
import { mapped, pick, stable, texts, without } from "./stable.ts";

/** One operation as a client sees it: every reference followed, maps instead of lists wherever the order means nothing. */
export type OperationView = { id: string; method: string; path: string; tree: Node };

/** A whole document as a client sees it. Components that nothing uses are not in it. */
export type DocumentView = { version: string; root: Node; operations: readonly OperationView[] };

const operationKeys = ["operationId", "tags", "summary", "description", "externalDocs", "deprecated"];
/** The default styles of parameters: to write one out changes nothing. */
const usualStyles: Readonly<Record<string, unknown>> = {
  query: "form",
  cookie: "form",
  path: "simple",
  header: "simple",
};
const partKeys = ["parameters", "requestBody", "responses", "security", "servers"];
/** Keys with a view of their own; the changelog is about the contract and not of it. */
const rootKeys = [
  "openapi",
  "info",
  "servers",
  "security",
  "tags",
  "paths",
  "components",
  "externalDocs",
  changelogKey,
];

/** Makes the view of a document that two documents are compared by: references resolved, one tree for each operation. */
export function viewOf(document: Node): DocumentView {
  const builder = new ViewBuilder(document);
  const operations = operationsOf(document).map(({ id, method, path, node: operation, item }) => {
    return { id, method, path, tree: builder.operation(operation, item) };
  });
  return { version: String(node(document.info).version), root: builder.root(), operations };
}

class ViewBuilder {
  readonly #document: Node;
  readonly #schemas: SchemaViews;
  readonly #responses = new WeakMap<Node, Node>();
  readonly #exampleTexts = new WeakMap<Node, string>();

  constructor(document: Node) {
    this.#document = document;
    this.#schemas = new SchemaViews(document);
  }

  root(): Node {
    const { info, servers, tags, externalDocs, components } = this.#document;
    const tagged = (Array.isArray(tags) ? tags : []).map((tag) => [String(node(tag).name), stable(tag)]);
    return {
      notes: { openapi: String(this.#document.openapi), ...texts(node(info)), ...texts({ externalDocs }) },
      tags: Object.fromEntries(tagged),
      servers: serversOf(servers),
      securitySchemes: mapped(node(components).securitySchemes, (scheme) => this.#scheme(scheme)),
      other: this.#texts(without(this.#document, rootKeys)),
    };
  }

  operation(operation: Node, item: Node): Node {
    const { tags, externalDocs, deprecated } = operation;
    const { servers, summary, description } = { ...item, ...operation };
    const extensions = Object.keys(operation).filter((key) => key.startsWith("x-"));
    const rest = without(operation, [...operationKeys, ...partKeys, ...extensions]);
    return {
      notes: texts({ tags, summary, description, externalDocs, ...flag(deprecated) }),
      security: securityOf(operation.security ?? this.#document.security),
      ...(servers === undefined ? {} : { servers: serversOf(servers) }),
      extensions: Object.fromEntries(extensions.map((key) => [key, stable(operation[key])])),
      parameters: this.#parameters([item.parameters, operation.parameters]),
      ...(operation.requestBody === undefined ? {} : { requestBody: this.#body(operation.requestBody) }),
      responses: mapped(operation.responses, (response) => this.#response(response)),
      other: this.#texts(rest),
    };
  }

  /** Returns the text of keywords that are not looked into, such as callbacks and links, with all that they refer to. */
  #texts(values: Node): Node {
    return texts(node(expanded(this.#document, values)));
  }

  #resolve(value: unknown): Node {
    const found = node(value);
    if (typeof found.$ref !== "string") return found;
    return { ...this.#resolve(pointed(this.#document, found.$ref)), ...without(found, ["$ref"]) };
  }

  #scheme(value: unknown): Node {
    const { description, bearerFormat, ...rest } = this.#resolve(value);
    const isNote = (key: string) => key.startsWith("x-");
    const notes = texts({ description, bearerFormat, ...pick(rest, isNote) });
    return { notes, ...this.#texts(pick(rest, (key) => !isNote(key))) };
  }

  /** Parameters by place and name; those of the operation stand before those of its path. */
  #parameters(lists: unknown[]): Node {
    const found: Node = {};
    for (const entry of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
      const parameter = this.#resolve(entry);
      const name = parameter.in === "header" ? String(parameter.name).toLowerCase() : String(parameter.name);
      found[`${String(parameter.in)} ${name}`] = this.#carrier(without(parameter, ["name"]));
    }
    return found;
  }

  /** Returns a parameter or a header: a schema, whether it must be there, and how it is written. */
  #carrier(carrier: Node): Node {
    const { required, schema, content, description, example, examples, deprecated, ...rest } = unusual(carrier);
    return {
      required: required === true,
      notes: { ...texts({ description, example }), ...flag(deprecated), ...this.#examples(examples) },
      ...(schema === undefined ? {} : { schema: this.#schemas.of(schema) }),
      ...(content === undefined ? {} : { content: this.#content(content) }),
      other: this.#texts(rest),
    };
  }

  #body(value: unknown): Node {
    const { required, description, content, ...rest } = this.#resolve(value);
    const notes = texts({ description });
    return { required: required === true, notes, content: this.#content(content), other: this.#texts(rest) };
  }

  #response(value: unknown): Node {
    const reference = node(value);
    const response = this.#resolve(reference);
    // The same response of many operations is one object, so that it is looked through once.
    const target = typeof reference.$ref === "string" ? node(pointed(this.#document, reference.$ref)) : response;
    const known = Object.keys(reference).length === 1 ? this.#responses.get(target) : undefined;
    if (known !== undefined) return known;
    const { description, headers, content, ...rest } = response;
    const named = Object.entries(node(headers)).map(([name, header]) => {
      return [name.toLowerCase(), this.#carrier(this.#resolve(header))];
    });
    const view = {
      notes: texts({ description }),
      headers: Object.fromEntries(named),
      content: this.#content(content),
      other: this.#texts(rest),
    };
    if (Object.keys(reference).length === 1) this.#responses.set(target, view);
    return view;
  }

  #content(value: unknown): Node {
    return mapped(value, (entry) => {
      const { schema, example, examples, ...rest } = node(entry);
      const notes = { ...texts({ example }), ...this.#examples(examples) };
      return { schema: this.#schemas.of(schema ?? {}), notes, other: this.#texts(rest) };
    });
  }

  #examples(value: unknown): Node {
    return Object.fromEntries(
      Object.entries(node(value)).map(([name, example]) => [`example ${name}`, this.#example(node(example))]),
    );
  }

  #example(example: Node): string {
    const target = typeof example.$ref === "string" ? node(pointed(this.#document, example.$ref)) : example;
    // Long texts, and the same under many answers.
    const known = this.#exampleTexts.get(target) ?? stable(this.#resolve(target));
    this.#exampleTexts.set(target, known);
    return known;
  }
}

/** Returns a parameter or header without `in`, and without default values. */
function unusual({ in: place = "header", ...carrier }: Node): Node {
  const usual = usualStyles[String(place)];
  const { style = usual } = carrier;
  const idle: Node = { style: usual, explode: style === "form", allowReserved: false, allowEmptyValue: false };
  return pick(carrier, (key) => !(key in idle && carrier[key] === idle[key]));
}

/** Requirements as sorted text: the order of alternatives and of scopes means nothing. */
function securityOf(value: unknown): string {
  const alternatives = (Array.isArray(value) ? value : []).map((alternative) =>
    mapped(alternative, (scopes) => (Array.isArray(scopes) ? [...scopes].sort() : [])),
  );
  return `[${alternatives.map(stable).sort().join()}]`;
}

/** Servers by URL, and the first of them, which generated clients take unasked. */
function serversOf(value: unknown): Node {
  const servers = Array.isArray(value) && value.length > 0 ? value : [{ url: "/" }];
  const named = servers.map((server) => {
    const { url, description, ...rest } = node(server);
    return [String(url), { notes: texts({ description }), other: texts(rest) }];
  });
  return { first: String(node(servers[0]).url), urls: Object.fromEntries(named) };
}

function flag(deprecated: unknown): Node {
  return deprecated === true ? { deprecated: "true" } : {};
}

/** Returns the new document with security schemes by their old names, where only the name differs: it is never sent. */
export function withSchemesCalledAs(old: DocumentView, now: DocumentView): DocumentView {
  const [before, after] = [node(old.root.securitySchemes), node(now.root.securitySchemes)];
  const oldNames = new Map<string, string>();
  for (const [name, scheme] of Object.entries(before)) {
    const isIt = (candidate: string) =>
      !(candidate in before) && !oldNames.has(candidate) && sent(after[candidate]) === sent(scheme);
    const renamed = name in after ? undefined : Object.keys(after).find(isIt);
    if (renamed !== undefined) oldNames.set(renamed, name);
  }
  if (oldNames.size === 0) return now;
  const called = (entries: Node) =>
    Object.fromEntries(Object.entries(entries).map(([name, value]) => [oldNames.get(name) ?? name, value]));
  const calledIn = (security: unknown) => securityOf((JSON.parse(String(security)) as Node[]).map(called));
  const operations = now.operations.map(({ tree, ...operation }) => {
    return { ...operation, tree: { ...tree, security: calledIn(tree.security) } };
  });
  return { ...now, root: { ...now.root, securitySchemes: called(after) }, operations };
}

function sent(scheme: unknown): string {
  return stable(without(node(scheme), ["notes"]));
}
