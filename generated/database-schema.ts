// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 34,
  checksummedFrom: 15,
  sha256: "6d4a1233acf143409f7b42d36fc7a9279cc637f8b246c6ae17ad94a1cd257b8f",
} as const;
