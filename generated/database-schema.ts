// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 37,
  checksummedFrom: 15,
  sha256: "b86c412f6f178e2e7652029a854ef09920803ef292afad0812a772a45721f8e4",
} as const;
