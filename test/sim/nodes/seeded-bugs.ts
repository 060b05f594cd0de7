import type { Replacement } from "../subject.ts";

const rows = "src/store/postgres/ledger.ts";
const writer = "src/access/nodes/postgres-writer.ts";

/** Bugs of distribution that the simulation of nodes must notice. The first 250 steps of `seed` notice the bug. */
export const seededNodesBugs: readonly (Replacement & { seed: number })[] = [
  {
    name: "accounts are not locked",
    seed: 1,
    file: rows,
    find: "if (accountIds.length > 0) sent",
    put: "if (accountIds.length < 0) sent",
  },
  {
    name: "one request too many in the minute of all",
    seed: 1,
    file: rows,
    find: "const admitted = counted.used < limit;",
    put: "const admitted = counted.used <= limit;",
  },
  {
    name: "the lease of a dead node never ends",
    seed: 1,
    file: rows,
    find: "if (lease.expiresAt > at) continue;",
    put: "if (lease.expiresAt > at - 1e9) continue;",
  },
  {
    name: "a key revoked in the meantime is charged",
    seed: 5,
    file: rows,
    find: "k.expires_at, k.revoked_at, a.disabled_at",
    put: "k.expires_at, NULL, a.disabled_at",
  },
  {
    name: "a commit with a lost response counts as failed",
    seed: 1,
    file: writer,
    find: "if (!(await this.#isCommitted(number))) throw new NotWritten(error);",
    put: "throw new NotWritten(error);",
  },
];
