import { OperatorError } from "../values/operator-error.ts";
import { readPackedFile } from "../values/packed-file.ts";
import { BrokenJson, type Json, placeIn, readJson } from "../values/strict-json.ts";

/** One file of a source, unpacked. `name` is the one that the operator gave. */
export type FeedFile = { name: string; bytes: Buffer };

export const fileBytesMax = 256 * 1024 * 1024;
const lineBytesMax = 64 * 1024;
const newline = 0x0a;

/**
 * Reads a plain or gzip file of at most `bytesMax` unpacked bytes.
 * @throws {OperatorError} when it cannot be read or unpacked, or is longer.
 */
export async function readFeedFile(path: string, bytesMax = fileBytesMax): Promise<FeedFile> {
  return { name: path, bytes: await readPackedFile(path, bytesMax, (reason) => refusedFile(path, reason)) };
}

/** Makes the error that refuses a whole body: nothing of it is published or recorded. */
export function refusedFile(name: string, what: string): OperatorError {
  return new OperatorError(`${name}: ${what}; the file was refused as a whole and nothing was changed`);
}

/**
 * Returns the whole body as text.
 * @throws {OperatorError} when it is not UTF-8.
 */
export function fileText(body: FeedFile): string {
  return decode(body.bytes, () => refusedFile(body.name, "not UTF-8 text"));
}

/**
 * Returns the whole body as one JSON value.
 * @throws {OperatorError} when it is not JSON: it names line and column.
 */
export function fileJson(body: FeedFile): Json {
  const text = fileText(body);
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    const { line, column } = placeIn(text, error.offset);
    throw refusedFile(body.name, `line ${line}, column ${column}: not JSON to be trusted: ${error.message}`);
  }
}

/**
 * Reads the body line by line, each one JSON value, numbered from 1.
 * @throws {OperatorError} when a line is too long, not UTF-8 or not JSON: it names line and column.
 */
export function* fileLines(body: FeedFile): Generator<{ line: number; value: Json }> {
  let start = 0;
  for (let line = 1; start < body.bytes.length; line += 1) {
    const found = body.bytes.indexOf(newline, start);
    const end = found === -1 ? body.bytes.length : found;
    if (end - start > lineBytesMax) throw refusedFile(body.name, `line ${line}: longer than ${lineBytesMax} bytes`);
    const text = decode(body.bytes.subarray(start, end), () => refusedFile(body.name, `line ${line}: not UTF-8 text`));
    try {
      yield { line, value: readJson(text) };
    } catch (error) {
      if (!(error instanceof BrokenJson)) throw error;
      const place = `line ${line}, column ${error.offset + 1}`;
      throw refusedFile(body.name, `${place}: not JSON to be trusted: ${error.message}`);
    }
    start = end + 1;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Buffer, refusal: () => OperatorError): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refusal();
  }
}
