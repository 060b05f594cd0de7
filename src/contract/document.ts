import { readFileSync } from "node:fs";
import { clientOperations, contractRevision } from "../../generated/client-operations.ts";
import { fileOfProgram } from "../values/root.ts";
import type { OperationId, Schema } from "./types.ts";

type Method = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

/** Part of the document that is needed to route and check requests. */
export type RequestDocument = {
  readonly paths: Readonly<Record<string, { readonly [M in Method]?: { operationId: string; summary?: string } }>>;
};

/** Part of the document that the program itself reads. */
type ContractDocument = RequestDocument & {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  /** Changes of the document, ascending. */
  readonly "x-itemtape-changelog": readonly Schema<"ContractChange">[];
};

/** An operation of the document. `method` is upper case, `path` is the template. */
type ContractOperation = {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
};

export type Contract = {
  /** Bytes of the document. */
  readonly json: Buffer;
  readonly document: ContractDocument;
  /** UTC day of the last change. */
  readonly revision: string;
  readonly operations: ReadonlyMap<OperationId, ContractOperation>;
};

/** Fields in which an empty list does not mean "none", with the text to show instead. */
export const emptyMeans: Readonly<Record<string, string>> = { operations: "all" };

let json: Buffer | undefined;
let document: ContractDocument | undefined;
let requests: RequestDocument | undefined;
/** Reads the document on first use, which a start does not need. */
const contract: Contract = {
  get json() {
    json ??= read("openapi.json");
    return json;
  },
  get document() {
    document ??= JSON.parse(contract.json.toString("utf8")) as ContractDocument;
    return document;
  },
  revision: contractRevision,
  operations: new Map(
    Object.entries(clientOperations).map(([id, { method, path, summary }]) => {
      const operationId = id as OperationId;
      return [operationId, { operationId, method, path, summary }];
    }),
  ),
};

/** Returns the contract of this build. */
export function loadContract(): Contract {
  return contract;
}

/** Returns the document as JSON text with `url` as its only server, for clients generated from it. */
export function documentText({ document }: Contract, url: string): string {
  const servers = [{ url, description: "The server of this document." }];
  return `${JSON.stringify({ ...document, servers }, null, 2)}\n`;
}

/** Returns the document reduced to requests, without responses, examples and descriptions: a fifteenth of its size. */
export function loadRequestDocument(): RequestDocument {
  requests ??= JSON.parse(read("requests.json").toString("utf8")) as RequestDocument;
  return requests;
}

function read(name: string): Buffer {
  return readFileSync(fileOfProgram(`generated/${name}`));
}
