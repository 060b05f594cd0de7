// Derived from db/migrations by `npm run generate`; add a migration instead.

/** The schema of a database file: its version, the first version whose rows have checksums, and its checksum. */
export const databaseSchema = {
  version: 38,
  checksummedFrom: 15,
  sha256: "875b1e3b6faf603a278adc60671b1b512f26317f71422995688e31e27b0bc134",
} as const;
