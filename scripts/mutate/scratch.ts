import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What tests read. Everything else of a checkout stays where it is. */
const copied = [
  "src",
  "db",
  "generated",
  "test",
  "scripts",
  "openapi.yaml",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "README.md",
];

/**
 * Makes a copy of the checkout whose sources may be replaced. Its packages are links, all but the cache of translated sources,
 * which would otherwise be written into the checkout.
 */
export function makeScratch(sources: ReadonlyMap<string, string>): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-mutate-"));
  for (const name of copied) cpSync(name, join(folder, name), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync("node_modules")) {
    if (name !== ".cache") symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
  }
  for (const [file, text] of sources) writeFileSync(join(folder, file), text);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
