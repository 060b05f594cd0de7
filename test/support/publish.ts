import { demoFeeds, factsOf } from "../../src/demo/market.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import type { Clock } from "../../src/values/time/clock.ts";
import type { World } from "./world.ts";

const provider = "test-shop";
/** Items that `publishFewQuotes` leaves quotes of. */
const quotedItems = 200;

/**
 * Publishes a generation in which one provider offers only these items at these cents. `addressLength` is the length of each offer's page
 * address. Pass 0 for offers without one.
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
  world.change((database) => runAtOnce(publishInBatches(database, [{ facts, items }], { clock })));
}

/** Publishes a generation in which the demo's feeds quote few items: each of the next ones is staged from it. */
export function publishFewQuotes(world: Pick<World, "change"> & { readonly clock: Clock }): void {
  const feeds = demoFeeds.map((feed) => {
    const facts = factsOf(feed, false);
    const provider = facts.providers[0]!.provider;
    const offer = { provider, amountCents: 100, quantity: null, url: null, observedAt: null };
    const ids = Array.from({ length: quotedItems }, (_, index) => index + 1);
    return { facts, items: new Map(ids.map((itemId) => [itemId, { asks: [offer], bids: [] }])) };
  });
  const { clock } = world;
  world.change((database) => runAtOnce(publishInBatches(database, feeds, { clock })));
}
