import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isObject, type Json, type JsonObject, toPlain } from "../../values/strict-json.ts";
import { type FeedFile, fileLines, refusedFile } from "../feed-file.ts";

/** Frame of a documented body: a header line, lines of what it `counts`, an end line with their number. */
export type Framing<Header, Counts extends string> = {
  /** Name of the format in messages. */
  title: string;
  counts: Counts;
  header: ValidateFunction<Header>;
  end: ValidateFunction<Record<Counts, number>>;
};

type CanonicalLine = { line: number; value: JsonObject };

/**
 * Reads the header; `lines` reads the rest up to the end line, numbered as in the file.
 * @throws {OperatorError} when the frame is broken, also while `lines` is read: it names the line. Without its end a body was cut off.
 */
export function readFramed<Header, Counts extends string>(
  body: FeedFile,
  framing: Framing<Header, Counts>,
): { header: Header; lines: Generator<CanonicalLine> } {
  const all = fileLines(body);
  const first = all.next();
  if (first.done) throw cutOff(body, 0, framing.counts);
  const header = toPlain(objectOf(body, first.value));
  if (!framing.header(header)) {
    throw refusedFile(body.name, `line 1: not the header of ${framing.title}: ${complaint(framing.header)}`);
  }
  return { header, lines: linesUpToEnd(body, all, framing) };
}

/** Compiles the shapes of a schema file by the names of their definitions. */
export function shapesIn(file: URL): <T>(name: string) => ValidateFunction<T> {
  const schema = JSON.parse(readFileSync(file, "utf8"));
  const ajv = new Ajv2020({ allErrors: false, strict: true, strictRequired: false });
  addFormats.default(ajv);
  ajv.addSchema(schema);
  return <T>(name: string) => ajv.compile<T>({ $ref: `${schema.$id}#/$defs/${name}` });
}

/** Returns the line as a report names it. */
export function lineLabel({ line, value }: CanonicalLine): string {
  const name = value.get("market_hash_name");
  return typeof name === "string" ? `line ${line}: ${name}` : `line ${line}`;
}

function* linesUpToEnd<Counts extends string>(
  body: FeedFile,
  rest: Iterable<{ line: number; value: Json }>,
  { counts, end }: Pick<Framing<unknown, Counts>, "counts" | "end">,
): Generator<CanonicalLine> {
  let counted = 0;
  let ended = false;
  for (const { line, value: written } of rest) {
    if (ended) throw refusedFile(body.name, `line ${line}: there is something after the end line`);
    const value = objectOf(body, { line, value: written });
    if (value.has("end")) {
      checkEnd(body, line, toPlain(value), counted, { counts, end });
      ended = true;
    } else {
      counted += 1;
      yield { line, value };
    }
  }
  if (!ended) throw cutOff(body, counted, counts);
}

function checkEnd<Counts extends string>(
  body: FeedFile,
  line: number,
  written: unknown,
  counted: number,
  { counts, end }: Pick<Framing<unknown, Counts>, "counts" | "end">,
): void {
  if (!end(written)) throw refusedFile(body.name, `line ${line}: not an end line: ${complaint(end)}`);
  if (written[counts] !== counted) {
    throw refusedFile(
      body.name,
      `line ${line}: the end line counts ${written[counts]} ${counts} and there are ${counted}`,
    );
  }
}

function objectOf(body: FeedFile, { line, value }: { line: number; value: Json }): JsonObject {
  if (!isObject(value)) throw refusedFile(body.name, `line ${line}: not a JSON object`);
  return value;
}

function cutOff(body: FeedFile, counted: number, counts: string) {
  return refusedFile(body.name, `after ${counted} ${counts} the end line is missing: the file is cut off`);
}

function complaint(validate: ValidateFunction): string {
  const [error] = validate.errors ?? [];
  return `${error?.instancePath === "" ? "the line" : `\`${error?.instancePath.slice(1)}\``} ${error?.message ?? "is wrong"}`;
}
