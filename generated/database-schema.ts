// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 22,
  checksummedFrom: 15,
  sha256: "bb2ca88e783325d17984f844dc865dbd5aa95fda2d6a22a5c714722decb7f2ea",
} as const;
