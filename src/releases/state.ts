import { readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { draftPath } from "../values/drafts.ts";
import { OperatorError } from "../values/failure/operator-error.ts";
import { syncFolder, writeWhole } from "./folder.ts";

/** A release that was taken into a file. `generation`: such as g7, null: nothing is published in it. */
export type TakenRelease = { number: number; generation?: string | null | undefined; sealed_at?: string | undefined };

/**
 * The newest release that was sealed or taken, of one lineage. `next`: SHA-256 of the one that was about to be, null: of none.
 * `before`: what the file was of when one was about to be taken. `isBefore`: it is of that still, whatever lies beside it.
 */
export type KnownRelease = TakenRelease & {
  sha256: string;
  next: string | null;
  before?: TakenRelease | undefined;
  isBefore?: boolean;
};

/** Known releases by lineage, in a small file that is replaced as a whole. */
export class ReleaseState {
  readonly #path: string;
  readonly #known: Map<string, KnownRelease>;

  /** @throws {OperatorError} when the file is there and not as this class writes it: nothing may be forgotten silently. */
  constructor(path: string) {
    this.#path = path;
    this.#known = readState(path);
  }

  get(lineage: string): KnownRelease | null {
    return this.#known.get(lineage) ?? null;
  }

  lineages(): string[] {
    return [...this.#known.keys()];
  }

  /** Remembers a release durably. */
  set(lineage: string, known: KnownRelease): void {
    this.#known.set(lineage, known);
    const draft = draftPath(this.#path, "part");
    try {
      writeWhole(draft, `${JSON.stringify(Object.fromEntries(this.#known))}\n`, 0o600);
      renameSync(draft, this.#path);
      syncFolder(dirname(this.#path));
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

function readState(path: string): Map<string, KnownRelease> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
    throw error;
  }
  try {
    const known = new Map(Object.entries(JSON.parse(text) as Record<string, KnownRelease>));
    for (const { number, sha256 } of known.values()) {
      if (!Number.isSafeInteger(number) || typeof sha256 !== "string") throw new SyntaxError("not a release");
    }
    return known;
  } catch {
    throw new OperatorError(`${path}: this is not what the program has written there; put it back from a backup`);
  }
}
