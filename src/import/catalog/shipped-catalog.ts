import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Progress } from "../../values/progress.ts";
import { fileOfProgram } from "../../values/root.ts";
import type { Clock } from "../../values/time/clock.ts";
import { buildCatalog } from "./build-catalog.ts";
import { type CatalogImportReport, importCatalogFile } from "./catalog-import.ts";
import { type CompressedList, type NamedRows, unpackList } from "./compressed-list.ts";

/** Path of the packed catalog that is shipped with the program. */
export const shippedFile = fileURLToPath(fileOfProgram("db/catalog.json.br"));
/** The command operand for the shipped catalog. */
export const shippedWord = "shipped";

/** Reads the shipped item list. This needs about 40 ms. */
export function readShippedList(): CompressedList {
  return unpackList(readFileSync(shippedFile));
}

let facts: (CompressedList["source"] & { lastId: number }) | undefined;

/** Returns the origin of the shipped list. `lastId` is its highest row id; newer lists give new rows higher ids. */
export function shippedFacts(): NonNullable<typeof facts> {
  if (facts === undefined) {
    const { source, items } = readShippedList();
    facts = { ...source, lastId: items.reduce((most, { id }) => Math.max(most, id), 0) };
  }
  return facts;
}

/** Converts a list to the documents from which catalogs and pools are built. */
export function documentsOf({ items, english, russian }: NamedRows) {
  const document = (value: unknown) => ({ file: shippedFile, value });
  return { items: document(items), english: document(english), russian: document(russian) };
}

/**
 * Updates the file at `databasePath` to the shipped catalog. Known items keep their ids.
 * @throws {StoreRefusal} when the file cannot be used or another import is running.
 * @throws {OperatorError} when the file has another catalog and most of its items would leave.
 */
export async function importShippedCatalog(
  databasePath: string,
  parts: { clock: Clock; progress?: Progress },
): Promise<CatalogImportReport> {
  parts.progress?.phase("reading the catalog");
  const { variants } = buildCatalog({ cs2Lib: documentsOf(readShippedList()), csgoApi: null });
  return importCatalogFile(databasePath, variants, parts);
}
