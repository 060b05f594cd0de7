import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { translate, translationFolder } from "./translate.ts";

export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The modules that a run drives: from this checkout, or from a copy with a seeded bug. */
export type Subject = {
  accountPermits: typeof import("../../src/access/account-permits.ts");
  accounts: typeof import("../../src/access/accounts.ts");
  admission: typeof import("../../src/access/admission.ts");
  credentials: typeof import("../../src/access/credentials.ts");
  groupCommit: typeof import("../../src/access/ledger/group-commit.ts");
  keys: typeof import("../../src/access/keys.ts");
  clock: typeof import("../../src/access/ledger/clock.ts");
  ledger: typeof import("../../src/access/ledger/ledger.ts");
  transactions: typeof import("../../src/access/ledger/transactions.ts");
  plans: typeof import("../../src/access/plans.ts");
  rateLimiter: typeof import("../../src/access/rate-limiter.ts");
  usage: typeof import("../../src/access/usage.ts");
  apiHandler: typeof import("../../src/api/api-handler.ts");
  concurrencyLimiter: typeof import("../../src/api/concurrency-limiter.ts");
  exchange: typeof import("../../src/api/exchange.ts");
  operations: typeof import("../../src/api/operations.ts");
  streams: typeof import("../../src/api/streams.ts");
  generations: typeof import("../../src/domain/generations.ts");
  generationWaiters: typeof import("../../src/domain/generation-waiters.ts");
  historyDays: typeof import("../../src/domain/history-days.ts");
  marketChanges: typeof import("../../src/domain/market-changes.ts");
  accountStore: typeof import("../../src/store/write/accounts.ts");
  database: typeof import("../../src/store/database.ts");
};

const modules: Readonly<Record<keyof Subject, string>> = {
  accountPermits: "access/account-permits.ts",
  accounts: "access/accounts.ts",
  admission: "access/admission.ts",
  credentials: "access/credentials.ts",
  groupCommit: "access/ledger/group-commit.ts",
  keys: "access/keys.ts",
  clock: "access/ledger/clock.ts",
  ledger: "access/ledger/ledger.ts",
  transactions: "access/ledger/transactions.ts",
  plans: "access/plans.ts",
  rateLimiter: "access/rate-limiter.ts",
  usage: "access/usage.ts",
  apiHandler: "api/api-handler.ts",
  concurrencyLimiter: "api/concurrency-limiter.ts",
  exchange: "api/exchange.ts",
  operations: "api/operations.ts",
  streams: "api/streams.ts",
  generations: "domain/generations.ts",
  generationWaiters: "domain/generation-waiters.ts",
  historyDays: "domain/history-days.ts",
  marketChanges: "domain/market-changes.ts",
  accountStore: "store/write/accounts.ts",
  database: "store/database.ts",
};

type Change = { find: string; put: string };

/** A text that occurs once in a source file, and its replacement. `also` replaces another text of the same file. */
export type Replacement = Change & { name: string; file: string; also?: Change };

/** Loads the access layer of this checkout. */
export function loadSubject(): Promise<Subject> {
  return loadModules<Subject>(modules);
}

/**
 * Loads the access layer with one text replaced.
 *
 * @throws Error when the text to replace is not in its file exactly once
 */
export function loadChanged(change: Replacement): Promise<Subject> {
  return loadChangedModules<Subject>(change, modules);
}

/** Loads modules of this checkout: their paths in `src`, by name. */
export async function loadModules<T>(paths: Readonly<Record<string, string>>): Promise<T> {
  const loaded = Object.entries(paths).map(async ([name, path]) => [
    name,
    await import(pathToFileURL(join(repository, "src", path)).href),
  ]);
  return Object.fromEntries(await Promise.all(loaded)) as T;
}

/** Loads modules with one text replaced, as `loadChanged` does. */
export async function loadChangedModules<T>(change: Replacement, paths: Readonly<Record<string, string>>): Promise<T> {
  const text = changedText(change);
  const changedPath = join(repository, change.file);
  const outdir = translationFolder();
  // One file instead of one for each module that several share: most of the time would go into loading them.
  const entry = join(outdir, "subject.ts");
  const lines = Object.entries(paths).map(
    ([name, path]) => `export * as ${name} from "${join(repository, "src", path)}";`,
  );
  writeFileSync(entry, lines.join("\n"));
  await translate([entry], outdir, { textOf: (path) => (path === changedPath ? text : null) });
  return (await import(pathToFileURL(join(outdir, "subject.mjs")).href)) as T;
}

/**
 * Returns the text of the source file with the bug in it.
 *
 * @throws Error when the text to replace is not in its file exactly once
 */
export function changedText({ name, file, find, put, also }: Replacement): string {
  const changes = also === undefined ? [{ find, put }] : [{ find, put }, also];
  return changes.reduce(
    (text, change) => {
      const times = text.split(change.find).length - 1;
      if (times !== 1)
        throw new Error(`seeded bug "${name}": ${file} has its text ${times} times and not once: ${change.find}`);
      return text.replace(change.find, () => change.put);
    },
    readFileSync(join(repository, file), "utf8"),
  );
}
