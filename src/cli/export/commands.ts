import { exitCodes } from "../../values/failure/operator-error.ts";
import { commandsOf, json, noSettings, urlFlag } from "../command.ts";

export const exportCommands = commandsOf(noSettings, [
  {
    usage: "export day DATE[..DATE] FOLDER",
    flags: {
      "format ndjson|csv|parquet|sqlite": "format of the files, required",
      "resolution daily|hourly": "rows by day or hour (default: daily)",
      "revision N": "an earlier seal of the day (default: the latest)",
      "url BASE": urlFlag,
      force: "replace existing files, each once the new one is complete",
      json,
    },
    description: "write sealed days to FOLDER/date=DATE, a unit each and one for terms",
    example: "export day 2026-01-01..2026-01-31 days --format parquet",
    run: async (call) => (await import("./day.ts")).runDays(call),
  },
  {
    usage: "export FILE",
    flags: {
      "format ndjson|csv|parquet|sqlite": "format (default: from the file's name)",
      "url BASE": urlFlag,
      force: "replace an existing file once the new one is complete",
      "attempts N": "most exports to begin, 1 to 10 (default: 1); each costs a unit and a start",
      "no-digest": "skip the digest, which costs a unit",
      json,
    },
    description: "write the whole market to a file",
    explain,
    example: "export market.parquet",
    run: async (call) => (await import("./run.ts")).run(call),
  },
]);

/** Returns the lines of `itemtape export --help` after the flags. */
async function explain(): Promise<readonly string[]> {
  const { codesText, otherCodes } = await import("../get/explain.ts");
  const { exportCodes } = await import("../get/refusal.ts");
  return [
    "",
    "An export replaces FILE only once its end and its digest are verified; until then FILE stays as it is.",
    "It costs one unit and one start; the digest costs one more unit, and the providers' terms one, except for ndjson.",
    "Amounts are integer cents.",
    "",
    "formats:",
    "  ndjson   the bytes of the service, from `start` to `end`",
    "  csv      RFC 4180, UTF-8; a row per quote, or one with an empty side; null is empty;",
    "           the terms are in FILE-metadata.json, as CSV on the Web names it",
    "  parquet  the same rows with types; facts of the export and the terms are key-value metadata",
    "  sqlite   the tables export, providers, items and quotes",
    "",
    ...codesText([[exitCodes.ok, "FILE is complete and verified"], ...exportCodes]),
    otherCodes,
  ];
}
