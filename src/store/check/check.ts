import { type Database, openReader, readTransaction } from "../database.ts";
import { hasExpectedSchema } from "../file/file.ts";
import { isSqliteError } from "../file/refusal.ts";
import { checkAccess } from "./access.ts";
import { checkCatalog } from "./catalog.ts";
import { type CheckOptions, type Chunks, type Finding, fact, fault } from "./finding.ts";
import { checkGenerations } from "./generations.ts";
import { checkHistory } from "./history.ts";
import { checkLedger } from "./ledger.ts";
import { checkOpenables } from "./openables.ts";
import { checkPages } from "./pages.ts";
import { checkPastRows } from "./past-rows.ts";
import { checkPortfolios } from "./portfolios.ts";
import { checkRowChecksums } from "./row-checksums.ts";

/** The findings of a check of the whole file. `faults` is empty if the file is sound. */
export type CheckReport = { facts: string[]; faults: string[] };

/**
 * Checks the whole file without writing. It compares pages with indexes, the published generation and daily rows with their digests, and
 * charged units with their sums.
 * @throws {StoreRefusal} when the file cannot be opened.
 */
export function checkDatabase(path: string, options: CheckOptions = {}): CheckReport {
  const database = openReader(path);
  try {
    // One read transaction, because an import may be writing meanwhile.
    return readTransaction(database, () => checkAll(database, (read) => read(), options));
  } finally {
    database.$client.close();
  }
}

/**
 * Checks a file that a server is writing to, like `checkDatabase` but in chunks. Each chunk reads its own snapshot, because one long read
 * would block the server's checkpoints. Calls `between` after each chunk.
 */
export function checkDatabaseInChunks(
  path: string,
  between: () => void = () => undefined,
  options: CheckOptions = {},
): CheckReport {
  const database = openReader(path);
  try {
    const chunks: Chunks = (read) => {
      const result = readTransaction(database, read);
      between();
      return result;
    };
    return checkAll(database, chunks, options);
  } finally {
    database.$client.close();
  }
}

function checkAll(database: Database, chunks: Chunks, options: CheckOptions): CheckReport {
  const report: CheckReport = { facts: [], faults: [] };
  const whole = (check: (database: Database) => Finding[]) => () => chunks(() => check(database));
  const checks = {
    pages: () => checkPages(database, chunks),
    tables: whole(checkSchema),
    generations: () => checkGenerations(database, chunks),
    catalog: () => checkCatalog(database, chunks),
    history: () => checkHistory(database, chunks, options),
    openables: () => checkOpenables(database, chunks),
    past: () => checkPastRows(database, chunks),
    portfolios: () => checkPortfolios(database, chunks),
    access: () => checkAccess(database, chunks),
    rows: () => checkRowChecksums(database, chunks),
    ledger: () => checkLedger(database, chunks),
  };
  for (const [name, check] of Object.entries(checks)) {
    for (const { isFault, description } of found(name, check)) {
      (isFault ? report.faults : report.facts).push(`${name}: ${description}`);
    }
  }
  return report;
}

/** Runs one check. A damaged page or text ends this check only. */
function found(name: string, check: () => Finding[]): Finding[] {
  try {
    return check();
  } catch (error) {
    if (isSqliteError(error) || error instanceof SyntaxError || error instanceof RangeError) {
      return [fault(`cannot be read (${error.message})`)];
    }
    throw new Error(`the check of ${name} failed`, { cause: error });
  }
}

function checkSchema({ $client: client }: Database): Finding[] {
  return hasExpectedSchema(client)
    ? [fact("the objects match this release")]
    : [fault("the objects differ from this release")];
}
