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
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { systemIds } from "../../values/ids.ts";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";

const ids = systemIds();

/** A file beside its target that takes the target's place in one step, or goes without a trace. */
export class PartFile {
  readonly path: string;
  readonly #target: string;
  readonly #mayReplace: boolean;

  /** Makes the file. Throws `OperatorError` where the target is taken, or its folder is absent or cannot be written. */
  constructor(target: string, { mayReplace }: { mayReplace: boolean }) {
    this.#target = placeOf(target);
    this.#mayReplace = mayReplace;
    if (!mayReplace && existsSync(this.#target)) throw taken(target);
    this.path = join(dirname(this.#target), ids.handle(`.${basename(this.#target)}.part-`));
    try {
      closeSync(openSync(this.path, "wx"));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new OperatorError(`${target}: no file can be made in its folder (${code})`, exitCodes.cannotCreate);
    }
  }

  /** Bytes so far. */
  get bytes(): number {
    return statSync(this.path).size;
  }

  /** Puts what was written on the disk and gives it the target's name. */
  publish(): void {
    sync(this.path);
    if (this.#mayReplace) renameSync(this.path, this.#target);
    else this.#link();
    sync(dirname(this.#target));
  }

  /** Never throws. */
  remove(): void {
    try {
      rmSync(this.path, { force: true });
    } catch {
      // There is nothing more to be done about it.
    }
  }

  /** Unlike a rename, a link never takes the place of a file that came in the meantime. */
  #link(): void {
    try {
      linkSync(this.path, this.#target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST" || existsSync(this.#target)) throw taken(this.#target);
      // A file system without links.
      renameSync(this.path, this.#target);
    }
    this.remove();
  }
}

/** A link's target is what is replaced, not the link. Only a regular file is. */
function placeOf(target: string): string {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found === undefined) return resolve(target);
  const isLink = found.isSymbolicLink();
  if (isLink && !existsSync(target)) {
    throw new OperatorError(`${target}: a link to nothing; name another file`, exitCodes.cannotCreate);
  }
  const place = isLink ? realpathSync(target) : resolve(target);
  if (statSync(place).isFile()) return place;
  throw new OperatorError(`${target}: is no regular file; name another one`, exitCodes.cannotCreate);
}

function taken(target: string): OperatorError {
  return new OperatorError(`${target}: there is a file already; --force replaces it`, exitCodes.cannotCreate);
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
