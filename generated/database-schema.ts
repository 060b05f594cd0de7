// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 28,
  checksummedFrom: 15,
  sha256: "c0388902b92975afc2c35dde0024eea93c3793eef2b7b60a97f31cfafb0f5d03",
} as const;
