// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version with checksums of rows, and its checksum. */
export const databaseSchema = {
  version: 48,
  checksummedFrom: 15,
  sha256: "f42e8a4a9ab6629d18ec7996a145ee1407cb61d0463fd26ee7ad1c6a55e6d510",
} as const;
