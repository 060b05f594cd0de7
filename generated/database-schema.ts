// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 39,
  checksummedFrom: 15,
  sha256: "2b17567f63802c1003465a0a44f3de847894761f91e2e19d75fb3fffb94eeb52",
} as const;
