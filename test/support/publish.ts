import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import type { Clock } from "../../src/values/clock.ts";
import type { World } from "./world.ts";

const provider = "test-shop";

/**
 * Publishes a generation in which a provider of its own offers these items at these cents, and nothing else. `addressLength`: of each
 * offer's page; 0: it tells none.
 */
export function publishOffers(
  world: Pick<World, "change"> & { readonly clock: Clock },
  cents: ReadonlyMap<number, number>,
  addressLength = 0,
): void {
  const facts = {
    feed: provider,
    adapter: "canonical",
    providers: [{ provider, name: "Test Shop", kind: "cash" as const }],
  };
  const url = addressLength === 0 ? null : "https://test-shop.example/".padEnd(addressLength, "x");
  const items = new Map(
    [...cents].map(([itemId, amountCents]) => [
      itemId,
      { asks: [{ provider, amountCents, quantity: null, url, observedAt: null }], bids: [] },
    ]),
  );
  const { clock } = world;
  world.change((database) => runAtOnce(publishInBatches(database, { facts, items }, { clock })));
}
