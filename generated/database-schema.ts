// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 23,
  checksummedFrom: 15,
  sha256: "94838274dc07eb04fd61abb9df60a954a3b29a0e2a3deab1656c3222e83d397d",
} as const;
