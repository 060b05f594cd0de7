import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { documentFile } from "../../src/review/document.ts";
import { root } from "../../src/values/root.ts";

export * from "../../src/review/document.ts";

export const repositoryRoot = fileURLToPath(root);

/** Returns the text of openapi.yaml. */
export function readDocumentText(): string {
  return readFileSync(`${repositoryRoot}${documentFile}`, "utf8");
}
