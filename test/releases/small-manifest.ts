import { databaseSchema } from "../../generated/database-schema.ts";
import type { Manifest } from "../../src/releases/manifest.ts";

/** A manifest without chunks, apart from worlds with a market. */
export function smallManifest(number: number, lineage = "rel_1"): Manifest {
  return {
    itemtape_release: 1,
    lineage,
    number,
    sealed_at: new Date(Date.UTC(2026, 10, 30)).toISOString(),
    previous: null,
    schema: databaseSchema.version,
    generation: null,
    checked_at: null,
    page_bytes: 4096,
    bytes: 4096,
    chunks: [],
  };
}
