// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version with checksums of rows, and its checksum. */
export const databaseSchema = {
  version: 50,
  checksummedFrom: 15,
  sha256: "9efd742de76417b8cb17d8d9ebf417215feb6853a387b9e2cc0fc1e11f210382",
} as const;
