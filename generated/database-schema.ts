// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version with checksums of rows, and its checksum. */
export const databaseSchema = {
  version: 51,
  checksummedFrom: 15,
  sha256: "f7fc64e723f99094d51183a59c3f32ec509fb4def01cdf172046161d7f670b97",
} as const;
