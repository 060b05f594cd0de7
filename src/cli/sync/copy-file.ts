import type { Market } from "../../client/index.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";

/** A whole state of the market with its digests, as a file holds it. `baseUrl` null: the file is of a time before it kept the address. */
export type HeldMarket = Pick<Market, "generation" | "digest" | "identityDigest" | "items"> & {
  readonly baseUrl: string | null;
};

/** A file that holds one whole state of the market at any time. */
export abstract class CopyFile {
  protected readonly path: string;
  /** Whether another file, or a damaged one, in its place may be replaced. */
  protected readonly mayReplace: boolean;

  constructor(path: string, { mayReplace }: { mayReplace: boolean }) {
    this.path = path;
    this.mayReplace = mayReplace;
  }

  /**
   * Reads what the file holds; null: there is no file.
   *
   * @throws {OperatorError} when the file is none of these, or is damaged.
   */
  abstract read(): HeldMarket | null;

  /**
   * Puts `market` in the place of `held`, which the file has now; null: it holds none. Returns null, or why the file's name is not
   * surely on the disk.
   *
   * @throws {OperatorError} when the file does not hold `held` any more.
   */
  abstract write(market: Market, held: HeldMarket | null): string | null;
}

/** Exit code of a file that holds no whole state any more: that of a damaged database. */
export const damagedCode = 83;

/** Makes the error of a file that another program wrote. */
export function foreign(path: string, why: string): OperatorError {
  return new OperatorError(
    `${path}: this is no copy of the market that sync keeps (${why}); name another file, or replace it with --force`,
    exitCodes.cannotCreate,
  );
}

/** Makes the error of a file that holds no whole state. */
export function damaged(path: string, why: string): OperatorError {
  return new OperatorError(`${path}: the copy is damaged (${why}); --force replaces it with a new one`, damagedCode);
}

/** Makes the error of a file that another process has written since it was read. */
export function changedMeanwhile(path: string): OperatorError {
  return new OperatorError(
    `${path}: another process has written it meanwhile; run one sync of a file at a time`,
    exitCodes.temporary,
  );
}
