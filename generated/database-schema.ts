// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 24,
  checksummedFrom: 15,
  sha256: "a5f8528ca220453499ec9e1dfbc7cc3081fef87c5cb0981288d451efb60fb8a1",
} as const;
