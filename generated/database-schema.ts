// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 25,
  checksummedFrom: 15,
  sha256: "1682035fa44a1b6d182aec7160b1a728295139576e11fa1aeef62fb6469ec630",
} as const;
