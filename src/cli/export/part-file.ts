import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { draftPath, removeAbandonedDrafts } from "../../values/drafts.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { systemIds } from "../../values/ids.ts";

const ids = systemIds();

/** A file beside its target that either replaces the target in one step or is removed without a trace. */
export class PartFile {
  readonly path: string;
  readonly #target: string;
  readonly #mayReplace: boolean;
  /** Opened first, so that nothing can fail after the file was renamed. */
  readonly #folder: number;
  #isOpen = true;

  /**
   * Creates the file.
   * @throws {OperatorError} when the target exists, or its folder is missing or unusable.
   */
  constructor(target: string, { mayReplace }: { mayReplace: boolean }) {
    this.#target = placeOf(target);
    this.#mayReplace = mayReplace;
    if (!mayReplace && existsSync(this.#target)) throw cannotCreate(target, "the file exists; --force replaces it");
    // The name does not contain the target's, which may already have the maximum length.
    this.path = join(dirname(this.#target), draftPath("", "part", ids.handle("")));
    removeAbandonedDrafts(this.#target);
    let folder: number | null = null;
    try {
      folder = openSync(dirname(this.#target), "r");
      closeSync(openSync(this.path, "wx"));
      this.#folder = folder;
    } catch (error) {
      if (folder !== null) closeSync(folder);
      throw cannotCreate(target, `cannot create a file in its folder (${codeOf(error)})`);
    }
  }

  /** Bytes written so far. */
  get bytes(): number {
    return statSync(this.path).size;
  }

  /**
   * Syncs the file to the disk and renames it to its target. If it throws, the target is unchanged. Returns null, or the error code if the
   * folder could not be synced.
   */
  publish(): string | null {
    sync(this.path);
    if (this.#mayReplace) renameSync(this.path, this.#target);
    else this.#link();
    try {
      fsyncSync(this.#folder);
      return null;
    } catch (error) {
      return codeOf(error) ?? "unknown";
    }
  }

  /** Removes the file unless it was published. Never throws. */
  remove(): void {
    this.#unlink();
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      closeSync(this.#folder);
    } catch {
      // The folder was only read, so this error has no effect.
    }
  }

  /** Uses a link, which unlike a rename never replaces a file that was created meanwhile. */
  #link(): void {
    try {
      linkSync(this.path, this.#target);
    } catch (error) {
      if (codeOf(error) === "EEXIST" || existsSync(this.#target)) throw cannotCreate(this.#target, cameMeanwhile);
      // The file system does not support links.
      renameSync(this.path, this.#target);
    }
    this.#unlink();
  }

  /** Never throws. */
  #unlink(): void {
    try {
      rmSync(this.path, { force: true });
    } catch {
      // A remaining file has no further remedy.
    }
  }
}

/**
 * Returns the path to replace: the target of a link instead of the link.
 * @throws {OperatorError} when the path exists and is not a regular file.
 */
export function placeOf(target: string): string {
  let found: Stats | undefined;
  try {
    found = lstatSync(target, { throwIfNoEntry: false });
  } catch (error) {
    throw cannotCreate(target, `cannot create a file there (${codeOf(error)})`);
  }
  if (found === undefined) return resolve(target);
  const isLink = found.isSymbolicLink();
  if (isLink && !existsSync(target)) throw cannotCreate(target, "the link has no target; name another file");
  const place = isLink ? realpathSync(target) : resolve(target);
  if (statSync(place).isFile()) return place;
  throw cannotCreate(target, "not a regular file; name another one");
}

const cameMeanwhile = "another process created the file, so the export was discarded; --force replaces the file";

function cannotCreate(target: string, why: string): OperatorError {
  return new OperatorError(`${target}: ${why}`, exitCodes.cannotCreate);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
