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

/** A file beside its target that takes the target's place in one step, or goes without a trace. */
export class PartFile {
  readonly path: string;
  readonly #target: string;
  readonly #mayReplace: boolean;
  /** Open from the start: after the step nothing may fail any more. */
  readonly #folder: number;
  #isOpen = true;

  /**
   * Makes the file.
   * @throws {OperatorError} when the target is taken, or its folder is absent or cannot be read and written.
   */
  constructor(target: string, { mayReplace }: { mayReplace: boolean }) {
    this.#target = placeOf(target);
    this.#mayReplace = mayReplace;
    if (!mayReplace && existsSync(this.#target))
      throw cannotCreate(target, "there is a file already; --force replaces it");
    // Without the target's name, which may be as long as a name can be.
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

  /** Bytes so far. */
  get bytes(): number {
    return statSync(this.path).size;
  }

  /**
   * Puts what was written on the disk and gives it the target's name. Where it throws, the target is as it was. Returns null, or why
   * the name itself could not be put on the disk.
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

  /** Never throws. */
  remove(): void {
    this.#unlink();
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      closeSync(this.#folder);
    } catch {
      // Nothing was written through it.
    }
  }

  /** Unlike a rename, a link never takes the place of a file that came in the meantime. */
  #link(): void {
    try {
      linkSync(this.path, this.#target);
    } catch (error) {
      if (codeOf(error) === "EEXIST" || existsSync(this.#target)) throw cannotCreate(this.#target, cameMeanwhile);
      // A file system without links.
      renameSync(this.path, this.#target);
    }
    this.#unlink();
  }

  /** Never throws. */
  #unlink(): void {
    try {
      rmSync(this.path, { force: true });
    } catch {
      // There is nothing more to be done about it.
    }
  }
}

/**
 * Returns the file to replace: the target of a link, not the link, and only a regular file.
 * @throws {OperatorError} when something else is there.
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
  if (isLink && !existsSync(target)) throw cannotCreate(target, "a link to nothing; name another file");
  const place = isLink ? realpathSync(target) : resolve(target);
  if (statSync(place).isFile()) return place;
  throw cannotCreate(target, "is no regular file; name another one");
}

const cameMeanwhile = "the file came meanwhile and stays; the export was thrown away; --force replaces it";

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
