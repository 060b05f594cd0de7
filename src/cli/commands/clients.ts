import type { Command, Flag } from "../command.ts";

/** The flag for the address of the service, of the commands that are its clients. */
export const urlFlag: Flag = {
  value: "BASE",
  description: "service to ask (ITEMTAPE_URL, else http://127.0.0.1:8080), with the key in ITEMTAPE_API_KEY",
};

const csvFlag: Flag = { description: "print RFC 4180 lines: amounts in cents, null empty" };

/** Clients of the service. They take no setting: they have nothing to do with a database file. */
export const clientCommands: readonly Command[] = [
  {
    name: "search",
    operands: ["TEXT..."],
    flags: { url: urlFlag, json: { description: "print a line of JSON per item" }, csv: csvFlag },
    settings: [],
    description:
      "find items by words of their names, best first; 1 unit, 2 where one is a phase, 5 at most where nothing is found, to say what would be",
    examples: [
      ["search ak redline", "all words, in any order"],
      ["search karambit doppler ruby fn", "a phase and an exterior are words, too"],
      ["search kilowatt --csv", "the same for a spreadsheet"],
    ],
    run: async (call) => (await import("../find/run.ts")).search(call),
  },
  {
    name: "price",
    operands: ["NAME|ID..."],
    flags: { url: urlFlag, json: { description: "print data and meta as JSON" }, csv: csvFlag },
    settings: [],
    description:
      "tell what an item costs and where, by id, name or words that it alone has; 1 to 4 units, 6 at most where nothing is found",
    examples: [
      ["price ak redline ft", "words that one item alone has"],
      ["price 661", "an item by its id, for one unit"],
    ],
    run: async (call) => (await import("../find/run.ts")).price(call),
  },
  {
    name: "history",
    operands: ["NAME|ID..."],
    flags: {
      days: { value: "N", description: "completed days, 1 to 366 (30 when left out)" },
      provider: { value: "PROVIDER", description: "one provider (each when left out)" },
      side: { value: "ask|bid", description: "asks (when left out) or bids" },
      url: urlFlag,
      json: { description: "print a line of JSON per row" },
      csv: csvFlag,
    },
    settings: [],
    description: "draw the daily prices of an item as lines with gaps; 2 units or more",
    examples: [
      ["history 661 --days 90", "daily asks of each provider as lines of signs"],
      ["history 661 --side bid --csv", "daily bids for a spreadsheet"],
    ],
    run: async (call) => (await import("../find/run.ts")).history(call),
  },
  {
    name: "watch",
    operands: ["NAME|ID..."],
    flags: {
      pause: {
        value: "SECONDS",
        description: "look each 1 to 86400 s, a unit each (wait at the service when left out)",
      },
      url: urlFlag,
      json: { description: "print a line of JSON per move" },
    },
    settings: [],
    description:
      "print a line whenever the lowest ask or highest bid of an item moves, until a signal; 2 units a minute and 1 a change",
    examples: [
      ["watch 661", "a line whenever its best prices move"],
      ["watch 661 --pause 600", "look each ten minutes, a unit each"],
    ],
    run: async (call) => (await import("../find/watch.ts")).watch(call),
  },
  {
    name: "get",
    operands: ["[OPERATION]", "[NAME=VALUE]..."],
    flags: {
      url: urlFlag,
      fields: { value: "NAMES", description: "print these columns or fields only, a comma between" },
      all: { description: "follow the list to its end; each page is a request" },
      json: { description: "print data and meta as JSON; with --all a line of JSON per row" },
      csv: csvFlag,
    },
    flagHint: "; parameters are written NAME=VALUE, such as limit=10",
    settings: [],
    description: "call one operation of the API by its name; without a name, list the operations",
    explain: async (words) => (await import("../get/explain.ts")).explain(words),
    examples: [
      ["get", "list the operations"],
      ["get listItems q=doppler phase=Ruby limit=5", "five items"],
      ["get getMarketPrices 661 --json", "one parameter needs no name"],
      ["get listItems item_type=Knife --all --csv", "a whole list for a spreadsheet"],
    ],
    run: async (call) => (await import("../get/run.ts")).run(call),
  },
  {
    name: "export day",
    operands: ["DATE[..DATE]", "FOLDER"],
    flags: {
      format: { value: "ndjson|csv|parquet|sqlite", description: "format of the files" },
      resolution: { value: "daily|hourly", description: "rows by day (when left out) or by hour" },
      url: urlFlag,
      force: { description: "replace files that are there, each once the new one is whole" },
      json: { description: "print the result as JSON" },
    },
    settings: [],
    description:
      "write sealed days of the whole market into FOLDER/date=DATE, a unit each; a day that is there is left alone",
    examples: [["export day 2026-01-01..2026-01-31 days --format parquet", "a month of days, a file each"]],
    run: async (call) => (await import("../export/day.ts")).runDays(call),
  },
  {
    name: "export",
    operands: ["FILE"],
    flags: {
      format: {
        value: "ndjson|csv|parquet|sqlite",
        description: "format (that of the file's name when left out)",
      },
      url: urlFlag,
      force: { description: "replace a file that is there, once the new one is whole" },
      attempts: {
        value: "N",
        description:
          "exports to begin at most, 1 to 10 (1 when left out), where one is changed, interrupted or truncated; each costs a unit of the month and a start",
      },
      "no-digest": { description: "do not ask for the digest of the generation, which costs a unit of the month" },
      json: { description: "print the result as JSON" },
    },
    settings: [],
    description: "write the whole market into a file; a broken export leaves no file",
    explain: async () => (await import("../export/explain.ts")).explain(),
    examples: [
      ["export market.parquet", "the format is that of the name"],
      ["export market.csv --force", "replace the file once the new one is whole"],
    ],
    run: async (call) => (await import("../export/run.ts")).run(call),
  },
  {
    name: "sync",
    operands: ["FILE"],
    flags: {
      once: { description: "end with the present state, as when left out" },
      watch: { description: "wait for later states, until a signal" },
      pause: { value: "SECONDS", description: "with --watch: ask once in 1 to 86400 s, a unit each" },
      url: urlFlag,
      force: { description: "replace a file that is no whole copy" },
      json: { description: "print JSON" },
    },
    settings: [],
    description: "keep a verified copy of the market in a .sqlite or .ndjson file",
    explain: async () => (await import("../sync/explain.ts")).explain(),
    examples: [["sync market.sqlite --watch", "keep a copy up to date until a signal"]],
    run: async (call) => (await import("../sync/run.ts")).run(call),
  },
  {
    name: "mcp",
    operands: [],
    flags: {
      url: urlFlag,
      http: {
        description:
          "serve any number of callers over HTTP, each with its own key, instead of one over stdin and stdout",
      },
      host: { value: "ADDRESS", description: "with --http: address to listen on (127.0.0.1 when left out)" },
      port: { value: "N", description: "with --http: port to listen on (8090 when left out); 0 takes a free one" },
    },
    settings: [],
    description:
      "serve the API to agents as tools (Model Context Protocol), read only, one for each operation and one by name",
    examples: [
      ["mcp", "over stdin and stdout, as agents start it"],
      ["mcp --http --port 8090", "over HTTP, each caller with its own key"],
    ],
    run: async (call) => (await import("../mcp.ts")).serveAgents(call),
  },
];
