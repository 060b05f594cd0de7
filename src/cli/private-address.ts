import { readFileSync, statSync } from "node:fs";
import { type Config, databaseAddress } from "../config/config.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { usageError } from "./command.ts";

/**
 * Returns the address of the PostgreSQL database, null if all data are in the file.
 * @throws {OperatorError} when both settings are set, or the file with the address is unreadable, readable by others or empty.
 */
export function privateAddress({
  privateDb,
  privateDbFile,
}: Pick<Config, "privateDb" | "privateDbFile">): string | null {
  if (privateDbFile === "") return privateDb === "" ? null : privateDb;
  if (privateDb !== "") throw usageError("--private-db and --private-db-file: give one of them");
  let text: string;
  try {
    if ((statSync(privateDbFile).mode & 0o077) !== 0)
      throw new OperatorError(`${privateDbFile}: other users may read it; run \`chmod 600\` on it`, exitCodes.denied);
    text = readFileSync(privateDbFile, "utf8").trim();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${privateDbFile}: cannot be read (${(error as NodeJS.ErrnoException).code})`,
      exitCodes.noInput,
    );
  }
  try {
    if (text === "") throw new Error("an address, but the file is empty");
    return databaseAddress(text);
  } catch (error) {
    throw new OperatorError(`${privateDbFile}: must be ${(error as Error).message}`);
  }
}

/**
 * Returns the address of the PostgreSQL database.
 * @throws {OperatorError} also when it is not set.
 */
export function requiredAddress(config: Parameters<typeof privateAddress>[0]): string {
  const address = privateAddress(config);
  if (address !== null) return address;
  throw usageError("no private database is named; use --private-db, --private-db-file or ITEMTAPE_PRIVATE_DB");
}
