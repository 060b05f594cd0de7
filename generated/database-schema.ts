// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version with checksums of rows, and its checksum. */
export const databaseSchema = {
  version: 46,
  checksummedFrom: 15,
  sha256: "ca6590d4d3a527c21e006bf4b10e1154cc507de97139905909644fababe6670b",
} as const;
