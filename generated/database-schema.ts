// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version with checksums of rows, and its checksum. */
export const databaseSchema = {
  version: 47,
  checksummedFrom: 15,
  sha256: "b5b2c56f5d860fae07cdb59174a3542b03e0c3a8296661d029269b806981e351",
} as const;
