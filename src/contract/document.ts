import { readFileSync } from "node:fs";
import { clientOperations, contractRevision } from "../../generated/client-operations.ts";
import { fileOfProgram } from "../values/root.ts";
import type { OperationId, Schema } from "./types.ts";

type Method = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

/** The part of a document by which requests are routed and checked. */
export type RequestDocument = {
  readonly paths: Readonly<Record<string, { readonly [M in Method]?: { operationId: string; summary?: string } }>>;
};

/** The part of the document that the program itself reads. */
type ContractDocument = RequestDocument & {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  /** Changes of the document, ascending. */
  readonly "x-itemtape-changelog": readonly Schema<"ContractChange">[];
};

/** One operation as the document states it. `method` is upper case, `path` the template. */
type ContractOperation = {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
};

export type Contract = {
  /** The bytes of the document. */
  readonly json: Buffer;
  readonly document: ContractDocument;
  /** The UTC day of its last change. */
  readonly revision: string;
  readonly operations: ReadonlyMap<OperationId, ContractOperation>;
};

/** Fields whose empty list has another meaning in the contract than "none", with the text that is shown instead. */
export const emptyMeans: Readonly<Record<string, string>> = { operations: "all" };

let json: Buffer | undefined;
let document: ContractDocument | undefined;
let requests: RequestDocument | undefined;
/** The document is read when somebody asks for it: a start does not. */
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

/** Returns the text of the document with the server at `url` alone, which clients made from the document call. */
export function documentText({ document }: Contract, url: string): string {
  const servers = [{ url, description: "The server of this document." }];
  return `${JSON.stringify({ ...document, servers }, null, 2)}\n`;
}

/** Returns what the document says of requests, without answers, examples and texts: a fifteenth of it. */
export function loadRequestDocument(): RequestDocument {
  requests ??= JSON.parse(read("requests.json").toString("utf8")) as RequestDocument;
  return requests;
}

function read(name: string): Buffer {
  return readFileSync(fileOfProgram(`generated/${name}`));
}
