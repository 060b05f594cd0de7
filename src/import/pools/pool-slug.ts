import type { PoolCatalog } from "../../store/pool-catalog.ts";
import type { PoolRows } from "../../store/write/openables.ts";

const slugCharsMax = 120;

/**
 * The slug of a container that has none yet: that of its item. Of several containers of one name the one with the lowest
 * definition index has it and the others add theirs, so that it does not matter which is drafted first. `planned`: slugs that
 * are given and not written yet.
 */
export function poolSlug(itemId: number, rows: PoolRows, catalog: PoolCatalog, planned: ReadonlySet<string>): string {
  const { slug, marketHashName } = rows.container(itemId);
  const namesakes = catalog.containersNamed(marketHashName);
  const own = namesakes.find((namesake) => namesake.itemId === itemId)?.objectKey ?? "";
  const isFree = (candidate: string) => !planned.has(candidate) && rows.openable(candidate) === null;
  if (namesakes[0]?.itemId === itemId && isFree(slug)) return slug;
  const index = (own.split(":").at(-1) ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  for (const suffix of [index, `${index}-${itemId}`]) {
    const candidate = `${slug.slice(0, slugCharsMax - suffix.length - 1)}-${suffix}`;
    if (isFree(candidate)) return candidate;
  }
  throw new Error(`no slug is left for the container ${itemId}`);
}
