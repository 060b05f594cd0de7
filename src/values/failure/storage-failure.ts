/** SQLite's code and message of a storage failure. */
export type StorageFailureFacts = { code: string; message: string };

const failureCodes = /^SQLITE_(IOERR|CORRUPT|NOTADB)/;

/**
 * Returns the storage failure that `error` means: storage cannot be read or written, or what it holds is damaged. Null: `error` is
 * something else; a busy file and a full disk are no failures of storage. Asks for names, not classes: an error that comes from
 * another thread has lost its class.
 */
export function storageFailure(error: unknown): StorageFailureFacts | null {
  const { name, code, message, cause } = (error ?? {}) as Partial<Error & { code: unknown }>;
  if (name === "SqliteError" && typeof code === "string" && failureCodes.test(code)) {
    return { code, message: message ?? "" };
  }
  return cause === undefined ? null : storageFailure(cause);
}
