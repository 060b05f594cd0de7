// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 43,
  checksummedFrom: 15,
  sha256: "deed1dc0a94cccbfca9e4edca4073ed2a6776140ed8d9f80b1dc240fd9686289",
} as const;
