import { commandsOf, csvFlag, noSettings, urlFlag } from "../command.ts";

/** The commands of finding items. */
export const findCommands = commandsOf(noSettings, [
  {
    usage: "search TEXT...",
    flags: { "url BASE": urlFlag, json: "print a line of JSON per item", csv: csvFlag },
    description:
      "find items by words of their names, best first; 1 unit, 4 at most if nothing is found, to say what would be",
    examples: [
      ["search ak redline", "all words, in any order"],
      ["search karambit doppler ruby fn", "a phase and an exterior are words, too"],
      ["search kilowatt --csv", "the same for a spreadsheet"],
    ],
    run: async (call) => (await import("./run.ts")).search(call),
  },
  {
    usage: "price NAME|ID...",
    flags: { "url BASE": urlFlag, json: "print data and meta as JSON", csv: csvFlag },
    description:
      "tell what an item costs and where, by id, name or words, or list what the words can mean; 1 to 3 units, 5 at most if nothing is found",
    examples: [
      ["price ak redline ft", "words, the plain item first"],
      ["price 661", "an item by its id, for one unit"],
    ],
    run: async (call) => (await import("./run.ts")).price(call),
  },
  {
    usage: "history NAME|ID...",
    flags: {
      "days N": "completed days, 1 to 366 (30 when left out)",
      "provider PROVIDER": "one provider (each when left out)",
      "side ask|bid": "asks (when left out) or bids",
      "url BASE": urlFlag,
      json: "print a line of JSON per row",
      csv: csvFlag,
    },
    description: "draw the daily prices of an item as lines with gaps; 2 units or more",
    examples: [
      ["history 661 --days 90", "daily asks of each provider as lines of signs"],
      ["history 661 --side bid --csv", "daily bids for a spreadsheet"],
    ],
    run: async (call) => (await import("./run.ts")).history(call),
  },
  {
    usage: "watch NAME|ID...",
    flags: {
      "pause SECONDS": "look each 1 to 86400 s, a unit each (wait at the service when left out)",
      "url BASE": urlFlag,
      json: "print a line of JSON per move",
    },
    description:
      "print a line whenever the lowest ask or highest bid of an item moves, until a signal; 2 units a minute and 1 a change",
    examples: [
      ["watch 661", "a line whenever its best prices move"],
      ["watch 661 --pause 600", "look each ten minutes, a unit each"],
    ],
    run: async (call) => (await import("./watch.ts")).watch(call),
  },
]);
