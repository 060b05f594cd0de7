// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 19,
  checksummedFrom: 15,
  sha256: "8d156e0a8f76105f3c850c30a0e3a28446d9873253a51f86352de028ec64b23c",
} as const;
