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

/** The newest manifest's name in a folder of releases. */
export const latestName = "latest.ndjson";
const manifestDigits = 10;
/** Everybody may read what is in a folder of releases. */
const sharedMode = 0o644;
const sync = promisify(fsync);
/** Folders that are brought to the disk at the same time: as many as Node has threads for files. */
const syncsAtOnce = 4;

/** Returns the name of the manifest of the release `number`. */
export function manifestName(number: number): string {
  return `manifests/${String(number).padStart(manifestDigits, "0")}.ndjson`;
}

/** Returns the name of the chunk whose bytes have this SHA-256. No web server takes its ending for a compression that it may undo. */
export function chunkName(sha256: string): string {
  return `chunks/${sha256.slice(0, 2)}/${sha256}.chunk`;
}

/** A folder of releases, as its publisher writes it. Everybody may read what is in it. */
export class ReleaseFolder {
  readonly path: string;

  /**
   * Makes the folder where it is missing.
   * @throws {OperatorError} when it cannot be made.
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
      throw new OperatorError(`${path}: no folder can be made here (${code}); name another`, exitCodes.cannotCreate);
    }
  }

  /** Returns the numbers of the manifests, ascending. */
  numbers(): number[] {
    const names = readdirSync(join(this.path, "manifests"));
    return names
      .filter((name) => /^\d{10}\.ndjson$/.test(name))
      .map((name) => Number(name.slice(0, manifestDigits)))
      .sort((one, other) => one - other);
  }

  /** Returns the text of a file; null: it is not there. */
  text(name: string): string | null {
    return this.content(name)?.toString() ?? null;
  }

  /** Returns the bytes of a file; null: it is not there. */
  content(name: string): Buffer | null {
    try {
      return readFileSync(join(this.path, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  /** Returns the bytes of a file, -1: it is not there. */
  bytesOf(name: string): number {
    return statSync(join(this.path, name), { throwIfNoEntry: false })?.size ?? -1;
  }

  /**
   * Writes a file that is there whole or not at all, in place of one that was there. Others go on while the file is brought to the disk,
   * which several files together cost little more than one.
   */
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

  /** Writes a file that is there whole or not at all. Returns false where there was one already, which stays. */
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

  /** Brings the names in these folders to the disk, beside other work. */
  async sync(folders: Iterable<string>): Promise<void> {
    await atOnce(syncsAtOnce, folders, (folder) => syncFolderBeside(join(this.path, folder)));
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { force: true });
  }

  /** Removes whatever lies among the chunks and is none of `kept`, and what killed publishers have left elsewhere. */
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

/** Writes a file and brings it to the disk. */
export function writeWhole(path: string, content: Buffer | string, mode: number): void {
  const file = openWhole(path, content, mode);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes a file, which is open then. */
function openWhole(path: string, content: Buffer | string, mode: number): number {
  const bytes = Buffer.from(content);
  rmSync(path, { force: true });
  const file = openSync(path, "wx", mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    // Whatever the mask of the process takes away.
    chmodSync(path, mode);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Brings the names in a folder to the disk, where the system can. */
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

/** A system that cannot sync a folder is no failure; a disk that does not take it is one. */
function throwIfLost(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EIO" || code === "ENOSPC") throw error;
}
