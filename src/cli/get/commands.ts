import { commandsOf, csvFlag, noSettings, urlFlag } from "../command.ts";

/** The commands of `get`. */
export const getCommands = commandsOf(noSettings, [
  {
    usage: "get [OPERATION] [NAME=VALUE]...",
    flags: {
      "url BASE": urlFlag,
      "fields NAMES": "print these columns or fields only, a comma between",
      all: "follow the list to its end; each page is a request",
      json: "print data and meta as JSON; with --all a line of JSON per row",
      csv: csvFlag,
    },
    flagHint: "; parameters are written NAME=VALUE, such as limit=10",
    description: "call one operation of the API by its name; without a name, list the operations",
    explain: async (words) => (await import("./explain.ts")).explain(words),
    examples: [
      ["get", "list the operations"],
      ["get listItems q=doppler phase=Ruby limit=5", "five items"],
      ["get getMarketPrices 661 --json", "one parameter needs no name"],
      ["get listItems item_type=Knife --all --csv", "a whole list for a spreadsheet"],
    ],
    run: async (call) => (await import("./run.ts")).run(call),
  },
]);
