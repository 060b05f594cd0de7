// The files of a build before they are published, apart from tables and days, which add to it.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { sha256Of } from "../../releases/manifest.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { makeFolders } from "../../values/folders.ts";
import type { DatasetFile } from "./index-file.ts";

/** Folder of new files in the folder of a dataset. Its name is the same for each build, so that the next one removes a killed build's files. */
const draftName = ".build";

/** Parts of a build. `since` is the first day (since 1970), `left` the providers to leave out, `before` all files of the last index by path. */
export type BuildParts = {
  folder: string;
  draft: DatasetDraft;
  since: number;
  left: ReadonlySet<string>;
  before: ReadonlyMap<string, DatasetFile>;
  /** Returns whether every provider of a file may be in the dataset. */
  isAllowed: (file: DatasetFile) => boolean;
  /** Returns whether a file lacks no provider that is in the dataset now. */
  isWhole: (file: DatasetFile) => boolean;
  note: (text: string) => void;
};

/**
 * New files of a build. All are whole on the disk before the first replaces a file of the dataset: after a full disk or an error the dataset
 * has no change.
 */
export class DatasetDraft {
  readonly #folder: string;
  readonly #draft: string;
  readonly #names: string[] = [];
  readonly #moves: (readonly [from: string, to: string])[] = [];

  constructor(folder: string) {
    this.#folder = resolve(folder);
    this.#draft = join(this.#folder, draftName);
    this.remove();
  }

  /**
   * Creates an empty file that every user may read, as a web server does. Returns its path. `publish` moves it to `name`.
   * @throws {OperatorError} when a folder has the name.
   */
  add(name: string): string {
    const target = join(this.#folder, name);
    if (statSync(target, { throwIfNoEntry: false })?.isFile() === false)
      throw new OperatorError(`${target}: not a regular file; name another folder`, exitCodes.cannotCreate);
    const path = join(this.#draft, name);
    makeFolder(dirname(path));
    closeSync(openSync(path, "wx"));
    chmodSync(path, 0o644);
    this.#names.push(name);
    return path;
  }

  /** Gives up a file of `add`. */
  drop(name: string): void {
    this.#names.splice(this.#names.indexOf(name), 1);
    rmSync(join(this.#draft, name));
  }

  /** Moves a file of the dataset when the others are published. */
  move(from: string, to: string): void {
    if (existsSync(join(this.#folder, from))) this.#moves.push([from, to]);
  }

  /** Puts all files in their places, in the order of `add`. A file with the same bytes is not replaced. */
  publish(): void {
    for (const name of this.#names) sync(join(this.#draft, name));
    const folders = new Set<string>();
    const put = (from: string, name: string) => {
      const to = join(this.#folder, name);
      makeFolder(dirname(to));
      renameSync(from, to);
      folders.add(dirname(to));
    };
    for (const [from, to] of this.#moves) put(join(this.#folder, from), to);
    const index = this.#names.at(-1);
    for (const name of this.#names) {
      if (name === index) for (const folder of folders) sync(folder);
      const made = join(this.#draft, name);
      const old = digestOf(join(this.#folder, name));
      if (old === null || old !== digestOf(made)) put(made, name);
    }
    sync(this.#folder);
  }

  /** Removes the files that are not published. */
  remove(): void {
    rmSync(this.#draft, { recursive: true, force: true });
  }
}

/**
 * Creates a folder that every user may read, with its parents.
 * @throws {OperatorError} when it cannot be created.
 */
export function makeFolder(path: string): void {
  try {
    const first = makeFolders(path);
    if (first === undefined) return;
    for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o755);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw error;
    const why = code === "EEXIST" || code === "ENOTDIR" ? "a file is in the way" : code;
    throw new OperatorError(`${path}: the folder cannot be created (${why}); name another`, exitCodes.cannotCreate);
  }
}

/** Returns whether the folder has a file, judged by its size. */
export function isThere(folder: string, { path, bytes }: DatasetFile): boolean {
  return statSync(join(folder, path), { throwIfNoEntry: false })?.size === bytes;
}

function digestOf(path: string): string | null {
  return existsSync(path) ? sha256Of(readFileSync(path)) : null;
}

/** Writes a file, or the names of a folder, to the disk. */
function sync(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
