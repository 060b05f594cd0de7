// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 18,
  checksummedFrom: 15,
  sha256: "b8c039e63912527f4d1c5955874b5a6ae04c13d335502daed2f10207c2310807",
} as const;
