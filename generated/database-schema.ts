// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 45,
  checksummedFrom: 15,
  sha256: "609869fb0b69a321897055c27f35e48accf0e4db865b6567b2539fc6ae915147",
} as const;
