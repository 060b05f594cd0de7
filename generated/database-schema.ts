// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 20,
  checksummedFrom: 15,
  sha256: "bfca37307d187fec012e7f7b0c8f8319ec82df6fd403da9a61be9363432cd7fc",
} as const;
