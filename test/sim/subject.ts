import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The modules that a run drives: those of this checkout, or those of a copy into which a bug was seeded. */
export type Subject = {
  accounts: typeof import("../../src/access/accounts.ts");
  admission: typeof import("../../src/access/admission.ts");
  credentials: typeof import("../../src/access/credentials.ts");
  groupCommit: typeof import("../../src/access/ledger/group-commit.ts");
  keys: typeof import("../../src/access/keys.ts");
  clock: typeof import("../../src/access/ledger/clock.ts");
  ledger: typeof import("../../src/access/ledger/ledger.ts");
  transactions: typeof import("../../src/access/ledger/transactions.ts");
  wire: typeof import("../../src/access/ledger/batch-codec.ts");
  plans: typeof import("../../src/access/plans.ts");
  rateLimiter: typeof import("../../src/access/rate-limiter.ts");
  usage: typeof import("../../src/access/usage.ts");
  accountStore: typeof import("../../src/store/write/accounts.ts");
  database: typeof import("../../src/store/database.ts");
};

const modules: Readonly<Record<keyof Subject, string>> = {
  accounts: "access/accounts.ts",
  admission: "access/admission.ts",
  credentials: "access/credentials.ts",
  groupCommit: "access/group-commit-ledger.ts",
  keys: "access/keys.ts",
  clock: "access/ledger-clock.ts",
  ledger: "access/ledger.ts",
  transactions: "access/ledger-transactions.ts",
  wire: "access/ledger-wire.ts",
  plans: "access/plans.ts",
  rateLimiter: "access/rate-limiter.ts",
  usage: "access/usage.ts",
  accountStore: "store/access-accounts.ts",
  database: "store/database.ts",
};

/** Loads the access layer of the tree at `root`. */
export async function loadSubject(root: string = repository): Promise<Subject> {
  const loaded = Object.entries(modules).map(async ([name, path]) => [
    name,
    await import(pathToFileURL(join(root, "src", path)).href),
  ]);
  return Object.fromEntries(await Promise.all(loaded)) as Subject;
}
