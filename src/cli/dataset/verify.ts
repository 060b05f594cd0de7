// Verifies a dataset, apart from its building, because it needs no database.
import { basename, dirname, resolve } from "node:path";
import { datasetTarget } from "../../releases/folder.ts";
import { sha256Of } from "../../releases/manifest.ts";
import { ReleaseRefusal } from "../../releases/refusal.ts";
import { openSource, type ReleaseSource, releaseAddress } from "../../releases/source.ts";
import { atOnce } from "../../values/at-once.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { plural } from "../../values/text/counted.ts";
import { type Call, usageError } from "../command.ts";
import { printResult } from "../print.ts";
import { untilStopped } from "../signals.ts";
import { type DatasetFile, type DatasetIndex, indexName, parseIndex, unlistedFiles } from "./index-file.ts";

const indexBytesMax = 64 * 1024 * 1024;
const filesAtOnce = 8;

/** Runs `dataset verify`. */
export async function verify(call: Call): Promise<void> {
  const [place = ""] = call.operands;
  const trust = call.flag("trust");
  const { generation, files, left_out, missing } = await untilStopped((signal) =>
    verifyDataset(place, openSource(place, signal), trust === undefined ? null : signedDigest(place, trust, signal)),
  );
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const counts = { files: files.length, bytes, left_out: left_out.length, missing: missing.length };
  printResult(call, { place, generation, ...counts, is_signed: trust !== undefined }, [
    `${place}: ${plural(files.length, "file")} of ${generation ?? "a market without prices"} match the index, ${bytes} bytes`,
    `${left_out.length} left out, ${plural(missing.length, "revision")} missing`,
    ...(trust === undefined ? [] : ["the index is signed"]),
  ]);
}

/**
 * Compares every file of a dataset with its index, and the index with its signed digest.
 * @throws {OperatorError} when a file is missing or has other bytes, naming the first ones, or when `place` cannot be read.
 */
export async function verifyDataset(
  place: string,
  source: ReleaseSource,
  signed: Promise<string> | null = null,
): Promise<DatasetIndex> {
  const [digest, text] = await Promise.all([signed, readFile(source, indexName, indexBytesMax)]);
  if (text === null) throw new OperatorError(`${place}: it has no ${indexName}`, exitCodes.noInput);
  if (typeof text === "string") throw new OperatorError(`${place}: ${indexName} ${text}`);
  if (digest !== null && sha256Of(text) !== digest) {
    const fix = "`release seal` signs it after each build";
    throw new OperatorError(`${place}: ${indexName} is not the signed one; ${fix}`, exitCodes.denied);
  }
  const index = parseIndex(text.toString(), `${place}: ${indexName}`);
  const isFolder = releaseAddress(place) === null;
  const faults = (await atOnce(filesAtOnce, index.files, (file) => faultOf(source, file))).flatMap(
    (fault) => fault ?? [],
  );
  if (isFolder) faults.push(...unlistedFiles(place, index.files).map((path) => `${path} is not in the index`));
  if (faults.length === 0) return index;
  const more = faults.length > 3 ? ` and ${faults.length - 3} more` : "";
  const fix = isFolder ? "remove them and run `dataset build` again" : `copy the dataset again, ${indexName} last`;
  throw new OperatorError(`${place}: ${faults.slice(0, 3).join(", ")}${more}; ${fix}`);
}

async function faultOf(source: ReleaseSource, { path, bytes, sha256 }: DatasetFile): Promise<string | null> {
  const found = await readFile(source, path, bytes);
  if (found === null) return `${path} is missing`;
  if (typeof found === "string") return `${path} ${found}`;
  if (found.length < bytes) return `${path} has ${found.length} of ${bytes} bytes`;
  return sha256Of(found) === sha256 ? null : `${path} has other bytes`;
}

/** Reads a file. Returns null if it is missing, and a text if it is too long. */
async function readFile(source: ReleaseSource, path: string, bytes: number): Promise<Buffer | string | null> {
  try {
    return await source.read(path, bytes);
  } catch (error) {
    if (!(error instanceof ReleaseRefusal)) throw error;
    if (error.kind === "too_large") return `has more than ${bytes} bytes`;
    throw new OperatorError(`${path}: ${error.reason}; try again`, error.exitCode);
  }
}

/** Returns the SHA-256 that the releases around a dataset name for its index. */
async function signedDigest(place: string, trust: string, signal: AbortSignal): Promise<string> {
  const address = releaseAddress(place);
  const name = basename(address === null ? resolve(place) : address.pathname);
  const needed = `--trust needs the folder \`${dirname(datasetTarget)}\` in a folder of sealed releases`;
  if (name !== dirname(datasetTarget)) throw usageError(needed);
  const { parseTrust, readTarget } = await import("../../releases/trust.ts");
  const releases = address === null ? dirname(resolve(place)) : new URL("..", address).href;
  try {
    return await readTarget(openSource(releases, signal), parseTrust(trust), datasetTarget);
  } catch (error) {
    if (!(error instanceof ReleaseRefusal && error.kind === "missing")) throw error;
    throw new OperatorError(`${error.reason}; ${needed}`, error.exitCode);
  }
}
