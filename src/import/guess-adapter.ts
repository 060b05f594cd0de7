import { closeSync, openSync, readSync, statSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";

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
    ecb: /^Date,(?:[A-Z]{3},)+/,
    "per-usd": /^\s*\{\s*(?:"date"\s*:\s*"[^"]*"\s*,\s*)?"usd"\s*:\s*\{/,
  },
} as const satisfies Record<string, Record<string, RegExp>>;

/** Returns the one adapter whose bodies begin as the file does; null where none or several do, or the file cannot be read. */
export function guessAdapter(path: string, imported: keyof typeof shapes): string | null {
  const head = headOf(path);
  const fitting = Object.entries(shapes[imported]).filter(([, shape]) => shape.test(head));
  return fitting.length === 1 ? fitting[0]![0] : null;
}

/** Returns the first characters of a plain or gzip file; none where it cannot be read. */
function headOf(path: string): string {
  try {
    // A pipe may make the reader wait for ever; the import takes none.
    if (!statSync(path).isFile()) return "";
    const bytes = firstBytes(path);
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

function firstBytes(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(headBytesMax);
    return bytes.subarray(0, readSync(file, bytes, 0, headBytesMax, 0));
  } finally {
    closeSync(file);
  }
}
