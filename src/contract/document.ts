import { readFileSync } from "node:fs";
import type { OperationId, Schema } from "./types.ts";

type Method = (typeof methods)[number];

/** The part of the document that the program itself reads. */
export type ContractDocument = {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  /** Changes of the document, ascending. */
  readonly "x-itemtape-changelog": readonly Schema<"ContractChange">[];
  readonly paths: Readonly<Record<string, { readonly [M in Method]?: { operationId: string; summary?: string } }>>;
};

/** One operation as the document states it. `method` is upper case, `path` the template. */
type ContractOperation = {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
};

export type Contract = {
  /** The bytes of the document, as they are served. */
  readonly json: Buffer;
  readonly document: ContractDocument;
  readonly operations: ReadonlyMap<OperationId, ContractOperation>;
};

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
/** Fields whose empty list has another meaning in the contract than "none", with the text that is shown instead. */
export const emptyMeans: Readonly<Record<string, string>> = { operations: "all" };

let loaded: Contract | undefined;

/** Returns the contract of this build. Read from the derived JSON once per process. */
export function loadContract(): Contract {
  loaded ??= read(readFileSync(new URL("../../generated/openapi.json", import.meta.url)));
  return loaded;
}

function read(json: Buffer): Contract {
  const document = JSON.parse(json.toString("utf8")) as ContractDocument;
  const operations = new Map<OperationId, ContractOperation>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined) continue;
      const operationId = operation.operationId as OperationId;
      operations.set(operationId, {
        operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary ?? operationId,
      });
    }
  }
  return { json, document, operations };
}
