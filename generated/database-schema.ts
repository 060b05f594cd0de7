// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 26,
  checksummedFrom: 15,
  sha256: "1002a666c78b67ceb93877821a0644def0939457a4d69ba30436e1b560d9c8ee",
} as const;
