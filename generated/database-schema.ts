// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 31,
  checksummedFrom: 15,
  sha256: "33ef0fa62622fb30b86d4cc04b413123cf9c5176a8455d41070af4738958423b",
} as const;
