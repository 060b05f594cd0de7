import { demoChance } from "../../../src/demo/prices.ts";
import type { World } from "../../support/world.ts";

/** An item that the main platform offers, but not in every hour of the first recorded day, and another provider as well. */
export function vanishingItem(world: World): number {
  const rows = world.sql(
    `SELECT item_id FROM quotes JOIN frame_providers ON number = provider_id WHERE provider IN ('steam', 'northgate')
     GROUP BY item_id HAVING count(*) = 2`,
  );
  const found = rows.find(({ item_id }) => demoChance(`${item_id} vanishes`) < 0.02);
  if (found === undefined) throw new Error("no item of the demo world vanishes");
  return Number(found.item_id);
}
