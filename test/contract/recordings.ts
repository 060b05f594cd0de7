import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isNode, type Node, node, operationsOf, resolve } from "../../scripts/contract/document.ts";
import type { OperationId } from "../../src/contract/types.ts";
import type { Answer } from "../support/client.ts";

/**
 * One recorded response of one operation. `component` is its name in the replay table. That name is either under `components.examples` or
 * in a fixture file, but not in both.
 */
export type Recording = {
  operationId: OperationId;
  status: number;
  component: string;
  /** The parsed body, or the text of an export. */
  value: unknown;
  isUnreachable: boolean;
};

/** A response that openapi.yaml does not show, and its operations. The value of an export is the list of its records. */
export type Fixture = { summary: string; status: number; operations: OperationId[]; value: unknown };

/** The fixtures of one file by name. */
export type FixtureFile = Record<string, Fixture>;

const folder = fileURLToPath(new URL("fixtures/", import.meta.url));
const shownRequestId = "req_0mkfedmo00000001demodemo00";

/** Lists every recorded answer: the examples of the document, then the fixtures. */
export function recordingsOf(document: Node): Recording[] {
  return [...shownExamples(document), ...fixtureRecordings()];
}

/** Lists every named example of every response, in the order of the document. */
export function shownExamples(document: Node): Recording[] {
  return operationsOf(document).flatMap((operation) =>
    Object.entries(node(operation.node.responses)).flatMap(([status, response]) =>
      Object.values(node(resolve(document, response).content)).flatMap((media) =>
        Object.values(node(node(media).examples)).map((reference): Recording => {
          const example = resolve(document, reference);
          return {
            operationId: operation.id as OperationId,
            status: Number(status),
            component: String(node(reference).$ref).split("/").at(-1) ?? "",
            value: example.value,
            isUnreachable: "x-unreachable" in example,
          };
        }),
      ),
    ),
  );
}

/** Lists the answers of the fixture files, one for each operation that gives it. */
export function fixtureRecordings(): Recording[] {
  return [...readFixtures().values()].flatMap((file) =>
    Object.entries(file).flatMap(([component, { status, operations, value }]) =>
      operations.map((operationId) => {
        return { operationId, status, component, value: textOf(value), isUnreachable: false };
      }),
    ),
  );
}

/** Reads the fixture files by name: one for each operation, and `refusals.json`. */
export function readFixtures(): Map<string, FixtureFile> {
  const names = readdirSync(folder).toSorted();
  return new Map(names.map((name) => [name, JSON.parse(readFileSync(`${folder}${name}`, "utf8")) as FixtureFile]));
}

/** Replaces the values in the fixture files by `values`, by name. */
export function writeFixtures(values: ReadonlyMap<string, unknown>): void {
  for (const [name, file] of readFixtures()) {
    const entries = Object.entries(file).map(([component, fixture]) => {
      const value = values.has(component) ? values.get(component) : textOf(fixture.value);
      return [component, { ...fixture, value: linesOf(value) }];
    });
    writeFileSync(`${folder}${name}`, `${laidOut(Object.fromEntries(entries))}\n`);
  }
}

/** Returns JSON with a line for each row: an object or list without others in it, or a value of at most 120 columns. */
function laidOut(value: unknown, indent = ""): string {
  const line = JSON.stringify(value);
  const parts = Object.entries(value ?? {});
  const isRow = typeof value !== "object" || parts.every(([, part]) => typeof part !== "object" || part === null);
  if (isRow || line.length <= 120) return line;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const lines = parts.map(([key, part]) => {
    const name = Array.isArray(value) ? "" : `${JSON.stringify(key)}: `;
    return `${indent}  ${name}${laidOut(part, `${indent}  `)}`;
  });
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

/** The records of an export as its text, and any other answer as it is. */
function textOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map((record) => `${JSON.stringify(record)}\n`).join("") : value;
}

function linesOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

/** The value that an answer records: its parsed body or the text of an export, with the request id that all recordings show. */
export function recordedValue({ json, text }: Answer): unknown {
  const [, id] = /"request_id":"([^"]*)"/.exec(text) ?? [];
  const shown = id === undefined ? text : text.replaceAll(id, shownRequestId);
  return json === null ? shown : JSON.parse(shown);
}

/** Returns whether an example is a request body. */
export function isRequestExample(document: Node, component: string): boolean {
  const bodies = operationsOf(document).map((operation) => operation.node.requestBody);
  return bodies.some((body) =>
    Object.values(node(resolve(document, body).content)).some((media) =>
      Object.values(node(node(media).examples)).some(
        (reference) => isNode(reference) && String(reference.$ref).endsWith(`/${component}`),
      ),
    ),
  );
}
