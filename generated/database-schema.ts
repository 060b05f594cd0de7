// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 42,
  checksummedFrom: 15,
  sha256: "170e5b90f4ccdc19225e2c3b256eda53b2b6bebb6ff9e946c65b4ac733e6c7f0",
} as const;
