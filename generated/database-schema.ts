// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 36,
  checksummedFrom: 15,
  sha256: "71f0a2edf9fcaf5a0cb3cef421ca06eea8f7bc969b85aba427ac3fb289805aec",
} as const;
