import { OperatorError } from "../values/failure/operator-error.ts";
import { contentOf, replaceWhole } from "./folder.ts";

/** A downloaded release. `generation` is for example `g7`, or null if the release has no published generation. */
export type DownloadedRelease = {
  number: number;
  generation?: string | null | undefined;
  sealed_at?: string | undefined;
};

/**
 * The newest sealed release of one lineage, or the downloaded release. `next` is the SHA-256 of the release in progress, or null. `before` is the
 * release in the file before a replacement. `isBefore` is true if the file still holds that release after an interrupted replacement.
 */
type KnownRelease = DownloadedRelease & {
  sha256: string;
  next: string | null;
  before?: DownloadedRelease | undefined;
  isBefore?: boolean;
};

/** Known releases by name, such as a lineage, stored in a small file that is replaced as a whole. */
export class ReleaseState {
  readonly #path: string;
  readonly #known: Map<string, KnownRelease>;

  /**
   * Reads the file.
   * @throws {OperatorError} when the file is damaged: no release may be forgotten silently.
   */
  constructor(path: string) {
    this.#path = path;
    this.#known = readState(path);
  }

  get(name: string): KnownRelease | null {
    return this.#known.get(name) ?? null;
  }

  all(): KnownRelease[] {
    return [...this.#known.values()];
  }

  /** Stores a release durably. */
  set(name: string, known: KnownRelease): void {
    this.#known.set(name, known);
    replaceWhole(this.#path, `${JSON.stringify(Object.fromEntries(this.#known))}\n`);
  }
}

function readState(path: string): Map<string, KnownRelease> {
  const content = contentOf(path);
  if (content === null) return new Map();
  try {
    const known = new Map(Object.entries(JSON.parse(content.toString()) as Record<string, KnownRelease>));
    for (const { number, sha256 } of known.values()) {
      if (!Number.isSafeInteger(number) || typeof sha256 !== "string") throw new SyntaxError("not a release");
    }
    return known;
  } catch {
    throw new OperatorError(`${path}: the content was not written by this program; restore it from a backup`);
  }
}
