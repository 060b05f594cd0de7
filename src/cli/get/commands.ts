import { commandsOf, csvFlag, noSettings, urlFlag } from "../command.ts";

export const getCommands = commandsOf(noSettings, [
  {
    usage: "get [OPERATION] [NAME=VALUE]...",
    flags: {
      "url BASE": urlFlag,
      "fields NAMES": "columns or fields to print, separated by commas",
      all: "fetch all pages, a request each",
      json: "print JSON; with --all, a line per row",
      csv: csvFlag,
    },
    flagHint: "; parameters are written NAME=VALUE, such as limit=10",
    description: "call an operation of the API, or list them",
    explain: async (words) => (await import("./explain.ts")).explain(words),
    example: "get listItems item_type=Knife --all --csv",
    run: async (call) => (await import("./run.ts")).run(call),
  },
]);
