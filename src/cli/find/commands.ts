import { commandsOf, csvFlag, json, noSettings, urlFlag } from "../command.ts";

export const findCommands = commandsOf(noSettings, [
  {
    usage: "search TEXT...",
    flags: { "url BASE": urlFlag, json: "print JSON, a line per row", csv: csvFlag },
    description: "find items by words; 1 unit, 4 if none fits",
    example: "search karambit doppler ruby fn",
    run: async (call) => (await import("./run.ts")).search(call),
  },
  {
    usage: "price NAME|ID...",
    flags: {
      "known-at INSTANT": "as known then, such as 2026-01-14T18:00:00Z",
      "url BASE": urlFlag,
      json,
      csv: csvFlag,
    },
    description: "show an item's prices, or the items that fit; 1 to 5 units",
    example: "price 661",
    run: async (call) => (await import("./run.ts")).price(call),
  },
  {
    usage: "history NAME|ID...",
    flags: {
      "days N": "completed days, 1 to 366 (default: 30)",
      "provider PROVIDER": "one provider (default: all)",
      "side ask|bid": "asks or bids (default: ask)",
      "known-at INSTANT": "as known then, such as 2026-01-14T18:00:00Z",
      "url BASE": urlFlag,
      json: "print JSON, a line per row",
      csv: csvFlag,
    },
    description: "draw an item's daily prices; 2 units or more",
    example: "history 661 --side bid --csv",
    run: async (call) => (await import("./run.ts")).history(call),
  },
  {
    usage: "watch NAME|ID...",
    flags: {
      "pause SECONDS": "check every 1 to 86400 s, a unit each (default: wait at the service)",
      "url BASE": urlFlag,
      json: "print JSON, a line per row",
    },
    description: "print an item's moves until a signal; 2 units a minute, 1 a change",
    example: "watch 661",
    run: async (call) => (await import("./watch.ts")).watch(call),
  },
]);
