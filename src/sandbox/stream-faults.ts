import { editing, isObject } from "./answer-faults.ts";
import type { Fault, FaultedRequest, Figures } from "./faulted-request.ts";

type RecordOf = Record<string, unknown> & { type: string };
/** Lines of a stream without line endings: the first line, the data lines and the last line. */
type Lines = { start: string; data: string[]; end: string };
type Edit = (lines: Lines, turn: FaultedRequest, figures: Figures) => string[] | null;

/** Maximum line length that clients must accept, in bytes. */
const lineBytesMax = 256 * 1024;
const streamCodes = ["snapshot_changed", "snapshot_interrupted"];
const novelty = { novel_member: true } as const;

/** Returns a fault that edits the lines of an export, a list of changes, or a recorded day. */
function stream(about: string, edit: Edit, figures: Fault["figures"] = {}): Fault {
  return editing(
    about,
    (text, turn, given) => {
      const lines = linesOf(text);
      const edited = lines === null ? null : edit(lines, turn, given);
      return edited === null ? null : `${edited.join("\n")}\n`;
    },
    figures,
  );
}

function linesOf(text: string): Lines | null {
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.length < 2 || !lines[0]!.startsWith('{"type":"start"')) return null;
  return { start: lines[0]!, data: lines.slice(1, -1), end: lines.at(-1)! };
}

function changed(line: string, change: (record: RecordOf) => void): string {
  const record = JSON.parse(line) as RecordOf;
  change(record);
  return JSON.stringify(record);
}

/** Adds `more` to the first count field of the record. */
function addToCount(record: RecordOf, more: number): void {
  const name = ["items", "rows", "removed"].find((one) => typeof record[one] === "number");
  if (name !== undefined) record[name] = Number(record[name]) + more;
}

/** Returns a fault that changes the last record. */
function atEnd(about: string, change: (end: RecordOf) => void): Fault {
  return stream(about, ({ start, data, end }) => [start, ...data, changed(end, change)]);
}

/**
 * Returns a fault that edits the data lines. It applies if there are at least `least` lines. `more` is added to the count in the last
 * record.
 */
function amongData(about: string, least: number, edit: (data: string[]) => string[], more = 0): Fault {
  return stream(about, ({ start, data, end }) => {
    if (data.length < least) return null;
    return [start, ...edit(data), more === 0 ? end : changed(end, (record) => addToCount(record, more))];
  });
}

function otherGeneration(end: RecordOf): void {
  if (typeof end.generation === "string") end.generation = next(end.generation);
  else if (isObject(end.to)) end.to.generation = next(String(end.to.generation));
  else if (typeof end.revision === "number") end.revision += 1;
}

function next(generation: string): string {
  return `g${Number(generation.slice(1)) + 1}`;
}

function otherDigest(end: RecordOf): void {
  const place = isObject(end.to) ? end.to : end;
  if (typeof place.digest === "string")
    place.digest = place.digest.replace(/^./, (first) => (first === "0" ? "1" : "0"));
}

/** Swaps two adjacent lines with different item ids near the middle. */
function swapped(data: string[]): string[] {
  const idOf = (line: string) => /"item_id":(\d+)/.exec(line)?.[1];
  for (let index = data.length >> 1; index > 0; index -= 1)
    if (idOf(data[index]!) !== idOf(data[index - 1]!))
      return data.toSpliced(index - 1, 2, data[index]!, data[index - 1]!);
  return data.toReversed();
}

/** Applies `change` to the middle line. */
function inMiddle(change: (line: string) => string[]): (data: string[]) => string[] {
  return (data) => data.toSpliced(data.length >> 1, 1, ...change(data[data.length >> 1]!));
}

const afterFigure = { about: "lines of data before it", fallback: 0, least: 0, most: 10_000_000 };

/** Faults of the three streams. Changes are in the middle of the data. */
export const streamFaults: Readonly<Record<string, Fault>> = {
  stream_error: stream(
    "an `error` record ends the stream",
    ({ start, data }, _turn, { code, after }) => {
      const { request_id } = JSON.parse(start) as RecordOf;
      return [start, ...data.slice(0, Number(after)), JSON.stringify({ type: "error", request_id, code })];
    },
    { code: { about: "its code", fallback: "snapshot_interrupted", words: streamCodes }, after: afterFigure },
  ),
  stream_no_end: stream("the stream ends without its `end` record", ({ start, data }) => [start, ...data]),
  stream_only_start: stream("the stream ends after its `start` record", ({ start }) => [start]),
  stream_empty: editing("the stream has no byte", () => ""),
  stream_wrong_count: atEnd("the count of `end` is one too high", (end) => addToCount(end, 1)),
  stream_item_missing: amongData(
    "one record is missing",
    1,
    inMiddle(() => []),
  ),
  stream_wrong_generation: atEnd("`end` names another generation, or another revision of the day", otherGeneration),
  stream_wrong_request_id: atEnd("`end` names another request", (end) => {
    end.request_id = String(end.request_id).replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  }),
  stream_wrong_digest: atEnd("`end` names another digest", otherDigest),
  stream_out_of_order: amongData("two records are swapped", 2, swapped),
  stream_item_twice: amongData(
    "a record is repeated, and `end` counts both",
    1,
    inMiddle((line) => [line, line]),
    1,
  ),
  stream_unknown_record: amongData("a record of an unknown type", 0, (data) => [
    ...data.slice(0, data.length >> 1),
    JSON.stringify({ type: "novelty", data: novelty }),
    ...data.slice(data.length >> 1),
  ]),
  stream_unknown_member: amongData(
    "a record has an unknown member",
    1,
    inMiddle((line) => [
      changed(line, (record) => Object.assign(isObject(record.data) ? record.data : record, novelty)),
    ]),
  ),
  stream_broken_json: amongData(
    "the JSON of a record breaks off",
    1,
    inMiddle((line) => [line.slice(0, line.length >> 1)]),
  ),
  stream_long_line: amongData(
    "a line is longer than 256 KiB",
    1,
    inMiddle((line) => [line.replace(/^\{/, `{${" ".repeat(lineBytesMax)}`)]),
  ),
  stream_after_end: stream("a record follows `end`", ({ start, data, end }) => [start, ...data, end, end]),
};
