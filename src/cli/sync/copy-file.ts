import type { Market } from "../../client/index.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import type { ProviderTerms } from "../export/writer.ts";

/**
 * A complete state of the market with its digests, as stored in a file. `baseUrl` is null in files of versions that did not store the
 * address.
 */
export type StoredMarket = Pick<Market, "generation" | "digest" | "identityDigest" | "items"> & {
  readonly baseUrl: string | null;
};

/** A file that contains one complete state of the market at any time. */
export abstract class CopyFile {
  protected readonly path: string;
  /** Whether a foreign or damaged file at the path may be replaced. */
  protected readonly mayReplace: boolean;

  constructor(path: string, { mayReplace }: { mayReplace: boolean }) {
    this.path = path;
    this.mayReplace = mayReplace;
  }

  /**
   * Reads the state in the file. Returns null if the file does not exist.
   *
   * @throws {OperatorError} when the file is not such a copy, or is damaged.
   */
  abstract read(): StoredMarket | null;

  /**
   * Replaces the state `stored` in the file by `market`. Pass null as `stored` for a file without a state, and null as `terms` to leave the
   * terms. Returns null, or the reason why the file's name may not be on the disk.
   *
   * @throws {OperatorError} when the file no longer contains `stored`.
   */
  abstract write(market: Market, stored: StoredMarket | null, terms?: readonly ProviderTerms[] | null): string | null;

  /** Returns whether the file is to have terms, and has none of a provider of `market` or only terms of the day before. */
  needsTerms(_market: Market, _stored: StoredMarket | null): boolean {
    return false;
  }
}

/** Exit code of a file without a complete state, the same as for a damaged database. */
export const damagedCode = 83;

/** Builds the error for a file of another program. */
export function foreign(path: string, why: string): OperatorError {
  return new OperatorError(
    `${path}: not a copy of the market kept by sync (${why}); name another file, or replace it with --force`,
    exitCodes.cannotCreate,
  );
}

/** Builds the error for a file without a complete state. */
export function damaged(path: string, why: string): OperatorError {
  return new OperatorError(`${path}: the copy is damaged (${why}); --force replaces it with a new one`, damagedCode);
}

/** Builds the error for a file that another process has written since it was read. */
export function changedMeanwhile(path: string): OperatorError {
  return new OperatorError(
    `${path}: another process has written it meanwhile; run one sync of a file at a time`,
    exitCodes.temporary,
  );
}
