import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OperatorError } from "../../values/failure/operator-error.ts";
import { isObject, type JsonObject, toPlain } from "../../values/text/strict-json.ts";
import { type FeedFile, fileLines, refusedFile, type WrittenLine } from "../feed-file.ts";

/** Structure of a documented body: a header line, the lines named by `counts`, and an end line with their number. */
export type Framing<Header, Counts extends string> = {
  /** Name of the format in messages. */
  title: string;
  counts: Counts;
  header: ValidateFunction<Header>;
  end: ValidateFunction<Record<Counts, number>>;
};

type CanonicalLine = { line: number; value: JsonObject };

type Named = { name: string };

/**
 * Reads the header. `lines` yields the rest up to the end line, with line numbers of the file.
 * @throws {OperatorError} when the structure is invalid, also while `lines` is read. The message names the line. A body without its end
 * line was truncated.
 */
export function readFramed<Header, Counts extends string>(
  body: FeedFile,
  framing: Framing<Header, Counts>,
): { header: Header; lines: Generator<CanonicalLine> } {
  const all = fileLines(body);
  const frame = new FramedLines(body, framing);
  const first = all.next();
  if (first.done) throw frame.cutOff();
  return { header: frame.takeHeader(first.value), lines: linesUpToEnd(all, frame) };
}

function* linesUpToEnd(rest: Iterable<WrittenLine>, frame: FramedLines<unknown, string>): Generator<CanonicalLine> {
  for (const written of rest) {
    const line = frame.take(written);
    if (line !== null) yield line;
  }
  frame.end();
}

/** Reads a framed body line by line, the header first. Its methods throw like `readFramed`. */
export class FramedLines<Header, Counts extends string> {
  readonly #body: Named;
  readonly #framing: Framing<Header, Counts>;
  #counted = 0;
  #hasEnded = false;

  constructor(body: Named, framing: Framing<Header, Counts>) {
    this.#body = body;
    this.#framing = framing;
  }

  takeHeader(line: WrittenLine): Header {
    const header = toPlain(objectOf(this.#body, line));
    const { title, header: validate } = this.#framing;
    if (validate(header)) return header;
    throw refusedFile(this.#body.name, `line 1: not the header of ${title}: ${complaint(validate)}`);
  }

  /** Returns a counted line. Null for the end line. */
  take(written: WrittenLine): CanonicalLine | null {
    const { line } = written;
    if (this.#hasEnded) throw refusedFile(this.#body.name, `line ${line}: a line follows the end line`);
    const value = objectOf(this.#body, written);
    if (value.has("end")) {
      checkEnd(this.#body, line, toPlain(value), this.#counted, this.#framing);
      this.#hasEnded = true;
      return null;
    }
    this.#counted += 1;
    return { line, value };
  }

  /** Rejects a body without an end line. */
  end(): void {
    if (!this.#hasEnded) throw this.cutOff();
  }

  cutOff(): OperatorError {
    const { counts } = this.#framing;
    const after = `after ${this.#counted} ${counts} the end line is missing`;
    return refusedFile(this.#body.name, `${after}: the file is cut off`);
  }
}

/** Compiles the definitions of a schema file, by name. */
export function shapesIn(file: URL): <T>(name: string) => ValidateFunction<T> {
  const schema = JSON.parse(readFileSync(file, "utf8"));
  const ajv = new Ajv2020({ allErrors: false, strict: true, strictRequired: false });
  addFormats.default(ajv);
  ajv.addSchema(schema);
  return <T>(name: string) => ajv.compile<T>({ $ref: `${schema.$id}#/$defs/${name}` });
}

/** Returns the label of a line for reports. */
export function lineLabel({ line, value }: CanonicalLine): string {
  const name = value.get("market_hash_name");
  return typeof name === "string" ? `line ${line}: ${name}` : `line ${line}`;
}

function checkEnd<Counts extends string>(
  body: Named,
  line: number,
  written: unknown,
  counted: number,
  { counts, end }: Pick<Framing<unknown, Counts>, "counts" | "end">,
): void {
  if (!end(written)) throw refusedFile(body.name, `line ${line}: not an end line: ${complaint(end)}`);
  if (written[counts] !== counted) {
    throw refusedFile(
      body.name,
      `line ${line}: the end line counts ${written[counts]} ${counts} but the file has ${counted}`,
    );
  }
}

function objectOf(body: Named, { line, value }: WrittenLine): JsonObject {
  if (!isObject(value)) throw refusedFile(body.name, `line ${line}: not a JSON object`);
  return value;
}

function complaint(validate: ValidateFunction): string {
  const [error] = validate.errors ?? [];
  return `${error?.instancePath === "" ? "the line" : `\`${error?.instancePath.slice(1)}\``} ${error?.message ?? "is wrong"}`;
}
