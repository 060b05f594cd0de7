// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 35,
  checksummedFrom: 15,
  sha256: "4ff55bfde5d0bba1c1a951585766889e82ea9ddd9b972f2e62e050582f8ff41a",
} as const;
