// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 32,
  checksummedFrom: 15,
  sha256: "59ac2f14d78d3bc8ec19b4a15f9f96d314162deeb6af1fd8d48867933d470953",
} as const;
