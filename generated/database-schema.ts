// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 40,
  checksummedFrom: 15,
  sha256: "bfcfee930bf8d7442bd53655a651f3aa663d80a69ddb75972ff1fa4fdbe9609e",
} as const;
