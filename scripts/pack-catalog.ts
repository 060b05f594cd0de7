import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CompressedList, compressList } from "../src/import/catalog/compressed-list.ts";
import { cs2LibPackage, readCatalogSources } from "../src/import/catalog/read-source.ts";
import { shippedFile } from "../src/import/catalog/shipped-catalog.ts";

/**
 * Packs the program's catalog: node scripts/pack-catalog.ts [FOLDER [FILE]]. FOLDER contains the installed package and a manifest with the
 * day of its publication. FILE is the packed file.
 */
const [folder = join(import.meta.dirname, "catalog"), file = shippedFile] = process.argv.slice(2);

const { cs2Lib } = await readCatalogSources([cs2LibPackage], folder);
const installed = join(folder, "node_modules", cs2LibPackage);
const { name, version, license } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
const { published } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).config;
const licenseText = readFileSync(join(installed, "License.txt"), "utf8").replaceAll("\r\n", "\n").trim();
const packed = compressList({
  source: { name, version, published, license, licenseText },
  items: cs2Lib!.items.value as CompressedList["items"],
  english: cs2Lib!.english.value as CompressedList["english"],
  russian: cs2Lib!.russian!.value as CompressedList["russian"],
});
writeFileSync(file, packed);
console.log(`${file}: ${packed.length} bytes`);
