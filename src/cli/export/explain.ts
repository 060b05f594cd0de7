import { exitCodes } from "../../values/operator-error.ts";
import { codesText } from "../get/explain.ts";
import { refusalCodes } from "../get/refusal.ts";

/** Returns the lines of `itemtape export --help` after the flags. */
export function explain(): readonly string[] {
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
