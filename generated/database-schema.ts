// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 30,
  checksummedFrom: 15,
  sha256: "a3fa53390932314c55efa2b613796104b5ec246d8a942aa7f011c3347184ef43",
} as const;
