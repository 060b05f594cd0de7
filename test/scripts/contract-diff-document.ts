import { parse } from "yaml";
import { isNode, type Node, node, operationsOf } from "../../scripts/contract/document.ts";

/**
 * Values by path. A mark after the path gives the use of the value: `+` appends it to a list, `-` removes the key, `>` renames a key, `=`
 * copies from another path, `~` reverses the list. A text `@Name` is a reference to a schema.
 */
export type Edits = Readonly<Record<string, unknown>>;

const shortcuts: Readonly<Record<string, string>> = {
  q: "list.parameters.q",
  limit: "list.parameters.limit",
  body: "ask.requestBody",
  request: "ask.requestBody.content.application/json.schema",
  own: "ask.requestBody.content.application/json.schema.properties.own",
  rows: "components.responses.Rows",
  data: "components.responses.Rows.content.application/json.schema.properties.data",
  problem: "list.responses.404.content.application/problem+json",
  row: "components.schemas.Row.properties",
  record: "components.schemas.Record",
  schemas: "components.schemas",
};

/** The small document after the edits. It contains each case of the rules once. */
export function seedDocument(...edits: Edits[]): Node {
  const document = structuredClone(original);
  for (const [path, value] of edits.flatMap((some) => Object.entries(some))) edit(document, path, value);
  return document;
}

function edit(document: Node, path: string, value: unknown): void {
  const [where = "", mark] = path.split(" ");
  const { parent, key } = placeOf(document, where);
  const old = parent[key];
  if (mark === "-") delete parent[key];
  else if (mark === "+") (old as unknown[]).push(value);
  else if (mark === "~") (old as unknown[]).reverse();
  else if (mark === "=") parent[key] = structuredClone(valueAt(document, String(value)));
  else if (mark === ">") parent[key] = renamed(node(old), value as [string, string]);
  else parent[key] = linked(value);
}

function renamed(map: Node, [from, to]: [string, string]): Node {
  if (!(from in map)) throw new Error(`there is no ${from}`);
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]));
}

function linked(value: unknown): unknown {
  if (typeof value === "string" && value.startsWith("@")) return { $ref: `#/components/schemas/${value.slice(1)}` };
  if (Array.isArray(value)) return value.map(linked);
  if (!isNode(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, linked(part)]));
}

function valueAt(document: Node, path: string): unknown {
  const { parent, key } = placeOf(document, path);
  return parent[key];
}

/** Finds the position of a path. Its first key may be an operation or a shortcut. A list entry has its index or its name. */
function placeOf(document: Node, path: string): { parent: Node; key: string } {
  const [first = "", ...others] = path.split(".");
  const keys = [...(shortcuts[first] ?? first).split("."), ...others];
  const key = keys.pop() ?? "";
  const [start = "", ...rest] = keys;
  const operation = operationsOf(document).find(({ id }) => id === start)?.node;
  let parent: unknown = start === "" ? document : (operation ?? document[start]);
  for (const step of rest) {
    const found: unknown = Array.isArray(parent) ? parent.find(({ name }) => name === step) : undefined;
    parent = found ?? (parent as Node | undefined)?.[step];
  }
  if (typeof parent !== "object" || parent === null) throw new Error(`nothing stands at ${path}`);
  return { parent: parent as Node, key };
}

const documentText = `
openapi: 3.1.0
info: { title: Test, version: 1.0.0, description: Rows. }
servers: [{ url: https://a.example, description: Here. }]
security: [{ key: [market] }]
tags: [{ name: Rows, description: About rows. }]
x-itemtape-changelog: []
paths:
  /rows:
    get:
      operationId: list
      tags: [Rows]
      summary: List rows
      description: Lists rows.
      security: [{ key: [market] }]
      x-itemtape-plan: free
      x-itemtape-scope: market
      x-itemtape-cost: 1
      x-itemtape-minute: false
      parameters:
        - { name: q, in: query, description: Words., schema: { type: string, minLength: 1, maxLength: 80, pattern: ^a } }
        - { name: limit, in: query, schema: { type: integer, format: int32, minimum: 1, maximum: 100, default: 50 } }
        - { name: side, in: query, schema: { type: string, enum: [ask, bid] } }
      responses:
        "200": { $ref: "#/components/responses/Rows" }
        "404":
          description: Gone.
          content:
            application/problem+json:
              schema: { $ref: "#/components/schemas/Problem" }
              examples: { gone: { value: { code: gone } } }
  /rows/{row_id}:
    get:
      operationId: read
      security: []
      x-itemtape-scope: none
      parameters: [{ name: row_id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: A row., content: { application/json: { schema: { type: object } } } } }
  /batch:
    post:
      operationId: ask
      requestBody:
        description: Ids.
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              required: [ids]
              properties:
                ids: { type: array, maxItems: 100, items: { type: string } }
                note: { type: [string, "null"], maxLength: 9 }
                own: { $ref: "#/components/schemas/Own" }
      responses: { "200": { description: Rows. } }
  /stream:
    get:
      operationId: stream
      responses:
        "200":
          description: Records.
          content:
            application/x-ndjson:
              schema:
                type: string
                contentMediaType: application/x-ndjson
                contentSchema: { $ref: "#/components/schemas/Record" }
components:
  securitySchemes: { key: { type: http, scheme: bearer, description: A key. } }
  responses:
    Rows:
      description: Rows.
      headers:
        Limit: { required: true, description: Most., schema: { type: integer, minimum: 1 } }
        Vary: { schema: { type: string, const: Authorization } }
      content:
        application/json:
          schema:
            type: object
            required: [data]
            properties: { data: { type: array, maxItems: 100, items: { $ref: "#/components/schemas/Row" } } }
          examples: { usual: { $ref: "#/components/examples/Usual" } }
  examples: { Usual: { summary: Rows, value: { data: [] } } }
  schemas:
    Loop: { properties: { a: {}, self: { $ref: "#/components/schemas/Loop" } } }
    Own: { type: integer, maximum: 5 }
    Kind: { type: string, enum: [cash, trade] }
    Problem: { type: object, properties: { code: { $ref: "#/components/schemas/Code" } } }
    Code: { type: string, enum: [gone, limited] }
    Row:
      type: object
      additionalProperties: false
      required: [id, kind]
      properties:
        id: { type: string, description: Its id., maxLength: 9, pattern: ^a }
        kind: { $ref: "#/components/schemas/Kind" }
        phase: { anyOf: [{ $ref: "#/components/schemas/Kind" }, { type: "null" }] }
        tags: { type: array, maxItems: 100, items: { type: string } }
        units: { type: [integer, "null"], format: int32, minimum: 0, maximum: 9 }
        currency: { type: string, const: USD }
    Record:
      oneOf: [{ $ref: "#/components/schemas/Start" }, { $ref: "#/components/schemas/End" }]
      discriminator:
        propertyName: type
        mapping: { start: "#/components/schemas/Start", end: "#/components/schemas/End" }
    Start:
      type: object
      additionalProperties: false
      required: [type]
      properties: { type: { type: string, const: start } }
    End:
      type: object
      additionalProperties: false
      required: [type]
      properties: { type: { type: string, const: end } }
`;

const original = node(parse(documentText));
