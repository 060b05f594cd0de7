import { loadChangedModules, loadModules, type Replacement } from "../subject.ts";

/** The modules of a node and of an operator's commands. */
export type NodesSubject = {
  accessReads: typeof import("../../../src/store/postgres/access-reads.ts");
  accountWork: typeof import("../../../src/store/postgres/account-work.ts");
  accounts: typeof import("../../../src/access/accounts.ts");
  admissions: typeof import("../../../src/access/nodes/admissions.ts");
  credentials: typeof import("../../../src/access/credentials.ts");
  keys: typeof import("../../../src/access/keys.ts");
  ledger: typeof import("../../../src/access/nodes/ledger.ts");
  postgresWriter: typeof import("../../../src/access/nodes/postgres-writer.ts");
  rateLimiter: typeof import("../../../src/access/rate-limiter.ts");
  nodesCredentials: typeof import("../../../src/access/nodes/credentials.ts");
  usage: typeof import("../../../src/access/nodes/usage.ts");
};

export const nodesModules: Readonly<Record<keyof NodesSubject, string>> = {
  accessReads: "store/postgres/access-reads.ts",
  accountWork: "store/postgres/account-work.ts",
  accounts: "access/accounts.ts",
  admissions: "access/nodes/admissions.ts",
  credentials: "access/credentials.ts",
  keys: "access/keys.ts",
  ledger: "access/nodes/ledger.ts",
  postgresWriter: "access/nodes/postgres-writer.ts",
  rateLimiter: "access/rate-limiter.ts",
  nodesCredentials: "access/nodes/credentials.ts",
  usage: "access/nodes/usage.ts",
};

/** Loads the modules of nodes. `change` replaces one text in their source. */
export function loadNodesSubject(change: Replacement | null = null): Promise<NodesSubject> {
  return change === null
    ? loadModules<NodesSubject>(nodesModules)
    : loadChangedModules<NodesSubject>(change, nodesModules);
}
