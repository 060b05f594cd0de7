// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version with checksums of rows, and its checksum. */
export const databaseSchema = {
  version: 47,
  checksummedFrom: 15,
  sha256: "55924fb57d64ca6c8774bf17e1b202096e93eaff8a576b6c667eff4775264c31",
} as const;
