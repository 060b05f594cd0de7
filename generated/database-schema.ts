// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 27,
  checksummedFrom: 15,
  sha256: "277b62e5601a7f4a2b3f16734b3cb767026f8f2a0b0a9d0d9d76b15dce32bdcb",
} as const;
