import { exitCodes } from "../../values/failure/operator-error.ts";
import { commandsOf, noSettings, urlFlag } from "../command.ts";

/** The commands of `export`. */
export const exportCommands = commandsOf(noSettings, [
  {
    usage: "export day DATE[..DATE] FOLDER",
    flags: {
      "format ndjson|csv|parquet|sqlite": "format of the files",
      "resolution daily|hourly": "rows by day (when left out) or by hour",
      "url BASE": urlFlag,
      force: "replace files that are there, each once the new one is whole",
      json: "print the result as JSON",
    },
    description:
      "write sealed days of the whole market into FOLDER/date=DATE, a unit each; a day that is there is left alone",
    examples: [["export day 2026-01-01..2026-01-31 days --format parquet", "a month of days, a file each"]],
    run: async (call) => (await import("./day.ts")).runDays(call),
  },
  {
    usage: "export FILE",
    flags: {
      "format ndjson|csv|parquet|sqlite": "format (that of the file's name when left out)",
      "url BASE": urlFlag,
      force: "replace a file that is there, once the new one is whole",
      "attempts N":
        "exports to begin at most, 1 to 10 (1 when left out), if one is changed, interrupted or truncated; each costs a unit and a start",
      "no-digest": "do not ask for the digest, which costs a unit",
      json: "print the result as JSON",
    },
    description: "write the whole market into a file; a broken export leaves no file",
    explain,
    examples: [
      ["export market.parquet", "the format is that of the name"],
      ["export market.csv --force", "replace the file once the new one is whole"],
    ],
    run: async (call) => (await import("./run.ts")).run(call),
  },
]);

/** Returns the lines of `itemtape export --help` after the flags. */
async function explain(): Promise<readonly string[]> {
  const { codesText } = await import("../get/explain.ts");
  const { refusalCodes } = await import("../get/refusal.ts");
  return [
    "",
    "An export is written beside FILE under another name and takes its place only when its end and its digest were right;",
    "until then, and after any failure, a file that was there stays as it is. It costs one unit of the month and one start,",
    "the check of the digest one unit more.",
    "",
    "formats:",
    "  ndjson   the bytes as the service sent them, from `start` to `end`",
    "  csv      RFC 4180, UTF-8; a row per quote, an item without quotes has one with an empty side; null is an empty field",
    "  parquet  the same rows with types; what is true of the whole is in the key-value metadata",
    "  sqlite   tables export, items and quotes",
    "Amounts are integer cents in each of them.",
    "",
    ...codesText([
      [exitCodes.ok, "complete and verified: FILE is there"],
      ...refusalCodes,
      [
        exitCodes.cannotCreate,
        "FILE cannot be made or is there already, and nothing was asked; or it came meanwhile, and the export was thrown away",
      ],
      [
        exitCodes.ioError,
        "FILE could not be written, such as on a full disk, and nothing of it is left; or standard output could not",
      ],
      [exitCodes.exportChanged, "changed: a new generation was published meanwhile"],
      [exitCodes.exportInterrupted, "interrupted: the service gave up"],
      [exitCodes.exportTruncated, "truncated: the stream ended before its end"],
      [exitCodes.exportMalformed, "malformed: a record that does not belong there"],
      [exitCodes.exportDigest, "the prices are not those of the generation's digest"],
      [130, "stopped by Ctrl+C (143: by SIGTERM, 129: SIGHUP)"],
    ]),
  ];
}
