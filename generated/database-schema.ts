// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 44,
  checksummedFrom: 15,
  sha256: "73ebac81ae25bfaeb3ed3def02ad1e3dc965fd8f22f7f59f98f9b97640ccecdd",
} as const;
