import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import { SourceFailure } from "./source.ts";

const unpackers = { gzip: promisify(gunzip), br: promisify(brotliDecompress) } as const;

export type Packing = keyof typeof unpackers;

/**
 * Returns the unpacked bytes of a body, which may itself be a gzip file.
 * @throws {SourceFailure} when it is broken, empty or larger than `bytesMax`.
 */
export async function unpackBody(bytes: Buffer, packing: Packing | null, bytesMax: number): Promise<Buffer> {
  const sent = packing === null ? bytes : await unpack(bytes, packing, bytesMax);
  const isGzip = sent[0] === 0x1f && sent[1] === 0x8b;
  const body = isGzip ? await unpack(sent, "gzip", bytesMax) : sent;
  if (body.length === 0) throw new SourceFailure("the body is empty");
  return body;
}

/** Creates the failure of a body that is larger than `bytesMax`. */
export function tooLarge(bytesMax: number): SourceFailure {
  return new SourceFailure(`the body is larger than ${bytesMax} bytes`);
}

async function unpack(bytes: Buffer, packing: Packing, bytesMax: number): Promise<Buffer> {
  try {
    return await unpackers[packing](bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ERR_BUFFER_TOO_LARGE" ? tooLarge(bytesMax) : new SourceFailure(`broken ${packing} (${code})`);
  }
}
