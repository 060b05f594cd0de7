import { exitCodes } from "../../values/failure/operator-error.ts";
import { commandsOf, json, noSettings, urlFlag } from "../command.ts";

/** The commands of `sync`. */
export const syncCommands = commandsOf(noSettings, [
  {
    usage: "sync FILE",
    flags: {
      once: "end with the present state, as when left out",
      watch: "wait for later states, until a signal",
      "pause SECONDS": "with --watch: ask once in 1 to 86400 s, a unit each",
      "url BASE": urlFlag,
      force: "replace a file that is no whole copy, or that came from elsewhere",
      json,
    },
    description: "keep a verified copy of the market in a .sqlite or .ndjson file",
    explain,
    examples: [["sync market.sqlite --watch", "keep a copy up to date until a signal"]],
    run: async (call) => (await import("./run.ts")).run(call),
  },
]);

/** Returns the lines of `itemtape sync --help` after the flags. */
async function explain(): Promise<readonly string[]> {
  const { codesText } = await import("../get/explain.ts");
  const { refusalCodes } = await import("../get/refusal.ts");
  const { damagedCode } = await import("./copy-file.ts");
  return [
    "",
    "The name of FILE says its format: .ndjson has the lines of an export, .sqlite, .sqlite3 and .db the tables of one. FILE holds one",
    "whole state at any time, with the digests that prove it; a killed program leaves the state before or the one after.",
    "The first state is an export (two units and a start), each later one a stream of changes (one unit). --watch costs a unit for each",
    "half minute of waiting, too, or with --pause one for each pause; it goes on after failures that may pass, and ends with a signal.",
    "",
    ...codesText([
      [exitCodes.ok, "FILE holds the present state; with --watch: stopped by a signal"],
      ...refusalCodes,
      [exitCodes.cannotCreate, "FILE cannot be made, or is there and no copy that sync keeps"],
      [exitCodes.ioError, "FILE could not be read, or not written, such as on a full disk, and stays as it was"],
      [damagedCode, "FILE is a copy that is damaged; --force replaces it"],
      [exitCodes.exportChanged, "changed: new generations were published again and again meanwhile"],
      [exitCodes.exportInterrupted, "interrupted: the service gave up"],
      [exitCodes.exportTruncated, "truncated: a stream ended before its end"],
      [exitCodes.exportMalformed, "malformed: a record that does not belong there"],
      [exitCodes.exportDigest, "what came does not have the digests of the service"],
      [130, "without --watch: stopped by Ctrl+C (143: by SIGTERM, 129: SIGHUP)"],
    ]),
  ];
}
