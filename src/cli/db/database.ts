import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { acceptClock } from "../../access/ledger/clock.ts";
import { makeOwnFolder } from "../../config/data-folder.ts";
import { checkDatabase, checkDatabaseInChunks } from "../../store/check/check.ts";
import { refuseOpenElsewhere } from "../../store/database.ts";
import {
  backupDatabase,
  backupName,
  type Restored,
  removeOlderBackups,
  restoreDatabase,
} from "../../store/file/backup.ts";
import { createDatabase, databasePath, migrateDatabase, refuseUnlessValid, removeFile } from "../../store/file/file.ts";
import { holdLock } from "../../store/file/lock.ts";
import { isOnReadOnlyDisk } from "../../store/file/read-only.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import type { Reopened } from "../../store/file/revocations.ts";
import { LedgerStore } from "../../store/write/ledger.ts";
import { draftPath } from "../../values/drafts.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { barOnTerminal } from "../../values/progress.ts";
import { displayText } from "../../values/text/display-text.ts";
import { systemClock, toTimestamp } from "../../values/time/clock.ts";
import { type Call, existing, onDemoFile, usageError } from "../command.ts";
import { isDemoFile, localAddress, ownFile, publicAddress, withDatabase, withProgress } from "../open.ts";

/** Runs `db create`: creates an empty file of this release. */
export async function create(call: Call): Promise<void> {
  makeOwnFolder(call.config.db);
  const path = databasePath(call.config.db);
  createDatabase(path, () => undefined);
  call.out.line(`${path} made, without items, quotes or accounts`);
}

/** Runs `db migrate`: migrates an older file to this release. */
export function migrate(call: Call): Promise<void> {
  return stopped(call, async (path) => {
    const applied = await withProgress(async (progress) => migrateDatabase(path, progress));
    call.out.line(applied === 0 ? "nothing to migrate" : `${applied} migrations applied`);
  });
}

/** Runs `db restore`: replaces the file by a backup, and lists the keys and accounts that the backup reopens. */
export function restore(call: Call): Promise<void> {
  return stopped(call, (path) => {
    const from = call.flag("keep-revocations-from");
    const keepRevocationsFrom = from === undefined ? null : existing(from);
    const options = { signOutAt: systemClock.now(), keepRevocationsFrom };
    const restored = restoreDatabase(existing(call.operands[0]!), path, call.has("force"), options);
    call.out.line(`${path} restored${restored.kept === null ? "" : `; the file before is ${restored.kept}`}`);
    for (const line of reopenedLines(restored, from)) call.out.line(line);
    call.out.line(
      "Passwords changed since then have their old values; all owners are signed out and all open invitations have ended.",
    );
  });
}

/** Returns lines with the keys and accounts that the restored file reopens. */
function reopenedLines({ reopened, reapplied }: Restored, from: string | undefined): string[] {
  const named = ({ kind, id, name }: Reopened) => `  ${id} (${displayText(name)}), ${reopenedAs[kind]}`;
  const lines = from === undefined ? [] : [`${reapplied.length} keys and accounts stay closed as in ${from}.`];
  if (reopened === null) {
    lines.push("The replaced file cannot be read, so the lost revocations since the backup are unknown.");
  } else if (reopened.length > 0) {
    lines.push(`${reopened.length} keys and accounts that were closed since the backup are open again:`);
    lines.push(...reopened.map(named));
    lines.push("Revoke them again, or restore once more with --keep-revocations-from and the replaced file.");
  }
  if (from === undefined && (reopened === null || reopened.length === 0)) {
    lines.push(
      "Charges, revocations and rotations after the backup are lost; revoke keys and accounts again if needed.",
    );
  } else lines.push("Charges after the backup are lost.");
  return lines;
}

const reopenedAs: Readonly<Record<Reopened["kind"], string>> = {
  revoked: "a revoked key",
  rotated: "a rotated key; its old secret works again",
  disabled: "a disabled account",
};

/** Replaces the file by a verified copy without free pages. The disk must have room for both. */
export function compact(call: Call): Promise<void> {
  return stopped(call, (path) => {
    refuseUnlessValid(path);
    const before = statSync(path).size;
    restoreDatabase(path, path, true, { keep: false });
    call.out.line(`${path} rewritten: ${statSync(path).size} bytes, ${before} before`);
  });
}

/** Runs `work` while neither a server nor an import uses the file. */
async function stopped(call: Call, work: (path: string) => void | Promise<void>): Promise<void> {
  makeOwnFolder(call.config.db);
  const path = databasePath(call.config.db);
  const locks = [holdLock(path, "serve"), holdLock(path, "import")];
  try {
    if (existsSync(path)) refuseOpenElsewhere(path);
    await work(path);
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Runs `db check`: reads the whole file and prints the result. While a server uses the file, it reads in pieces. */
export async function check(call: Call): Promise<number> {
  const path = await ownFile(call);
  // A single long read of a file in use would keep its log from being emptied.
  const options = { hours: call.has("hours") };
  const { facts, faults } = isServed(path)
    ? checkDatabaseInChunks(path, () => undefined, options)
    : checkDatabase(path, options);
  for (const fact of facts) call.out.line(`ok    ${fact}`);
  for (const fault of faults) call.out.line(`FAULT ${fault}`);
  return faults.length === 0 ? exitCodes.ok : exitCodes.badData;
}

function isServed(path: string): boolean {
  if (isOnReadOnlyDisk(path)) return false;
  try {
    for (const kind of ["serve", "mirror"] as const) holdLock(path, kind).release();
    return false;
  } catch (error) {
    if (error instanceof StoreRefusal && error.kind === "in_use") return true;
    throw error;
  }
}

/** Runs `db backup`: copies the file, verifies the copy, and removes older copies by `--keep`. */
export async function backup(call: Call): Promise<void> {
  const path = await ownFile(call);
  const to = call.operands[0]!;
  const folder = statSync(to, { throwIfNoEntry: false })?.isDirectory() === true ? to : null;
  const kept = backupsOf(call.flag("keep"), folder);
  const name = backupName(systemClock.now());
  const target = folder === null ? to : join(folder, name);
  const bytes = await backupDatabase(path, target);
  call.out.line(`${target} written and verified, ${bytes} bytes`);
  if (folder !== null && kept !== null)
    for (const older of removeOlderBackups(folder, kept, name)) call.out.line(`${join(folder, older)} removed`);
}

function backupsOf(kept: string | undefined, folder: string | null): number | null {
  if (kept === undefined) return null;
  if (folder === null) throw usageError("--keep: TO must be an existing folder");
  if (/^[1-9]\d{0,4}$/.test(kept)) return Number(kept);
  throw usageError(`--keep: must be a whole number from 1, not \`${displayText(kept)}\``);
}

/** Runs `db demo --reset`: recreates the demo file. */
export async function demo(call: Call): Promise<void> {
  if (!call.has("reset"))
    throw usageError("`npx itemtape start` makes the demo world; `npx itemtape db demo --reset` makes it again");
  const { createDemoFile } = await import("../../demo/demo.ts");
  const { printDemo, shownDemo } = await import("../print-demo.ts");
  return stopped(onDemoFile(call), async (path) => {
    const progress = barOnTerminal(process.stderr, systemClock);
    const make = (at: string) => createDemoFile(at, systemClock.now(), { progress });
    const keys = shownDemo(path, (await refusedUnlessDemo(path)) ? replaceFile(path, make) : make(path));
    printDemo(call.out, keys, { base: localAddress(call.config), publicBase: publicAddress(call.config) });
  });
}

/** Replaces the file. The old one stays until the new one is complete. */
function replaceFile<T>(path: string, make: (path: string) => T): T {
  const draft = draftPath(path, "new", "demo");
  removeFile(draft);
  try {
    const made = make(draft);
    restoreDatabase(draft, path, true, { keep: false });
    return made;
  } finally {
    removeFile(draft);
  }
}

/**
 * Returns whether a file exists.
 * @throws {OperatorError} when the file has real data, which is never discarded.
 */
async function refusedUnlessDemo(path: string): Promise<boolean> {
  try {
    refuseUnlessValid(path, { olderToo: true });
  } catch (error) {
    if ((error as { kind?: string }).kind === "missing") return false;
    throw error;
  }
  if (!(await isDemoFile(path)))
    throw new OperatorError(`${path}: not the demo world, or data was imported into it; name another file with --db`);
  return true;
}

/** Runs `db clock`: prints the machine's clock and the ledger's. With `--accept` the ledger continues from the machine's. */
export async function clock(call: Call): Promise<void> {
  const now = systemClock.now();
  const { seenAt, leasesEnded } = await withDatabase(call, (database) => ({
    seenAt: new LedgerStore(database).highWater(),
    leasesEnded: call.has("accept") ? acceptClock(database, now).leasesEnded : 0,
  }));
  call.out.line(`machine  ${toTimestamp(now)}`);
  call.out.line(`ledger   ${seenAt === 0 ? "nothing written yet" : toTimestamp(seenAt)}`);
  if (seenAt > now)
    call.out.line(
      call.has("accept")
        ? `accepted: the ledger continues from the machine's clock; ${leasesEnded} export leases of that later time have ended`
        : "the machine's clock is behind; --accept accepts it if it is right",
    );
}
