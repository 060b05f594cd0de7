// Makes the copy that mutants change, apart from those who run mutants.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

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

/** `folder`: the copy; `memory`: where the files of its tests go, in memory where the system has such a place. */
type Scratch = { folder: string; memory: string; remove(): void };

/**
 * Makes a copy of the checkout whose sources may be replaced. Its packages are links, all but the cache of compiled sources,
 * which would otherwise be written into the checkout.
 */
export function makeScratch(sources: ReadonlyMap<string, string>): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-mutate-"));
  // Databases of the tests wait for the disk with each commit: most of a run would be spent so.
  const memory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "itemtape-mutate-"));
  // PostgreSQL runs as another user.
  chmodSync(memory, 0o755);
  // The packages of generators and of the bench stay where they are.
  const filter = (path: string) => basename(path) !== "node_modules";
  for (const name of copied) cpSync(name, join(folder, name), { recursive: true, filter });
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync("node_modules")) {
    if (name !== ".cache") symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
  }
  for (const [file, text] of sources) writeFileSync(join(folder, file), text);
  const remove = () => {
    for (const made of [folder, memory]) rmSync(made, { recursive: true, force: true });
  };
  return { folder, memory, remove };
}
