import { readCompressedFile } from "../values/compressed-file.ts";
import { OperatorError } from "../values/failure/operator-error.ts";
import {
  BrokenJson,
  type Json,
  type KeyFilter,
  type MemberSink,
  placeIn,
  readJson,
} from "../values/text/strict-json.ts";

/**
 * One uncompressed file of a source. `name` is the operator's name for it. `releaseBytes` releases its bytes once they are decoded to text.
 * `digest` is its SHA-256, if known.
 */
export type FeedFile = { name: string; bytes: Buffer; digest?: Buffer; releaseBytes?: () => void };

export const fileBytesMax = 256 * 1024 * 1024;
const lineBytesMax = 64 * 1024;
const newline = 0x0a;

/**
 * Reads a plain or gzip file of at most `bytesMax` uncompressed bytes.
 * @throws {OperatorError} when it cannot be read or decompressed, or is too long.
 */
export async function readFeedFile(path: string, bytesMax = fileBytesMax): Promise<FeedFile> {
  return { name: path, bytes: await readCompressedFile(path, bytesMax, (reason) => refusedFile(path, reason)) };
}

/** Creates the error that rejects a whole body. Nothing in the body is published or recorded. */
export function refusedFile(name: string, what: string): OperatorError {
  return new OperatorError(`${name}: ${what}; the whole file was refused and nothing was changed`);
}

/**
 * Returns the whole body as text.
 * @throws {OperatorError} when it is not UTF-8.
 */
export function fileText(body: FeedFile): string {
  return decode(body.bytes, () => refusedFile(body.name, "not UTF-8 text"));
}

/**
 * Parses the whole body as one JSON value. `kept` names the keys to keep in inner objects; pass null to keep all. `handOut` receives the
 * members of one object during parsing, and the result lacks them; pass null to return all.
 * @throws {OperatorError} when it is not JSON. The message names line and column.
 */
export function fileJson(body: FeedFile, kept: KeyFilter | null = null, handOut: MemberSink | null = null): Json {
  const text = fileText(body);
  body.releaseBytes?.();
  try {
    return readJson(text, kept, handOut);
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    const { line, column } = placeIn(text, error.offset);
    throw refusedFile(body.name, `line ${line}, column ${column}: not JSON to be trusted: ${error.message}`);
  }
}

/**
 * Parses each line of the body as one JSON value. Lines count from 1.
 * @throws {OperatorError} when a line is blank, too long, not UTF-8 or not JSON. The message names line and column.
 */
export function* fileLines(body: FeedFile): Generator<WrittenLine> {
  const lines = new BodyLines(body.name);
  yield* lines.take(body.bytes);
  yield* lines.end();
}

/** A line of a body: its number, from 1, and its JSON value. */
export type WrittenLine = { line: number; value: Json };

/** Reads a body line by line while it arrives. Its methods throw like `fileLines`. */
export class BodyLines {
  readonly #name: string;
  #line = 0;
  /** The beginning of an incomplete line. */
  #begun: Buffer[] = [];
  #begunBytes = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Yields the lines that end in the next chunk. */
  *take(chunk: Buffer): Generator<WrittenLine> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#begin(chunk.subarray(start, end));
      yield this.#read();
      start = end + 1;
    }
    if (start < chunk.length) this.#begin(chunk.subarray(start));
  }

  /** Yields the last line if it has no line ending. */
  *end(): Generator<WrittenLine> {
    if (this.#begunBytes > 0) yield this.#read();
  }

  #begin(part: Buffer): void {
    this.#begun.push(part);
    this.#begunBytes += part.length;
    if (this.#begunBytes > lineBytesMax) throw this.#refused(`: longer than ${lineBytesMax} bytes`);
  }

  #read(): WrittenLine {
    const bytes = this.#begun.length === 1 ? this.#begun[0]! : Buffer.concat(this.#begun);
    const text = decode(bytes, () => this.#refused(": not UTF-8 text"));
    if (text.trim() === "") throw this.#refused(" is blank; remove it");
    try {
      return { line: this.#line + 1, value: readJson(text) };
    } catch (error) {
      if (!(error instanceof BrokenJson)) throw error;
      throw this.#refused(`, column ${error.offset + 1}: not JSON to be trusted: ${error.message}`);
    } finally {
      this.#line += 1;
      this.#begun = [];
      this.#begunBytes = 0;
    }
  }

  #refused(what: string): OperatorError {
    return refusedFile(this.#name, `line ${this.#line + 1}${what}`);
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
