import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type DraftKind, draftPath } from "../../values/drafts.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { checkDatabase } from "../check/check.ts";
import { openReader, openWriter, writeTransaction } from "../database.ts";
import { maintainRowChecksums } from "../write/checksummed-rows.ts";
import { openBare } from "./bare.ts";
import { refuseUnlessValid, removeFile, removeLogs } from "./file.ts";
import { linkOldFile, nameReplacedFile, removeAbandonedFiles, unlinkOldFile } from "./names.ts";
import { isFull, isNameInUse, refuseUnlessRegularFile, StoreRefusal } from "./refusal.ts";
import { applyRevocations, lostRevocations, type Reopened } from "./revocations.ts";

const allPages = 0x7fffffff;
const checkpointBusyMs = 1000;

/**
 * Copies the database at `path` to the new file `to`, even while a server or an import writes to it. The copy gets its name only after it
 * was verified. Returns its size in bytes.
 * @throws {OperatorError} when `to` exists, or no file can be created in its folder.
 * @throws {StoreRefusal} when the database is damaged or cannot be used.
 */
export async function backupDatabase(path: string, to: string): Promise<number> {
  const target = resolve(to);
  refuseNameInUse(target);
  const draft = newDraft(target, "part");
  try {
    const source = openReader(path);
    try {
      // All pages in one step: a copy in several steps restarts when a charge is written between them.
      await source.$client.backup(draft, { progress: () => allPages });
    } finally {
      source.$client.close();
    }
    makeSingleFile(draft);
    refuseFaulty(draft, path);
    syncPath(draft);
    nameNewFile(draft, target);
    return statSync(target).size;
  } catch (error) {
    throw StoreRefusal.from(target, error);
  } finally {
    removeFile(draft);
  }
}

/** Returns the file name of a backup made at `at` (UTC ms). Names sort by time. */
export function backupName(at: number): string {
  return `itemtape-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, "")}.db`;
}

/**
 * Removes older backups named by `backupName` from `folder` until `kept` are left. Always keeps `made`, even if a wrong clock gave others
 * later names. Returns the removed names, oldest first.
 */
export function removeOlderBackups(folder: string, kept: number, made: string): string[] {
  const names = readdirSync(folder).filter((name) => /^itemtape-\d{8}T\d{6}Z\.db$/.test(name) && name !== made);
  const older = names.sort().slice(0, Math.max(0, names.length - (kept - 1)));
  for (const name of older) rmSync(join(folder, name));
  return older;
}

type RestoreOptions = { keep?: boolean; signOutAt?: number | null; keepRevocationsFrom?: string | null };

/**
 * `kept` is the name of the replaced file, or null without one. `reapplied` lists the keys and accounts that were revoked or disabled
 * again, as in `keepRevocationsFrom`. `reopened` lists keys and accounts that only the replaced file had revoked or disabled. It is null if
 * that file cannot be read.
 */
export type Restored = { kept: string | null; reapplied: Reopened[]; reopened: Reopened[] | null };

/**
 * Replaces `path` with a verified copy of the backup `from`. The caller holds the locks of `path`. An existing file is replaced only with
 * `force`, and remains beside it unless `keep` is false. At any instant `path` is either the old or the new file.
 *
 * With `signOutAt` (UTC ms) all sessions and links of the restored file end, because a backup lacks later sign-outs and used links. Keys
 * and accounts that are revoked, rotated or disabled in `keepRevocationsFrom` become so in the restored file.
 * @throws {OperatorError} when a file is at `path` and `force` is false, or no file can be created beside it.
 * @throws {StoreRefusal} when the backup is not a whole database of this release, or `path` is not a regular file.
 */
export function restoreDatabase(
  from: string,
  path: string,
  force: boolean,
  { keep = true, signOutAt = null, keepRevocationsFrom = null }: RestoreOptions = {},
): Restored {
  // A rename would also replace a pipe or a device.
  refuseUnlessRegularFile(path);
  if (isNameInUse(path) && !force) {
    throw new OperatorError(
      `${path}: the file exists; --force replaces it with the backup and keeps the old file`,
      exitCodes.cannotCreate,
    );
  }
  refuseUnlessValid(from);
  const draft = newDraft(path, "new");
  try {
    copyWhole(from, draft);
    refuseFaulty(draft, from);
    if (signOutAt !== null) signOut(draft, signOutAt);
    const reapplied = keepRevocationsFrom === null ? [] : shutAsIn(draft, keepRevocationsFrom);
    const reopened = existsSync(path) ? reopenedSince(draft, path) : [];
    syncPath(draft);
    const kept = replace(path, draft, keep);
    syncPath(dirname(path));
    return { kept, reapplied, reopened };
  } catch (error) {
    throw StoreRefusal.from(path, error);
  } finally {
    removeFile(draft);
  }
}

/** Applies the revocations, rotations and disabled accounts of `from` to `draft`. Returns the affected keys and accounts. */
function shutAsIn(draft: string, from: string): Reopened[] {
  refuseUnlessValid(from);
  const newer = openReader(from);
  const database = openWriter(draft, 0);
  try {
    const open = lostRevocations(database.$client, newer.$client);
    writeTransaction(database, () => applyRevocations(database, newer.$client, open));
    return open;
  } finally {
    database.$client.close();
    newer.$client.close();
    makeSingleFile(draft);
  }
}

/**
 * Returns the keys and accounts that the file at `path` has revoked or disabled and `draft` has not. Returns null if that file cannot be
 * read.
 */
function reopenedSince(draft: string, path: string): Reopened[] | null {
  const older = openReader(draft);
  try {
    const newer = openReader(path);
    try {
      return lostRevocations(older.$client, newer.$client);
    } finally {
      newer.$client.close();
    }
  } catch {
    return null;
  } finally {
    older.$client.close();
  }
}

/** Renames `draft` to `path`. Returns the new name of the replaced file. Returns null if it was not kept or did not exist. */
function replace(path: string, draft: string, keep: boolean): string | null {
  if (!existsSync(path)) {
    removeLogs(path);
    renameSync(draft, path);
    return null;
  }
  const isWhole = playLog(path);
  const place = keep ? linkOldFile(path, isWhole) : null;
  try {
    removeLogs(path);
    renameSync(draft, path);
  } catch (error) {
    if (place !== null) unlinkOldFile(place, path);
    throw error;
  }
  return place === null ? null : nameReplacedFile(place, path);
}

function refuseNameInUse(target: string): void {
  if (isNameInUse(target)) {
    throw new OperatorError(`${target}: the file exists; name another`, exitCodes.cannotCreate);
  }
}

/** Creates an empty draft beside `target` with access for its owner only. First removes the drafts of killed commands. */
function newDraft(target: string, kind: DraftKind): string {
  removeAbandonedFiles(target);
  const draft = draftPath(target, kind);
  removeFile(draft);
  try {
    closeSync(openSync(draft, "wx", 0o600));
  } catch (error) {
    if (isFull(error, target)) throw StoreRefusal.from(target, error);
    throw new OperatorError(
      `cannot create a file in ${dirname(target)} (${(error as NodeJS.ErrnoException).code}); name another folder`,
      exitCodes.cannotCreate,
    );
  }
  return draft;
}

/** Leaves WAL mode, because a copy must not need a log beside it. */
function makeSingleFile(path: string): void {
  const client = openBare(path, { fileMustExist: true });
  try {
    client.pragma("journal_mode = DELETE");
  } finally {
    client.close();
  }
}

/** Copies `from` including the content of its log, because it may be a plain copy of a file in use. */
function copyWhole(from: string, draft: string): void {
  const source = openReader(from);
  try {
    source.$client.pragma("query_only = OFF");
    source.$client.prepare("VACUUM INTO ?").run(draft);
  } catch (error) {
    // A full disk at the copy is not a fault of the backup.
    throw isFull(error, draft) ? error : StoreRefusal.from(from, error);
  } finally {
    source.$client.close();
  }
}

/** Ends all sessions and links. Not built by Drizzle, because a restored file may have an earlier schema. */
function signOut(path: string, at: number): void {
  const client = openBare(path, { fileMustExist: true });
  try {
    maintainRowChecksums(client);
    const end = () => {
      client.prepare("UPDATE owner_sessions SET ended_at = ? WHERE ended_at IS NULL").run(at);
      // Uses the link's creation time instead of `at`, so that a clock set back cannot reopen a link.
      client.prepare("UPDATE owner_invites SET expires_at = min(expires_at, created_at) WHERE used_at IS NULL").run();
    };
    client.transaction(end).immediate();
  } finally {
    client.close();
  }
}

/** Verifies `copy`. A fault is reported for `original`. */
function refuseFaulty(copy: string, original: string): void {
  refuseUnlessValid(copy);
  const [fault] = checkDatabase(copy).faults;
  if (fault !== undefined) throw new StoreRefusal("corrupt", original, fault);
}

/** Gives the draft its name. Unlike a rename, a link never replaces a file that was created meanwhile. */
function nameNewFile(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (error) {
    refuseNameInUse(target);
    throw error;
  }
  syncPath(dirname(target));
}

/** Checkpoints the write-ahead log. Returns whether the file itself now contains all committed data. */
function playLog(path: string): boolean {
  try {
    const { $client: client } = openWriter(path, checkpointBusyMs, { keeps: "none" });
    try {
      const [result] = client.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
      return result?.busy === 0;
    } finally {
      client.close();
    }
  } catch {
    return false;
  }
}

function syncPath(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some systems cannot sync a folder.
    if (!statSync(path).isDirectory()) throw error;
  } finally {
    closeSync(handle);
  }
}
