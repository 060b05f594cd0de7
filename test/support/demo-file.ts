import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createExampleFile } from "../../scripts/support/example-world.ts";
import type { DemoKeys } from "../../src/demo/demo.ts";

/** A file with the demo world of the contract's examples, to be copied and never changed, and the secrets in it. */
export type DemoFile = { path: string; keys: DemoKeys };

const repository = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(repository, "node_modules", ".cache", "itemtape-demo");
const keptMs = 24 * 3_600_000;
let made: DemoFile | undefined;

if (process.argv[1] === fileURLToPath(import.meta.url)) demoFile();

/** Returns the demo file. It is made once for a state of the sources, because that takes seconds, and kept under node_modules. */
export function demoFile(): DemoFile {
  if (made === undefined) {
    const folder = join(cache, stampOfSources());
    if (!existsSync(folder)) make(folder);
    const keys = JSON.parse(readFileSync(join(folder, "keys.json"), "utf8")) as DemoKeys;
    made = { path: join(folder, "demo.db"), keys };
  }
  return made;
}

/** Makes the file beside its place and renames it, so that another process sees all of it or nothing. */
function make(folder: string): void {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    const keys = createExampleFile(join(draft, "demo.db"));
    writeFileSync(join(draft, "keys.json"), JSON.stringify(keys));
    if (!existsSync(folder)) renameSync(draft, folder);
    removeOld();
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Tests that began before the sources changed may still read the file of that state. */
function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}

/** Changes with the name, size or time of any file that the demo world is made of. */
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
