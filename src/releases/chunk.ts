import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants } from "node:zlib";
import { chunkBytesMax, sha256Of } from "./manifest.ts";

/** Saves a fifth of the size compared with the fast settings, in twice the time. */
const compressionLevel = 5;
const compress = promisify(brotliCompress);

/** Compresses the bytes of a chunk. */
export function compressChunk(bytes: Buffer): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: compressionLevel,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return compress(bytes, { params });
}

/** Decompresses a stored chunk. Null if it is damaged, too large, or does not match `sha256`. */
export function decompressChunk(compressed: Buffer, sha256: string): Buffer | null {
  try {
    const bytes = brotliDecompressSync(compressed, { maxOutputLength: chunkBytesMax });
    return sha256Of(bytes) === sha256 ? bytes : null;
  } catch {
    return null;
  }
}
