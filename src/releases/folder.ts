import {
  chmodSync,
  closeSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
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

/** File name of the newest manifest. */
export const latestName = "latest.ndjson";
const manifestDigits = 10;
/** All users may read a release folder. */
const sharedMode = 0o644;
const sync = promisify(fsync);
/** Number of concurrent folder syncs. It equals Node's default number of file threads. */
const syncsAtOnce = 4;

/** Returns the file name of the manifest of release `number`. */
export function manifestName(number: number): string {
  return `manifests/${String(number).padStart(manifestDigits, "0")}.ndjson`;
}

/** Returns the file name of the chunk with this SHA-256. Web servers do not treat its extension as a compression to undo. */
export function chunkName(sha256: string): string {
  return `chunks/${sha256.slice(0, 2)}/${sha256}.chunk`;
}

/** A release folder, as seen by its publisher. All users may read it. */
export class ReleaseFolder {
  readonly path: string;

  /**
   * Creates the folder if it is missing.
   * @throws {OperatorError} when the folder cannot be created.
   */
  constructor(path: string) {
    this.path = path;
    try {
      for (const folder of ["", "chunks", "manifests"]) {
        const made = mkdirSync(join(path, folder), { recursive: true });
        if (made !== undefined) chmodSync(join(path, folder), 0o755);
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOSPC" || code === "EDQUOT") throw error;
      throw new OperatorError(`${path}: the folder cannot be created (${code}); name another`, exitCodes.cannotCreate);
    }
  }

  /** Returns the release numbers of the manifests, ascending. */
  numbers(): number[] {
    const names = readdirSync(join(this.path, "manifests"));
    return names
      .filter((name) => /^\d{10}\.ndjson$/.test(name))
      .map((name) => Number(name.slice(0, manifestDigits)))
      .sort((one, other) => one - other);
  }

  /** Returns the text of a file. Null if it is missing. */
  text(name: string): string | null {
    return this.content(name)?.toString() ?? null;
  }

  /** Returns the bytes of a file. Null if it is missing. */
  content(name: string): Buffer | null {
    try {
      return readFileSync(join(this.path, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
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

  /** Creates a file atomically. Returns false, and keeps the existing file, if the name is in use. */
  add(name: string, content: string): boolean {
    const path = join(this.path, name);
    const draft = draftPath(path, "part");
    try {
      makeFolderOf(path);
      writeWhole(draft, content, sharedMode);
      linkSync(draft, path);
      return true;
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code === "EEXIST" && syscall === "link") return false;
      throw error;
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

  /** Removes all chunks outside `kept`, and drafts that killed publishers left behind. */
  removeOtherChunks(kept: ReadonlySet<string>): void {
    for (const name of [latestName, manifestName(1)]) removeAbandonedDrafts(join(this.path, name));
    for (const folder of readdirSync(join(this.path, "chunks"))) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      for (const name of readdirSync(join(this.path, "chunks", folder))) {
        const path = `chunks/${folder}/${name}`;
        if (!kept.has(path)) this.remove(path);
      }
    }
  }
}

function makeFolderOf(path: string): void {
  const folder = mkdirSync(dirname(path), { recursive: true });
  if (folder !== undefined) chmodSync(dirname(path), 0o755);
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
