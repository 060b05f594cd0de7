// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 21,
  checksummedFrom: 15,
  sha256: "0cb739eba0c0602e01888c1dea75a6b4473674757bc19c36e593b158551d8edd",
} as const;
