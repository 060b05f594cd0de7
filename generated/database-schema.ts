// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version with checksums of rows, and its checksum. */
export const databaseSchema = {
  version: 49,
  checksummedFrom: 15,
  sha256: "ac6e7a52a9cd8ba41cccfecee272accbc5583b57cb3003b3cff04f9b43cfdd84",
} as const;
