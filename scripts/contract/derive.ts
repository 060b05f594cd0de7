// Only openapi-typescript uses TypeScript 5.9, which the checkout contains for it. Its peer is ^5, because TypeScript 7 has no such
// interface.
import openapiTS, { astToString, type OpenAPI3, tsLiteral, tsUnion } from "openapi-typescript";
import { describeMigrations } from "../../src/store/file/file.ts";
import { bundleClient } from "./bundle-client.ts";
import { clientDocument, deriveClientPackage, deriveClientTypes } from "./client-package.ts";
import { deriveMethods, deriveOperations } from "./derive-client.ts";
import { derivePython } from "./derive-python.ts";
import { deriveRequests } from "./derive-requests.ts";
import { isOpenList, listedValues, type Node, operationsOf, unshared } from "./document.ts";

/**
 * Returns everything in generated/, by path from the root of the repository, derived from the parsed openapi.yaml, the client and the
 * migrations.
 */
export async function deriveFiles(parsed: Node): Promise<Map<string, string>> {
  const document = unshared(parsed);
  const derived = new Map([
    ["generated/openapi.d.ts", await deriveTypes(document)],
    ["generated/openapi.json", `${JSON.stringify(document, null, 2)}\n`],
    ["generated/requests.json", deriveRequests(document)],
    ["generated/operations.txt", deriveInventory(document)],
    ["generated/client-operations.ts", deriveOperations(document)],
    ["generated/client-methods.ts", deriveMethods(document)],
    ["generated/database-schema.ts", deriveDatabaseSchema()],
  ]);
  const client = await bundleClient(derived, await deriveClientTypes(document));
  const python = derivePython(document, clientDocument(document));
  return new Map([...derived, ...client, ...deriveClientPackage(document), ["generated/client/itemtape.py", python]]);
}

/** Returns the facts that a start compares with a database file. */
function deriveDatabaseSchema(): string {
  const { version, checksummedFrom, sha256 } = describeMigrations();
  return `// Derived from db/migrations by \`npm run generate\`; add a migration instead.

/** The schema of a database file: its version, the first version with checksums of rows, and its checksum. */
export const databaseSchema = {
  version: ${version},
  checksummedFrom: ${checksummedFrom},
  sha256: "${sha256}",
} as const;
`;
}

/**
 * Returns TypeScript types of paths, operations and components, and one exported type per component. For the server, open lists contain
 * only known values.
 */
async function deriveTypes(document: Node): Promise<string> {
  // Copied, because the generator changes its input.
  const input = structuredClone(document) as unknown as OpenAPI3;
  const ast = await openapiTS(input, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
    transform: (schema) => (isOpenList(schema) ? tsUnion(listedValues(schema).map(tsLiteral)) : undefined),
  });
  return `// Derived from openapi.yaml by \`npm run generate\`; edit the document instead.\n\n${astToString(ast)}`;
}

/** Returns one aligned line per operation: id, method, path, scope, plan, monthly units. */
function deriveInventory(document: Node): string {
  const rows = operationsOf(document).map((operation) => [
    operation.id,
    operation.method.toUpperCase(),
    operation.path,
    String(operation.node["x-itemtape-scope"]),
    String(operation.node["x-itemtape-plan"]),
    String(operation.node["x-itemtape-cost"]),
  ]);
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(width(column))).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}
