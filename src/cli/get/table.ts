import type { Plain, Row } from "../../contract/answer-text.ts";
import { type FieldText, fieldText, titleOf } from "./field-text.ts";

/** A table laid out for a width: its lines, and notes on omitted parts. */
export type TableLayout = { lines: string[]; notes: string[] };

type Column = { path: string; title: string; cells: readonly FieldText[]; charsMax: number };

const gap = "  ";
const namesShownMax = 8;
/** Long texts are cut to these lengths in turn before a column is omitted. A time is never cut. */
const textCharsMax = [48, 36] as const;
const textCharsLeast = 24;
/** Columns to omit first if space is short: long, and seldom needed by people. */
const seldomWanted = /(^|\.)(image_url|url|name_ru|slug|request_id|minor_units|currency|kind|recorded_at)$/;

/** Returns the lines of a table and of its notes, each note in brackets and at most `width` characters wide. */
export function layoutLines({ lines, notes }: TableLayout, width: number): string[] {
  return [...lines, ...notes.flatMap((note) => wrapped(`(${note})`, width))];
}

/**
 * Lays out rows of one kind as aligned columns of at most `width` characters. With an infinite `width` nothing is omitted. `hint` describes
 * how to see omitted columns.
 */
export function layTable(
  paths: readonly string[],
  rows: readonly Row[],
  width: number,
  hint = "--fields picks, --json has all",
): TableLayout {
  const all = paths.map((path) => ({
    path,
    title: titleOf(path),
    cells: rows.map((row) => fieldText(path, row[path] as Plain | undefined)),
    charsMax: Number.POSITIVE_INFINITY,
  }));
  if (widthOf(all) <= width) return { lines: linesOf(all), notes: [] };
  const { columns, notes } = withoutConstants(all, rows.length);
  const { left: fitting, gone } = squeezed(columns, width);
  if (gone.length > 0) notes.push(`no room for ${listed(gone)}; ${hint}`);
  return { lines: linesOf(fitting).map((line) => cut(line, width)), notes };
}

/** Moves columns with one value in every row into a note, except amounts. */
function withoutConstants(all: readonly Column[], rowCount: number): { columns: Column[]; notes: string[] } {
  const isConstant = ({ cells }: Column, index: number) =>
    index > 0 && rowCount > 1 && cells.every(({ text }) => text === cells[0]!.text && !text.includes("$"));
  const constants = all.filter(isConstant);
  const columns = all.filter((column, index) => !isConstant(column, index));
  if (constants.length === 0) return { columns, notes: [] };
  const values = constants.map(({ title, cells }) => `${title} ${cells[0]!.text}`);
  return { columns, notes: [`in all rows: ${values.join(", ")}`] };
}

/** Shortens texts and omits the least important columns until the rest fits. The first column always stays. */
function squeezed(columns: readonly Column[], width: number): { left: readonly Column[]; gone: string[] } {
  let left = columns;
  const gone = new Set<string>();
  const leaveOut = (mayGo: (column: Column) => boolean) => {
    for (const column of columns.slice(1).toReversed()) {
      if (widthOf(left) <= width || !mayGo(column)) continue;
      left = left.filter(({ path }) => path !== column.path);
      gone.add(column.title);
    }
  };
  const shorten = (charsMax: number) => {
    if (widthOf(left) <= width) return;
    left = left.map((column) => (column === columns[0] && isName(column) ? column : { ...column, charsMax }));
  };
  for (const charsMax of textCharsMax) shorten(charsMax);
  leaveOut(({ path }) => seldomWanted.test(path));
  shorten(textCharsLeast);
  leaveOut(() => true);
  // Distributes the remaining space.
  for (let charsMax = textCharsLeast; charsMax < textCharsMax[1] && widthOf(left) <= width; charsMax += 1) {
    const wider = left.map((column) => ({ ...column, charsMax: Math.max(column.charsMax, charsMax + 1) }));
    if (widthOf(wider) > width) break;
    left = wider;
  }
  return { left, gone: columns.map(({ title }) => title).filter((title) => gone.has(title)) };
}

/** Returns whether a column contains names that a user types into the next request. */
function isName({ cells }: Column): boolean {
  return cells.every(({ text }) => !text.includes(" "));
}

function listed(names: readonly string[]): string {
  const more = names.length - namesShownMax;
  return more < 2 ? names.join(", ") : `${names.slice(0, namesShownMax).join(", ")} and ${more} more`;
}

function linesOf(columns: readonly Column[]): string[] {
  const isRight = columns.map(({ cells }) => cells.length > 0 && cells.every(({ isNumber }) => isNumber));
  const widths = columns.map(columnWidth);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => pad(cut(text, columns[index]!.charsMax), widths[index]!, isRight[index]!))
      .join(gap)
      .trimEnd();
  const count = columns[0]?.cells.length ?? 0;
  return [
    line(columns.map(({ title }) => title)),
    ...Array.from({ length: count }, (_, row) => line(columns.map(({ cells }) => cells[row]!.text))),
  ];
}

function widthOf(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column) + gap.length, -gap.length);
}

/** Returns the width of a column. A title is never cut, because it names the values. */
function columnWidth({ title, cells, charsMax }: Column): number {
  return cells.reduce((most, { text }) => Math.max(most, Math.min(charsMax, length(text))), length(title));
}

function pad(text: string, width: number, isRight: boolean): string {
  const space = " ".repeat(Math.max(0, width - length(text)));
  return isRight ? space + text : text + space;
}

/**
 * Breaks a text into lines of at most `width` characters at spaces, and within a word only if it is longer than a line. With `keepsWords` a
 * long word stays whole, so that it can be copied.
 */
export function wrapped(text: string, width: number, keepsWords = false): string[] {
  if (length(text) <= width) return [text];
  const lines: string[] = [];
  let line: string[] = [];
  for (const word of text.split(" ")) {
    const characters = Array.from(word);
    if (line.length > 0 && line.length + 1 + characters.length > width) {
      lines.push(line.join(""));
      line = [];
    }
    line.push(...(line.length > 0 ? [" "] : []), ...characters);
    while (!keepsWords && line.length > width) lines.push(line.splice(0, width).join(""));
  }
  return [...lines, line.join("")];
}

/** Cuts a text to at most `charsMax` characters. A cut text ends with `…`. */
export function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const characters = Array.from(text);
  return characters.length <= charsMax ? text : `${characters.slice(0, Math.max(0, charsMax - 1)).join("")}…`;
}

function length(text: string): number {
  // Most texts have no surrogate pairs, so the fast path is enough.
  return /[\ud800-\udbff]/.test(text) ? Array.from(text).length : text.length;
}
