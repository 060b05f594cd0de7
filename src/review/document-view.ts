import { changelogKey, type Node, node, operationsOf } from "./document.ts";
import { expanded, pointed } from "./reference.ts";
import { SchemaViews } from "./schema-view.ts";
import { mapped, pick, stable, texts, without } from "./stable.ts";

/** View of an operation for clients: references are resolved, and lists without a meaningful order become maps. */
export type OperationView = { id: string; method: string; path: string; tree: Node };

/** View of a whole document for clients, without unused components. */
export type DocumentView = { version: string; root: Node; operations: readonly OperationView[] };

const operationKeys = ["operationId", "tags", "summary", "description", "externalDocs", "deprecated"];
/** Default styles of parameters. Writing out a default is not a change. */
const usualStyles: Readonly<Record<string, unknown>> = {
  query: "form",
  cookie: "form",
  path: "simple",
  header: "simple",
};
const partKeys = ["parameters", "requestBody", "responses", "security", "servers"];
/** Root keys that are viewed separately, and the changelog, which describes the contract but is not part of it. */
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

/** Builds the view of a document for comparison: references resolved, and one tree per operation. */
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

  /** Returns the text of keywords that are not analysed, such as callbacks and links, with references resolved. */
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

  /** Returns parameters by place and name. The operation's parameters override the path's parameters. */
  #parameters(lists: unknown[]): Node {
    const found: Node = {};
    for (const entry of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
      const parameter = this.#resolve(entry);
      const name = parameter.in === "header" ? String(parameter.name).toLowerCase() : String(parameter.name);
      found[`${String(parameter.in)} ${name}`] = this.#carrier(without(parameter, ["name"]));
    }
    return found;
  }

  /** Returns the view of a parameter or header: schema, required flag and encoding. */
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
    // Many operations share a response object, so its view is cached.
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
    // Cached, because examples are long and many responses share them.
    const known = this.#exampleTexts.get(target) ?? stable(this.#resolve(target));
    this.#exampleTexts.set(target, known);
    return known;
  }
}

/** Returns a parameter or header without `in` and without default values. */
function unusual({ in: place = "header", ...carrier }: Node): Node {
  const usual = usualStyles[String(place)];
  const { style = usual } = carrier;
  const idle: Node = { style: usual, explode: style === "form", allowReserved: false, allowEmptyValue: false };
  return pick(carrier, (key) => !(key in idle && carrier[key] === idle[key]));
}

/** Returns security requirements as sorted text, because the order of alternatives and scopes is irrelevant. */
function securityOf(value: unknown): string {
  const alternatives = (Array.isArray(value) ? value : []).map((alternative) =>
    mapped(alternative, (scopes) => (Array.isArray(scopes) ? [...scopes].sort() : [])),
  );
  return `[${alternatives.map(stable).sort().join()}]`;
}

/** Returns servers by URL, and the first one, which is the default of generated clients. */
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

/** Returns the new view with old names for renamed but otherwise equal security schemes: their names are never sent. */
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
