import { closeSync, openSync, readSync, statSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";

/** Bytes read from a compressed file. Even at a ratio of 1000 they are only a few megabytes. */
const headBytesMax = 4096;
const headCharsMax = 4096;

/** The beginning of each adapter's bodies, by kind of import. An adapter without its own format is never guessed. */
const shapes = {
  quotes: {
    canonical: /^\s*\{[^\n]*"format"\s*:\s*"itemtape-feed"/,
    steam: /^\s*\{\s*"metadata"\s*:\s*\{|^\s*\{\s*"prices"\s*:\s*\{/,
    buff: /^\s*\{\s*"[^"\n]+"\s*:\s*\{\s*"(?:starting_at|highest_order)"\s*:/,
  },
  daily: {
    canonical: /^\s*\{[^\n]*"format"\s*:\s*"itemtape-daily"/,
    "buff-history": /^\s*\{\s*"[^"\n]+"\s*:\s*\[\s*\[/,
  },
  rates: {
    ecb: /^Date,(?: ?[A-Z]{3},)+/,
    "per-usd": /^\s*\{\s*(?:"date"\s*:\s*"[^"]*"\s*,\s*)?"usd"\s*:\s*\{/,
    frankfurter: /^\s*\{(?=[^{}]*"base"\s*:)(?=[^{}]*"date"\s*:)[^{}]*"rates"\s*:\s*\{/,
    "open-exchange": /^\s*\{(?=[^{}]*"base"\s*:)(?=[^{}]*"timestamp"\s*:)[^{}]*"rates"\s*:\s*\{/,
  },
} as const satisfies Record<string, Record<string, RegExp>>;

/**
 * Returns the only adapter that matches the beginning of the file. Null if no adapter or several adapters match.
 * @throws {OperatorError} when the user may not read the file.
 */
export function guessAdapter(path: string, imported: keyof typeof shapes): string | null {
  const head = headOf(path);
  const fitting = Object.entries(shapes[imported]).filter(([, shape]) => shape.test(head));
  return fitting.length === 1 ? fitting[0]![0] : null;
}

/** Returns the first characters of a plain or gzip file. Empty if it cannot be decompressed. */
function headOf(path: string): string {
  // Reading a pipe may block forever, and imports do not accept pipes.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return "";
  const bytes = firstBytes(path);
  try {
    const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    // The gzip stream is cut, so the available part is enough.
    const plain = isCompressed ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes;
    return plain
      .toString("utf8")
      .replace(/^\ufeff/, "")
      .slice(0, headCharsMax);
  } catch {
    return "";
  }
}

/**
 * Reads the beginning of a file.
 * @throws {OperatorError} when the user may not read the file.
 */
function firstBytes(path: string): Buffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw new OperatorError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, exitCodes.noInput);
  }
  try {
    const bytes = Buffer.alloc(headBytesMax);
    return bytes.subarray(0, readSync(file, bytes, 0, headBytesMax, 0));
  } finally {
    closeSync(file);
  }
}
