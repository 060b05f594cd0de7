import { type Database, openReader, readTransaction } from "../database.ts";
import { hasExpectedSchema } from "../file.ts";
import { isSqliteError } from "../refusal.ts";
import { checkCatalog } from "./catalog.ts";
import { type Finding, fact, fault } from "./finding.ts";
import { checkGenerations } from "./generations.ts";
import { checkHistory } from "./history.ts";
import { checkLedger } from "./ledger.ts";
import { checkOpenables } from "./openables.ts";
import { checkPortfolios } from "./portfolios.ts";

const faultsShownMax = 20;

/** The findings of a check of the whole file. `faults` is empty when the file holds what was written into it. */
export type CheckReport = { facts: string[]; faults: string[] };

/**
 * Reads the whole file and compares everything that it stores twice: pages and indexes, the digest of the published
 * generation, encoded answers and their columns, counted units and their sums. Writes nothing.
 * @throws {StoreRefusal} when the file cannot be opened at all.
 */
export function checkDatabase(path: string): CheckReport {
  const database = openReader(path);
  try {
    // One read transaction: a server or an import may be writing meanwhile.
    return readTransaction(database, () => checkAll(database));
  } finally {
    database.$client.close();
  }
}

function checkAll(database: Database): CheckReport {
  const report: CheckReport = { facts: [], faults: [] };
  const checks = {
    pages: checkPages,
    tables: checkSchema,
    generations: checkGenerations,
    catalog: checkCatalog,
    history: checkHistory,
    openables: checkOpenables,
    portfolios: checkPortfolios,
    ledger: checkLedger,
  };
  for (const [name, check] of Object.entries(checks)) {
    for (const { isFault, description } of found(name, () => check(database))) {
      (isFault ? report.faults : report.facts).push(`${name}: ${description}`);
    }
  }
  return report;
}

/** Runs one check. A damaged page or text ends that check and none of the others. */
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

function checkPages({ $client: client }: Database): Finding[] {
  const lines = client.prepare(`PRAGMA integrity_check(${faultsShownMax})`).pluck().all() as string[];
  const broken = client.pragma("foreign_key_check") as { table: string; parent: string }[];
  const faults = [
    ...lines.filter((line) => line !== "ok").map(fault),
    ...broken.slice(0, faultsShownMax).map(({ table, parent }) => fault(`a row of ${table} names none of ${parent}`)),
  ];
  return faults.length > 0 ? faults : [fact("structure, indexes, constraints and foreign keys hold")];
}

function checkSchema({ $client: client }: Database): Finding[] {
  return hasExpectedSchema(client) ? [fact("those of this release")] : [fault("not those of this release")];
}
