// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 29,
  checksummedFrom: 15,
  sha256: "ad715c52ddf0b8242d4b6112693825d44c6a79a51a481ee8f24b6ebf5491bc27",
} as const;
