// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 39,
  checksummedFrom: 15,
  sha256: "6a98dfb6a38ba9e26081bb2ae1f099c65ae2ec6d16610f43e5d620dd3964f7bb",
} as const;
