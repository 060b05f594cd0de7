import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { openables } from "../../../db/schema/openables.ts";
import type { Database } from "../database.ts";

const isSeen = inArray(openables.state, ["active", "retired"]);

/** Returns the slugs of the pools that readers see, by their container's item id. A draft never leaves the server. */
export function openableSlugs(database: Database): Map<number, string> {
  const { itemId, slug } = getTableColumns(openables);
  const rows = database.select({ itemId, slug }).from(openables).where(isSeen).all();
  return new Map(rows.map((row) => [row.itemId, row.slug]));
}

/** Prepares the query of the slug of one item's pool that readers see; placeholder `itemId`. */
export function openableSlugQuery(database: Database) {
  return database
    .select({ slug: openables.slug })
    .from(openables)
    .where(and(eq(openables.itemId, sql.placeholder("itemId")), isSeen))
    .prepare();
}
