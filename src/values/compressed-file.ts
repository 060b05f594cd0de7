import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { exitCodes, OperatorError } from "./failure/operator-error.ts";

/** Makes the error for a readable file with unusable content. */
type Refusal = (reason: string) => OperatorError;

/**
 * Reads a plain or gzip file of at most `bytesMax` uncompressed bytes.
 * @throws {OperatorError} if it cannot be read; the error of `refusal` if it is empty, too large or broken gzip.
 */
export async function readCompressedFile(
  path: string,
  bytesMax: number,
  refusal: Refusal = (reason) => new OperatorError(`${path}: ${reason}`),
): Promise<Buffer> {
  const packed = await readCompressed(path, bytesMax, refusal);
  const isGzip = packed[0] === 0x1f && packed[1] === 0x8b;
  if (path.endsWith(".gz") && !isGzip) throw refusal("its name ends in .gz, but it is not gzip");
  const bytes = isGzip ? await unpack(packed, bytesMax, refusal) : packed;
  if (bytes.length === 0) throw refusal("it is empty");
  return bytes;
}

async function readCompressed(path: string, bytesMax: number, refusal: Refusal): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new OperatorError(`${path}: not a file`, exitCodes.noInput);
    if (found.size > bytesMax) throw refusal(`larger than ${bytesMax} bytes`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, exitCodes.noInput);
  }
}

async function unpack(packed: Buffer, bytesMax: number, refusal: Refusal): Promise<Buffer> {
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: bytesMax });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refusal(code === "ERR_BUFFER_TOO_LARGE" ? `unpacks to more than ${bytesMax} bytes` : `broken gzip (${code})`);
  }
}
