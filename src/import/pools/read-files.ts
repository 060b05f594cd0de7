import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { cs2LibPackage, readCatalogSources, readDocument } from "../catalog/read-source.ts";
import { shippedWord } from "../catalog/shipped-catalog.ts";
import { filesOfDocument } from "../catalog/source-rows.ts";
import { SourceTally } from "../catalog/source-tally.ts";
import { readFeedFile } from "../feed-file.ts";
import { type Cs2LibPools, cs2LibPools } from "./cs2-lib-pools.ts";
import type { PoolDraft, SourceFile } from "./definition.ts";
import { readPools } from "./read-pools.ts";

/** Operands that name a cs2-lib item list without a path. */
export const namedLists: ReadonlySet<string> = new Set([cs2LibPackage, shippedWord]);

export type PoolAdapter = "cs2-lib" | "csgo-api" | "pool";

/**
 * Reads the pools at `path`: a file of our own definitions, or the cs2-lib item list.
 *
 * The item list is one of these: a file with `english` as the file of its English names, a folder of both, the package name, or the word
 * for the shipped catalog. The package must be installed under `node_modules` of `workingFolder`. Files are plain or gzip. `tally` counts
 * skipped rows and containers.
 *
 * @throws {OperatorError} when a file cannot be read or used.
 */
export async function readPoolFiles(
  adapter: Exclude<PoolAdapter, "csgo-api">,
  path: string,
  english: string | null,
  workingFolder: string,
  tally = new SourceTally(),
): Promise<PoolDraft[]> {
  if (adapter === "cs2-lib") {
    const documents = await listOf(path, english, workingFolder);
    const files = new Set([documents.items, documents.english].flatMap(filesOfDocument).map(({ file }) => file));
    return cs2LibPools(documents, await Promise.all(Array.from(files, fileOf)), tally);
  }
  if (english !== null)
    throw new OperatorError("--english: pools in Itemtape's own format have no file of names", exitCodes.usage);
  const definitions = readPools(await readFeedFile(path));
  const provenance = { source: "itemtape-pool", files: [await fileOf(path)] };
  return definitions.map((definition) => ({ definition, provenance }));
}

async function listOf(path: string, english: string | null, workingFolder: string): Promise<Cs2LibPools> {
  const isNamed = namedLists.has(path);
  if (!isNamed && !(await isFolder(path))) {
    if (english === null)
      throw new OperatorError("--english: cs2-lib pools need the list's English names", exitCodes.usage);
    return { items: await readDocument(path), english: await readDocument(english) };
  }
  if (english !== null) throw new OperatorError(`--english: ${path} brings its own names`, exitCodes.usage);
  const { cs2Lib } = await readCatalogSources([isNamed ? path : resolve(path)], workingFolder);
  if (cs2Lib === null) throw new OperatorError(`${path}: not an item list of cs2-lib`);
  return cs2Lib;
}

/** Returns whether `path` is a folder. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Returns the name of a file and the digest of its bytes. */
export async function fileOf(path: string): Promise<SourceFile> {
  const sha256 = createHash("sha256").update(await readFile(path));
  return { name: basename(path), sha256: sha256.digest("hex") };
}
