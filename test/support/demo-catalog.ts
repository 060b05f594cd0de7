import { readFileSync } from "node:fs";
import { buildCatalog } from "../../src/import/catalog/build-catalog.ts";
import { type CatalogImportReport, importCatalog } from "../../src/import/catalog/catalog-import.ts";
import type { CatalogVariant } from "../../src/import/catalog/variants.ts";
import type { World } from "./world.ts";

let variants: readonly CatalogVariant[] | undefined;

/** Everything that the source of the demo world's catalog states. */
function demoVariants(): readonly CatalogVariant[] {
  if (variants === undefined) {
    const { items, english, russian } = JSON.parse(
      readFileSync(new URL("../../db/demo-catalog.json", import.meta.url), "utf8"),
    );
    const document = (value: unknown) => ({ file: "db/demo-catalog.json", value });
    const sources = { items: document(items), english: document(english), russian: document(russian) };
    ({ variants } = buildCatalog({ cs2Lib: sources, csgoApi: null }));
  }
  return variants;
}

/** Imports the demo catalog again, as a source that no longer has these items, and says the others in its words. */
export function importDemoCatalog(
  world: World,
  without: readonly number[] = [],
  message: (variant: CatalogVariant) => CatalogVariant = (variant) => variant,
): CatalogImportReport {
  const gone = without.map((itemId) => {
    const [row] = world.sql("SELECT identity_key FROM items WHERE item_id = ?", itemId);
    return row?.identity_key;
  });
  const declared = demoVariants().filter((variant) => !gone.includes(variant.identityKey));
  if (declared.length !== demoVariants().length - without.length)
    throw new Error("the catalog's source does not hold each item once");
  return world.change((database) => importCatalog(database, declared.map(message), world.clock.at));
}
