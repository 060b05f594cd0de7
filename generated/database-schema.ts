// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 33,
  checksummedFrom: 15,
  sha256: "3bc5db68582655742ad4f1240566bbd0e6256925f470ffce27f98aa89e24a8e9",
} as const;
