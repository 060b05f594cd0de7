/** SQLite's code and message of a storage failure. */
export type StorageFailureFacts = { code: string; message: string };

const failureCodes = /^SQLITE_(IOERR|CORRUPT|NOTADB)/;

/**
 * Returns the storage failure in `error`: a failed read or write, or damaged data. Returns null for other errors, including a busy file and
 * a full disk. Checks names instead of classes, because an error from another thread has lost its class.
 */
export function storageFailure(error: unknown): StorageFailureFacts | null {
  const { name, code, message, cause } = (error ?? {}) as Partial<Error & { code: unknown }>;
  if (name === "SqliteError" && typeof code === "string" && failureCodes.test(code)) {
    return { code, message: message ?? "" };
  }
  return cause === undefined ? null : storageFailure(cause);
}
