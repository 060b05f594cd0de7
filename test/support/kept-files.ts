import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createExampleFile } from "../../scripts/support/example-world.ts";
import type { DemoKeys } from "../../src/demo/demo.ts";
import { buildCatalog } from "../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { readCatalogSources } from "../../src/import/catalog/read-source.ts";
import { openWriter } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file.ts";
import { realDataFolder } from "./skip.ts";

/** A file with the demo world of the contract's examples, to be copied and never changed, and the secrets in it. */
export type DemoFile = { path: string; keys: DemoKeys };

const repository = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(repository, "node_modules", ".cache", "itemtape-test-files");
const keptMs = 24 * 3_600_000;
let demo: DemoFile | undefined;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  demoFile();
  if (existsSync(realDataFolder)) await realCatalogFile();
}

/** Returns the demo file. It is made once for a state of the sources, because that takes seconds. */
export function demoFile(): DemoFile {
  if (demo === undefined) {
    const folder = folderOf("demo");
    if (!existsSync(folder)) {
      const draft = draftOf(folder);
      writeFileSync(join(draft, "keys.json"), JSON.stringify(createExampleFile(join(draft, "demo.db"))));
      keep(draft, folder);
    }
    demo = { path: join(folder, "demo.db"), keys: JSON.parse(readFileSync(join(folder, "keys.json"), "utf8")) };
  }
  return demo;
}

/** Returns the path of a file with the catalog of the real market and nothing else, imported at 1970-01-01: to be copied. */
export async function realCatalogFile(): Promise<string> {
  const folder = folderOf("catalog");
  if (!existsSync(folder)) {
    const documents = await readCatalogSources([join(realDataFolder, "catalog")], realDataFolder);
    const draft = draftOf(folder);
    const path = join(draft, "catalog.db");
    createDatabase(path, () => {});
    const database = openWriter(path, 0);
    importCatalog(database, buildCatalog(documents).variants, 0);
    database.$client.close();
    keep(draft, folder);
  }
  return join(folder, "catalog.db");
}

/** The folder of a file that is kept as long as no source of the program changes. */
function folderOf(name: string): string {
  return join(cache, `${name}-${stampOfSources()}`);
}

function draftOf(folder: string): string {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  return draft;
}

/** Puts what was made into its place at once: another process sees all of it or nothing. Removes what is a day old. */
function keep(draft: string, folder: string): void {
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
  for (const name of readdirSync(cache)) {
    const found = join(cache, name);
    if (Date.now() - statSync(found).mtimeMs > keptMs) rmSync(found, { recursive: true, force: true });
  }
}

/** Changes with the name, size or time of any file that decides what is in the kept files. */
function stampOfSources(): string {
  const hash = createHash("sha256").update(process.version);
  const files = ["src", "db", "generated", "scripts/support"].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  for (const path of [...files.sort(), "package-lock.json"]) {
    if (!/\.(ts|mjs|json|sql)$/.test(path)) continue;
    const { size, mtimeMs } = statSync(join(repository, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}
