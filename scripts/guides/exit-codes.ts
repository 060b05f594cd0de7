import { type RefusalKind, StoreRefusal } from "../../src/store/file/refusal.ts";
import { exitCodes } from "../../src/values/failure/operator-error.ts";

/** Meanings of the program's exit codes, except codes of refused database files. */
const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "done, or stopped by a signal",
  unexpected: "unexpected failure, or the server's storage failed",
  usage: "invalid command, flag, setting or request (400, 413)",
  badData: "invalid data; `db check` or `roi recompute` found a fault; an answer outside the contract",
  noInput: "missing file or calculation; 404",
  unavailable: "unsupported Node or SQLite; the month is used up",
  cannotCreate: "the file exists or cannot be created",
  ioError: "a file or standard output cannot be written",
  temporary: "locked file, or a busy (429, 503) or unreachable server: try again",
  denied: "unsafe file permissions; refused key, plan or scope (401, 403)",
  checkWarned: "`doctor --strict` only warned",
  checkFailed: "`doctor` found a failure",
  exportChanged: "export: a new generation was published",
  exportInterrupted: "export: the service interrupted it",
  exportTruncated: "export: it ended before `end`",
  exportMalformed: "export: invalid record",
  exportDigest: "export: wrong digest",
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

/** Returns the meaning of each exit code, in ascending order. */
export function exitCodeMeanings(): ReadonlyMap<number, string> {
  const ofFiles = Object.keys(refusalKinds).map((kind): [number, string] => {
    const { exitCode, message } = new StoreRefusal(kind as RefusalKind, "file");
    return [exitCode, /^file: (.*); /.exec(message)?.[1] ?? ""];
  });
  const own = Object.entries(exitCodes).map(([name, code]): [number, string] => [
    code,
    meanings[name as keyof typeof exitCodes],
  ]);
  return new Map([...new Map([...ofFiles, ...own])].sort(([one], [other]) => one - other));
}
