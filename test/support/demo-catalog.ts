import { fewItemsList } from "../../scripts/support/example-world.ts";
import { type DemoList, readDemoList } from "../../src/demo/list.ts";
import { buildCatalog } from "../../src/import/catalog/build-catalog.ts";
import { type CatalogImportReport, importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { documentsOf } from "../../src/import/catalog/shipped-catalog.ts";
import type { CatalogVariant } from "../../src/import/catalog/variants.ts";
import type { World } from "./world.ts";

let all: readonly CatalogVariant[] | undefined;
let few: readonly CatalogVariant[] | undefined;

/** Everything that the source of the world's catalog states. */
function demoVariants({ hasFewItems }: World): readonly CatalogVariant[] {
  if (hasFewItems) few ??= variantsOf(fewItemsList());
  else all ??= variantsOf(readDemoList());
  return (hasFewItems ? few : all)!;
}

function variantsOf(list: DemoList): readonly CatalogVariant[] {
  return buildCatalog({ cs2Lib: documentsOf(list), csgoApi: null }).variants;
}

/** Imports the demo catalog again from a source without these items. `message` changes the other variants. */
export function importDemoCatalog(
  world: World,
  without: readonly number[] = [],
  message: (variant: CatalogVariant) => CatalogVariant = (variant) => variant,
): CatalogImportReport {
  const gone = without.map((itemId) => {
    const [row] = world.sql("SELECT identity_key FROM items WHERE item_id = ?", itemId);
    return row?.identity_key;
  });
  const variants = demoVariants(world);
  const declared = variants.filter((variant) => !gone.includes(variant.identityKey));
  if (declared.length !== variants.length - without.length)
    throw new Error("the catalog's source does not hold each item once");
  return world.change((database) => importCatalog(database, declared.map(message), world.clock.at));
}
