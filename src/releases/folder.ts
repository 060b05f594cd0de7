import {
  chmodSync,
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { atOnce } from "../values/at-once.ts";
import { draftPath, removeAbandonedDrafts } from "../values/drafts.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { makeFolders } from "../values/folders.ts";

/** File that a publisher replaces last. It names the newest release by way of snapshot and targets. */
export const timestampName = "metadata/timestamp.json";
/** Target path of the index of a dataset, which is optional. */
export const datasetTarget = "dataset/index.json";
/** All users may read a release folder. */
const sharedMode = 0o644;
const sync = promisify(fsync);
/** Number of concurrent folder syncs. It equals Node's default number of file threads. */
const syncsAtOnce = 4;

/** Returns the file name of the manifest with this SHA-256. */
export function manifestName(sha256: string): string {
  return `manifests/${sha256}.release.json`;
}

/** Returns the file name of the chunk with this SHA-256. Web servers do not treat its extension as a compression to undo. */
export function chunkName(sha256: string): string {
  return `chunks/${sha256.slice(0, 2)}/${sha256}.chunk`;
}

/** A release folder, as seen by its publisher. All users may read it. */
export class ReleaseFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Creates the folder if it is missing.
   * @throws {OperatorError} when the folder cannot be created.
   */
  create(): void {
    try {
      for (const folder of ["", "chunks", "manifests", "metadata"]) {
        const made = makeFolders(join(this.path, folder));
        if (made !== undefined) chmodSync(join(this.path, folder), 0o755);
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOSPC" || code === "EDQUOT") throw error;
      throw new OperatorError(
        `${this.path}: the folder cannot be created (${code}); name another`,
        exitCodes.cannotCreate,
      );
    }
  }

  /** Returns the names of the files in a folder. Empty if the folder is missing. */
  names(folder: string): string[] {
    const path = join(this.path, folder);
    return existsSync(path) ? readdirSync(path) : [];
  }

  /** Returns the bytes of a file. Null if it is missing. */
  content(name: string): Buffer | null {
    return contentOf(join(this.path, name));
  }

  /** Returns the size of a file in bytes, or -1 if it is missing. */
  bytesOf(name: string): number {
    return statSync(join(this.path, name), { throwIfNoEntry: false })?.size ?? -1;
  }

  /** Writes or replaces a file atomically. Flushes it asynchronously, because several flushes together cost little more than one. */
  async put(name: string, content: Buffer | string): Promise<void> {
    const path = join(this.path, name);
    const draft = draftPath(path, "part");
    try {
      makeFolderOf(path);
      const file = openWhole(draft, content, sharedMode);
      try {
        await sync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** Flushes the directory entries of these folders to disk. */
  async sync(folders: Iterable<string>): Promise<void> {
    await atOnce(syncsAtOnce, folders, (folder) => syncFolderBeside(join(this.path, folder)));
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { force: true });
  }

  /** Removes all manifests and chunks outside `kept`, and drafts of killed publishers. Returns the number of removed manifests. */
  removeOthers(kept: ReadonlySet<string>): number {
    for (const name of [timestampName, manifestName("0")]) removeAbandonedDrafts(join(this.path, name));
    let removed = 0;
    for (const folder of ["manifests", ...this.names("chunks").map((name) => `chunks/${name}`)]) {
      if (!/^(manifests|chunks\/[0-9a-f]{2})$/.test(folder)) continue;
      for (const name of this.names(folder)) {
        if (kept.has(`${folder}/${name}`) || !/\.(chunk|json)$/.test(name)) continue;
        this.remove(`${folder}/${name}`);
        if (folder === "manifests") removed += 1;
      }
    }
    return removed;
  }
}

function makeFolderOf(path: string): void {
  const folder = makeFolders(dirname(path));
  if (folder !== undefined) chmodSync(dirname(path), 0o755);
}

/** Returns the bytes of a file. Null if it is missing. */
export function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Writes a file and flushes it to disk. */
export function writeWhole(path: string, content: Buffer | string, mode: number): void {
  const file = openWhole(path, content, mode);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Replaces a small file of this user as a whole and durably. */
export function replaceWhole(path: string, content: Buffer | string): void {
  const draft = draftPath(path, "part");
  try {
    writeWhole(draft, content, 0o600);
    renameSync(draft, path);
    syncFolder(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Writes a file and returns its open descriptor. */
function openWhole(path: string, content: Buffer | string, mode: number): number {
  const bytes = Buffer.from(content);
  rmSync(path, { force: true });
  const file = openSync(path, "wx", mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    // Overrides the umask of the process.
    chmodSync(path, mode);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Flushes the directory entries of a folder to disk, if the system supports it. */
export function syncFolder(path: string): void {
  try {
    const file = openSync(path, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throwIfLost(error);
  }
}

async function syncFolderBeside(path: string): Promise<void> {
  try {
    const file = openSync(path, "r");
    await sync(file).finally(() => closeSync(file));
  } catch (error) {
    throwIfLost(error);
  }
}

/** Ignores systems that cannot sync a folder. A disk error is thrown. */
function throwIfLost(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EIO" || code === "ENOSPC") throw error;
}
