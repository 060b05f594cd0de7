import { type RefusalKind, StoreRefusal } from "../../src/store/file/refusal.ts";
import { exitCodes } from "../../src/values/failure/operator-error.ts";

/** Meanings of the exit codes of the program, except those of refused database files. */
const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "done; or stopped by a signal, with every answer ended or cut as documented",
  unexpected: "unexpected failure, or the storage failed under the server",
  usage:
    "a command, operand, flag or setting that does not exist or cannot be used; for clients, also a request that the service refuses as wrong (400, 413)",
  badData:
    "data that cannot be used: a broken feed, an unknown account, a blocked pool; for `db check`, faults found; for `roi recompute`, numbers that differ; for clients, an answer that the contract does not describe",
  noInput: "for `roi recompute`, nothing is published to recompute; for clients, the service does not have it (404)",
  unavailable:
    "this version of Node cannot run the program (older than 22.18, or 23), or SQLite cannot be loaded; for clients, the month is used up",
  cannotCreate: "or it came meanwhile, or it cannot be created",
  ioError: "or standard output cannot be written, and what the command did stays done",
  temporary: "or a server is busy, limits you (429, 503) or cannot be reached: try again",
  denied: "for clients, the key is not accepted, or its plan or scope is too small (401, 403)",
  checkWarned: "`doctor --strict` has warnings, and nothing failed",
  checkFailed: "`doctor` found something that failed",
  exportChanged: "an export changed: a new generation was published meanwhile",
  exportInterrupted: "an export was interrupted by the service",
  exportTruncated: "an export was truncated: it ended before its `end` record",
  exportMalformed: "an export is malformed: a record that does not belong there",
  exportDigest: "the prices of an export are not those of its generation's digest",
};

const refusalKinds: Readonly<Record<RefusalKind, true>> = {
  exists: true,
  missing: true,
  empty: true,
  foreign: true,
  corrupt: true,
  newer: true,
  older: true,
  readable_by_others: true,
  unwritable: true,
  linked: true,
  full: true,
  in_use: true,
};

/** Returns the meaning of each exit code, in ascending order: what the program says of a refused file, then the rest. */
export function exitCodeMeanings(): ReadonlyMap<number, string> {
  const ofFiles = Object.keys(refusalKinds).map((kind): [number, string] => {
    const { exitCode, message } = new StoreRefusal(kind as RefusalKind, "file");
    return [exitCode, /^file: (.*); /.exec(message)?.[1] ?? ""];
  });
  const own = Object.entries(exitCodes).map(([name, code]): [number, string] => [
    code,
    meanings[name as keyof typeof exitCodes],
  ]);
  const found = new Map<number, string>();
  for (const [code, text] of [...ofFiles, ...own]) {
    const before = found.get(code);
    found.set(code, before === undefined ? text : `${before}; ${text}`);
  }
  return new Map([...found].sort(([one], [other]) => one - other));
}
