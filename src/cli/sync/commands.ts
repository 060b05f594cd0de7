import { exitCodes } from "../../values/failure/operator-error.ts";
import { commandsOf, json, noSettings, urlFlag } from "../command.ts";

export const syncCommands = commandsOf(noSettings, [
  {
    usage: "sync FILE",
    flags: {
      once: "end with the current state (default)",
      watch: "wait for later states until a signal",
      "pause SECONDS": "with --watch: check every 1 to 86400 s, a unit each",
      "url BASE": urlFlag,
      force: "replace a damaged file or one of another service",
      json,
    },
    description: "keep a verified copy of the market",
    explain,
    example: "sync market.sqlite --watch",
    run: async (call) => (await import("./run.ts")).run(call),
  },
]);

/** Returns the lines of `itemtape sync --help` after the flags. */
async function explain(): Promise<readonly string[]> {
  const { codesText, otherCodes } = await import("../get/explain.ts");
  const { exportCodes } = await import("../get/refusal.ts");
  const { damagedCode } = await import("./copy-file.ts");
  return [
    "",
    "The name gives the format: .ndjson holds an export's lines; .sqlite, .sqlite3 and .db hold its tables. FILE always holds",
    "one complete state with its digests, even after a kill. The first state costs two units and a start, each later one a unit.",
    "A SQLite file also holds the terms of the providers, read once a day for a unit.",
    "--watch also costs a unit per half minute of waiting, or per pause. It repeats after temporary failures.",
    "",
    ...codesText([
      [exitCodes.ok, "FILE is current, or --watch was stopped"],
      [damagedCode, "FILE is damaged; --force replaces it"],
      ...exportCodes,
    ]),
    otherCodes,
  ];
}
