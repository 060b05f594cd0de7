import { readFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, {
  astToString,
  NEVER,
  type OpenAPI3,
  STRING,
  tsIntersection,
  tsLiteral,
  tsRecord,
  tsUnion,
} from "openapi-typescript";
import {
  componentsOf,
  isOpenList,
  listedValues,
  type Node,
  node,
  operationsOf,
  repositoryRoot,
  resolve,
} from "./document.ts";

/** Schemas that the client uses but no successful response refers to. */
const schemasOfRefusals = ["Problem", "ErrorCode"];
/** Keys of a schema that do not affect its type. */
const unseen = ["example", "examples", "format"];
/** Maximum characters of a description, unless its first sentence is longer. */
const descriptionCharsMax = 60;

/** Returns the files that make `generated/client` an installable npm package: its description, its README and the license. */
export function deriveClientPackage(document: Node): Map<string, string> {
  const { version } = node(document.info);
  const description = {
    name: "itemtape-client",
    version,
    description:
      "Client of an Itemtape server: typed calls, retries, paging, verified exports and copies that keep themselves. No dependencies.",
    license: "MIT",
    // Prevents publication by mistake: the package is installed from a server, never from a registry.
    private: true,
    type: "module",
    engines: { node: ">=20" },
    types: "./itemtape.d.ts",
    exports: { ".": { types: "./itemtape.d.ts", default: "./itemtape.js" }, "./package.json": "./package.json" },
    files: ["itemtape.js", "itemtape.d.ts"],
  };
  return new Map([
    ["generated/client/package.json", `${JSON.stringify(description, null, 2)}\n`],
    ["generated/client/README.md", readme],
    ["generated/client/LICENSE", readFileSync(join(repositoryRoot, "LICENSE"), "utf8")],
  ]);
}

const readme = `# itemtape-client

The client of an Itemtape server, for Node 20 and later, Deno and Bun. One module, no dependencies.

Install it from the server that you call, by its address. It is in no registry:

\`\`\`sh
npm install http://127.0.0.1:8080/client/itemtape-client.tgz
\`\`\`

\`\`\`js
import { Itemtape } from "itemtape-client";

const client = new Itemtape({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.ITEMTAPE_API_KEY });
const { data } = await client.getItem({ item_id: 445 });
\`\`\`

The server shows how to use it at \`/docs/guides/clients\`.
`;

/** Returns declarations of `components` and `operations` with the parts used in the client's types: parameters, bodies and the 200. */
export async function deriveClientTypes(document: Node): Promise<string> {
  const anyText = tsIntersection([STRING, tsRecord(NEVER, NEVER)]);
  const ast = await openapiTS(clientDocument(document) as unknown as OpenAPI3, {
    silent: true,
    transform: (schema) =>
      isOpenList(schema) ? tsUnion([...listedValues(schema).map(tsLiteral), anyText]) : undefined,
  });
  const kept = (ast as { name?: { text?: string } }[]).filter(({ name }) =>
    ["components", "operations"].includes(name?.text ?? ""),
  );
  return astToString(kept as typeof ast)
    .replaceAll(/^export /gm, "")
    .replaceAll(/^ *(?:headers|responses|requestBodies|pathItems|parameters|header|cookie)\??: never;\n/gm, "")
    .replaceAll(
      /\/\*\*\n(?: *\* @description (.*)\n)?(?: *\* @(?:enum|constant|default).*\n)+ *\*\//g,
      (_, text: string | undefined) => (text === undefined ? "" : `/** ${text} */`),
    )
    .replaceAll("@description ", "")
    .replaceAll(" (enum property replaced by openapi-typescript)", "")
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, 'Schema<"$1">')
    .replaceAll(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, "")
    .replaceAll(/^ *requestBody\?: never;\n/gm, "")
    .replaceAll(/^ *\n/gm, "");
}

/** Returns the document without refusals, headers, examples and unused components. */
export function clientDocument(document: Node): Node {
  const paths: Record<string, Node> = {};
  for (const operation of operationsOf(document)) {
    const { requestBody, responses } = operation.node;
    const { content } = resolve(document, node(responses)["200"]);
    const body = requestBody === undefined ? {} : { requestBody: bodyOf(resolve(document, requestBody)) };
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: {
        operationId: operation.id,
        parameters: parametersOf(document, operation.node.parameters),
        ...body,
        responses: { "200": { description: "", content: shortened(content) } },
      },
    };
  }
  const found = new Set<string>();
  for (const name of schemasOfRefusals) addSchema(document, name, found);
  for (const name of namedIn(paths)) addSchema(document, name, found);
  const schemas = Object.entries(componentsOf(document, "schemas")).filter(([name]) => found.has(name));
  const components = { schemas: shortened(Object.fromEntries(schemas)) };
  return { openapi: document.openapi, info: document.info, paths, components };
}

function bodyOf({ content }: Node): Node {
  return { required: true, content: shortened(content) };
}

function parametersOf(document: Node, parameters: unknown): unknown[] {
  const all = Array.isArray(parameters) ? parameters.map((parameter) => resolve(document, parameter)) : [];
  return all.filter((parameter) => parameter.in !== "header").map(shortened);
}

function addSchema(document: Node, name: string, found: Set<string>): void {
  if (found.has(name)) return;
  found.add(name);
  for (const next of namedIn(componentsOf(document, "schemas")[name])) addSchema(document, next, found);
}

/** Returns the names of the schemas that a value refers to. */
function namedIn(value: unknown): string[] {
  const text = JSON.stringify(value) ?? "";
  return [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => String(name));
}

/** Copies a value without parts that types ignore, and with short descriptions. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => !isUnseen(key, inner));
  return Object.fromEntries(
    kept.map(([key, inner]) => [
      key,
      key === "description" && typeof inner === "string" ? firstSentences(inner) : shortened(inner),
    ]),
  );
}

/** A property of a schema may also have such a name. Its value is then an object with a type. */
function isUnseen(key: string, value: unknown): boolean {
  return unseen.includes(key) && node(value).type === undefined && node(value).$ref === undefined;
}

/** Returns the first sentences of a text that fit, at least one. The reference has the full text. */
function firstSentences(text: string): string {
  const words = text.trim().replaceAll(/\s+/g, " ");
  const end = words.lastIndexOf(". ", descriptionCharsMax - 2);
  const first = words.indexOf(". ");
  if (words.length <= descriptionCharsMax || first === -1) return words;
  return words.slice(0, (end === -1 ? first : end) + 1);
}
