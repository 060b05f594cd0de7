import { loadChangedModules, loadModules, type Replacement } from "../subject.ts";

/** The modules that a node is made of, and those that an operator's commands use. */
export type NodesSubject = {
  accessReads: typeof import("../../../src/store/postgres/access-reads.ts");
  accountWork: typeof import("../../../src/store/postgres/account-work.ts");
  accounts: typeof import("../../../src/access/accounts.ts");
  admission: typeof import("../../../src/access/admission.ts");
  credentials: typeof import("../../../src/access/credentials.ts");
  groupCommit: typeof import("../../../src/access/ledger/group-commit.ts");
  keys: typeof import("../../../src/access/keys.ts");
  ledger: typeof import("../../../src/access/ledger/ledger.ts");
  postgresWriter: typeof import("../../../src/access/ledger/postgres-writer.ts");
  rateLimiter: typeof import("../../../src/access/rate-limiter.ts");
  remoteCredentials: typeof import("../../../src/access/remote-credentials.ts");
  usage: typeof import("../../../src/access/usage.ts");
};

export const nodesModules: Readonly<Record<keyof NodesSubject, string>> = {
  accessReads: "store/postgres/access-reads.ts",
  accountWork: "store/postgres/account-work.ts",
  accounts: "access/accounts.ts",
  admission: "access/admission.ts",
  credentials: "access/credentials.ts",
  groupCommit: "access/ledger/group-commit.ts",
  keys: "access/keys.ts",
  ledger: "access/ledger/ledger.ts",
  postgresWriter: "access/ledger/postgres-writer.ts",
  rateLimiter: "access/rate-limiter.ts",
  remoteCredentials: "access/remote-credentials.ts",
  usage: "access/usage.ts",
};

/** Loads what nodes are made of; `change`: with one text replaced. */
export function loadNodesSubject(change: Replacement | null = null): Promise<NodesSubject> {
  return change === null
    ? loadModules<NodesSubject>(nodesModules)
    : loadChangedModules<NodesSubject>(change, nodesModules);
}
