import { type Command, describedFlags, type Output, usageOf } from "./command.ts";
import { wrapped } from "./get/table.ts";
import { lineChars, painted } from "./print.ts";

/** Commands that `itemtape help` lists under one title. */
export type CommandGroup = readonly [title: string, commands: readonly Command[]];

/** Minimum width of a text beside its title, in characters. */
const textCharsLeast = 24;

const examples: readonly (readonly [words: string, does: string])[] = [
  ["start", "serve a demo market; it prints the keys"],
  ["search ak redline", "find items by words"],
  ["price ak redline ft", "show an item's prices"],
  ["export market.parquet", "write the whole market to a file"],
];

/** Returns the lines of `itemtape help`. */
export function overview(groups: readonly CommandGroup[], out: Output): string[] {
  const all = groups.flatMap(([, commands]) => commands);
  return [
    "itemtape: market data of Counter-Strike 2 items, on one file",
    ...groups.flatMap(([title, some]) => ["", painted({ out }, "bold", `${title}:`), ...commandRows(some, all, out)]),
    "",
    painted({ out }, "bold", "examples:"),
    ...exampleLines(out),
    "",
    "`npx itemtape help COMMAND` explains a command. Commands that ask a server read its key from ITEMTAPE_API_KEY.",
  ];
}

/** Returns a line for each of `some` commands, with descriptions aligned as for `all`. */
export function commandRows(some: readonly Command[], all: readonly Command[], out: Output): string[] {
  const width = Math.max(...all.map(({ name }) => name.length));
  return some.flatMap(({ name, description }) => described(out, name.padEnd(width), description));
}

/** Returns the lines of a command's help: its line of the overview, usage, flags, settings and an example. */
export function explanation(command: Command, all: readonly Command[], out: Output): string[] {
  const rows = describedFlags(command);
  const width = Math.max(0, ...rows.map(([flag]) => flag.length));
  return [
    ...commandRows([command], all, out),
    usageOf(command),
    ...rows.flatMap(([flag, description]) => described(out, flag.padEnd(width), description)),
    ...(command.settingsOf === undefined ? [] : [`\`npx itemtape help ${command.settingsOf}\` lists more settings.`]),
    ...(command.example === command.name ? [] : [`example: npx itemtape ${command.example}`]),
  ];
}

/** Returns a line for each example, or two lines on a terminal too narrow for the text beside the words. */
function exampleLines(out: Output): string[] {
  const width = Math.max(...examples.map(([words]) => `npx itemtape ${words}`.length));
  const isNarrow = width + textCharsLeast + 4 > lineChars({ out });
  return examples.flatMap(([words, does]) =>
    isNarrow
      ? [`  npx itemtape ${words}`, `      ${does}`]
      : described(out, `npx itemtape ${words}`.padEnd(width), does),
  );
}

/** Returns a title with its text beside it, wrapped on a terminal. */
function described(out: Output, title: string, text: string): string[] {
  const indent = title.length + 4;
  const [first, ...more] = wrapped(text, Math.max(textCharsLeast, lineChars({ out }) - indent), true);
  return [`  ${title}  ${first}`, ...more.map((line) => " ".repeat(indent) + line)];
}
