import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";
import type { SourceDocument } from "../catalog-sources/rows.ts";
import { bodyText, brokenBody, readBody } from "../feeds/read-body.ts";
import { cs2LibPools } from "./cs2-lib-pools.ts";
import type { PoolDraft, SourceFile } from "./definition.ts";
import { readPools } from "./read-pools.ts";

export type PoolAdapter = "cs2-lib" | "pool";

/**
 * The pools that files describe: the item list of cs2-lib with its English names, or definitions of our own form. Plain or gzip.
 * Throws `OperatorError` that names what cannot be used.
 */
export async function readPoolFiles(adapter: PoolAdapter, path: string, english: string | null): Promise<PoolDraft[]> {
  if (adapter === "cs2-lib") {
    if (english === null)
      throw new OperatorError("--english: cs2-lib pools need the list's English names", exitCodes.usage);
    const documents = { items: await documentOf(path), english: await documentOf(english) };
    return cs2LibPools(documents, [await fileOf(path), await fileOf(english)]);
  }
  if (english !== null)
    throw new OperatorError("--english: pools of our own form have no file of names", exitCodes.usage);
  const definitions = readPools(await readBody(path));
  const provenance = { source: "itemtape-pool", files: [await fileOf(path)] };
  return definitions.map((definition) => ({ definition, provenance }));
}

async function documentOf(path: string): Promise<SourceDocument> {
  const text = bodyText(await readBody(path));
  try {
    return { file: path, value: JSON.parse(text) };
  } catch (error) {
    throw brokenBody(path, `not JSON (${(error as Error).message})`);
  }
}

async function fileOf(path: string): Promise<SourceFile> {
  const sha256 = createHash("sha256").update(await readFile(path));
  return { name: basename(path), sha256: sha256.digest("hex") };
}
