import { closeSync, openSync, readSync, statSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";

/** Packed bytes that are looked at: unpacked a thousandfold they are still a few megabytes. */
const headBytesMax = 4096;
const headCharsMax = 4096;

/** How a body of each adapter begins, by what is imported. An adapter without a shape of its own is never guessed. */
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
 * Returns the one adapter whose bodies begin as the file does; null where none or several do.
 * @throws {OperatorError} when this user may not read the file.
 */
export function guessAdapter(path: string, imported: keyof typeof shapes): string | null {
  const head = headOf(path);
  const fitting = Object.entries(shapes[imported]).filter(([, shape]) => shape.test(head));
  return fitting.length === 1 ? fitting[0]![0] : null;
}

/** Returns the first characters of a plain or gzip file; none where they cannot be unpacked. */
function headOf(path: string): string {
  // A pipe may make the reader wait for ever; the import takes none.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return "";
  const bytes = firstBytes(path);
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    // The file goes on behind what was read: what is there so far is enough.
    const plain = isPacked ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes;
    return plain
      .toString("utf8")
      .replace(/^\ufeff/, "")
      .slice(0, headCharsMax);
  } catch {
    return "";
  }
}

/** @throws {OperatorError} when this user may not read the file. */
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
