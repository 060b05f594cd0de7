import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { windowPages } from "../store/file/market-image.ts";
import { releaseSparePath } from "../store/file/names.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { chunkIn, type Pages } from "./file-pages.ts";
import { replaceWhole } from "./folder.ts";
import { type Chunk, type Manifest, sha256Of } from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import { trustStatePath } from "./trust.ts";

/** A file that holds a release exactly, except pages that this program wrote. `own` has the release's bytes of these pages. */
export type HeldRelease = { manifest: Manifest; own: Pages };

/** Record of a held file. `changed` is its modification time in ns: a file that was written since is not trusted. */
type HeldFile = {
  changed: string;
  sha256: string;
  own: readonly (readonly [page: number, base64: string])[];
  isDamaged?: boolean;
};
/** Records by inode, because installing a release renames its file. */
type HeldFiles = Record<string, HeldFile>;

/** Bytes of a file that one step of a check reads. */
const stepBytes = 4 * 1024 * 1024;
const manifestEnd = ".release.json";

/** Returns the release that `file`, the file at `path` or its spare, is known to hold. Null if it was written by others or is missing. */
export function heldIn(path: string, file: string): HeldRelease | null {
  const { changed } = identityOf(file) ?? {};
  const record = recordOf(path, file);
  return record?.changed === changed && record?.isDamaged !== true ? heldOnce(path, file) : null;
}

/** Returns the release that this program wrote to `file`, even if others have written to it since. Null if it is unknown. */
function heldOnce(path: string, file: string): HeldRelease | null {
  const sha256 = recordOf(path, file)?.sha256 ?? "";
  const text = readOr(manifestPath(path, sha256), "");
  if (sha256Of(text) !== sha256) return null;
  return { manifest: JSON.parse(text), own: ownPagesIn(path, file) };
}

/** Returns the release's bytes of the pages that this program wrote into a file. */
export function ownPagesIn(path: string, file = path): Pages {
  const own = recordOf(path, file)?.own ?? [];
  return new Map(own.map(([page, base64]) => [page, Buffer.from(base64, "base64")]));
}

/** Records durably that the file `part` holds a release. Forgets all other files except the file at `path`. */
export function recordHeld(path: string, part: string, found: { sha256: string; text: string }, own: Pages): void {
  const { inode, changed } = identityOf(part)!;
  const { sha256, text } = found;
  const pages = [...own].map(([page, bytes]) => [page, bytes.toString("base64")] as const);
  replaceWhole(manifestPath(path, sha256), text);
  keepOnly(path, { ...recordsOf(path, path), [inode]: { changed, sha256, own: pages } });
}

/** Returns whether a check has found the file at `path` damaged. */
export function isDamaged(path: string): boolean {
  return recordOf(path, path)?.isDamaged === true;
}

function recordDamage(path: string): void {
  const damaged = Object.entries(recordsOf(path, path)).map(([inode, held]) => [inode, { ...held, isDamaged: true }]);
  keepOnly(path, { ...recordsOf(path, releaseSparePath(path)), ...Object.fromEntries(damaged) });
}

function recordOf(path: string, file: string): HeldFile | undefined {
  return Object.values(recordsOf(path, file))[0];
}

/** Returns the record of one file. Empty if it has none. */
function recordsOf(path: string, file: string): HeldFiles {
  const { inode } = identityOf(file) ?? {};
  return Object.fromEntries(Object.entries(readFiles(path)).filter(([one]) => one === inode));
}

function keepOnly(path: string, files: HeldFiles): void {
  const folder = trustStatePath(path);
  replaceWhole(heldPath(path), `${JSON.stringify(files)}\n`);
  const kept = new Set(Object.values(files).map(({ sha256 }) => sha256 + manifestEnd));
  for (const name of readdirSync(folder))
    if (name.endsWith(manifestEnd) && !kept.has(name)) rmSync(join(folder, name), { force: true });
}

/** A comparison of the file at `path` with its release, in steps. Its record must not change meanwhile. */
export class HeldCheck {
  readonly release: Manifest;
  readonly #path: string;
  readonly #inode: string;
  readonly #own: Pages;
  readonly #chunks: readonly Chunk[];

  private constructor(path: string, { manifest, own }: HeldRelease) {
    this.#path = path;
    this.#inode = identityOf(path)?.inode ?? "";
    this.release = manifest;
    this.#own = own;
    this.#chunks = manifest.chunks.toSorted((one, other) => one[2] - other[2]);
  }

  /** Returns null if the release of the file is unknown. */
  static of(path: string): HeldCheck | null {
    const held = heldOnce(path, path);
    return held === null ? null : new HeldCheck(path, held);
  }

  /**
   * Compares about 4 MiB from window `from`. Returns the window of the next step, null after the last.
   * @throws {ReleaseRefusal} `damaged` when pages differ or cannot be read. The next download writes the file again.
   * @throws {OperatorError} when another file has replaced it.
   */
  step(from: number): number | null {
    const file = openSync(this.#path, "r");
    try {
      this.#refuseReplaced();
      let bytes = 0;
      for (const chunk of this.#chunks) {
        const window = chunk[2];
        if (window < from) continue;
        if (bytes >= stepBytes) return window;
        const found = chunkIn(file, this.release, chunk, this.#own);
        if (found === null) throw this.#damage(window);
        bytes += found.length;
      }
      return null;
    } finally {
      closeSync(file);
    }
  }

  #refuseReplaced(): void {
    if (identityOf(this.#path)?.inode === this.#inode) return;
    throw new OperatorError(`${this.#path}: a newer release has replaced it; check it again`, exitCodes.temporary);
  }

  #damage(window: number): ReleaseRefusal {
    this.#refuseReplaced();
    recordDamage(this.#path);
    const pages = `pages ${window * windowPages + 1} to ${(window + 1) * windowPages}`;
    return new ReleaseRefusal("damaged", `${this.#path}: ${pages} differ from release ${this.release.number}`);
  }
}

function identityOf(file: string): { inode: string; changed: string } | null {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? null : { inode: `${stat.ino}`, changed: `${stat.mtimeNs}` };
}

function readFiles(path: string): HeldFiles {
  try {
    const files = JSON.parse(readOr(heldPath(path), "{}")) as HeldFiles;
    return Object.values(files).every(isHeldFile) ? files : {};
  } catch {
    // Without records the next release is verified wholly.
    return {};
  }
}

function isHeldFile({ changed, sha256, own }: HeldFile): boolean {
  const isPage = ([page, base64]: HeldFile["own"][number]) => Number.isSafeInteger(page) && typeof base64 === "string";
  return typeof changed === "string" && typeof sha256 === "string" && own.every(isPage);
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return otherwise;
  }
}

function heldPath(path: string): string {
  return join(trustStatePath(path), "held.json");
}

function manifestPath(path: string, sha256: string): string {
  return join(trustStatePath(path), `${sha256}${manifestEnd}`);
}
