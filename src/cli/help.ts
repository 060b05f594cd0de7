import { type Command, describedFlags, help, type Output } from "./command.ts";
import { wrapped } from "./get/table.ts";
import { lineChars, painted } from "./print.ts";

/** Commands that `itemtape help` lists under one title. */
export type CommandGroup = readonly [title: string, commands: readonly Command[]];

/** A text beside a title is no narrower than this, in characters. */
const textCharsLeast = 24;

const examples: Command["examples"] = [
  ["start", "a server with a demo market; it prints the keys"],
  ["search ak redline", "find items by words"],
  ["price ak redline ft", "what an item costs, and where"],
  ["export market.parquet", "the whole market in a file"],
];

/** Returns the lines of `itemtape help`. */
export function overview(groups: readonly CommandGroup[], out: Output): string[] {
  const all = groups.flatMap(([, commands]) => commands);
  return [
    "itemtape: market data of Counter-Strike 2 items, on one file",
    ...groups.flatMap(([title, some]) => ["", painted({ out }, "bold", `${title}:`), ...commandRows(some, all, out)]),
    "",
    painted({ out }, "bold", "examples:"),
    ...exampleLines(examples, out),
    "",
    "`itemtape help COMMAND` explains one.",
  ];
}

/** Returns a line for each of `some` commands, with descriptions that begin where those of `all` commands do. */
export function commandRows(some: readonly Command[], all: readonly Command[], out: Output): string[] {
  const width = Math.max(...all.map(({ name }) => name.length));
  return some.flatMap(({ name, description }) => described(out, name.padEnd(width), description));
}

/** Returns the lines of a command's help: usage, flags, settings and examples. */
export function explanation(command: Command, out: Output): string[] {
  const rows = describedFlags(command);
  const width = Math.max(0, ...rows.map(([flag]) => flag.length));
  return [
    help(command),
    command.description,
    ...rows.flatMap(([flag, description]) => described(out, flag.padEnd(width), description)),
    "examples:",
    ...exampleLines(command.examples, out),
  ];
}

/** Returns a line for each example; if a narrow terminal has no room for the text beside the words, two. */
function exampleLines(examples: Command["examples"], out: Output): string[] {
  const width = Math.max(...examples.map(([words]) => `itemtape ${words}`.length));
  const isNarrow = width + textCharsLeast + 4 > lineChars({ out });
  return examples.flatMap(([words, does]) =>
    isNarrow ? [`  itemtape ${words}`, `      ${does}`] : described(out, `itemtape ${words}`.padEnd(width), does),
  );
}

/** Returns a title and its text beside it, on a terminal in as many lines as that needs. */
function described(out: Output, title: string, text: string): string[] {
  const indent = title.length + 4;
  const [first, ...more] = wrapped(text, Math.max(textCharsLeast, lineChars({ out }) - indent), true);
  return [`  ${title}  ${first}`, ...more.map((line) => " ".repeat(indent) + line)];
}
