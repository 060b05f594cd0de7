import { copyFileAt } from "../../src/cli/sync/run.ts";
import { digestsOf } from "../../src/client/digest.ts";
import type { Market, SnapshotItem } from "../../src/client/index.ts";

/**
 * Writes two states of a market alternately into the named file, without end, and prints a line after each. Continues with an existing
 * file.
 */
const [path = ""] = process.argv.slice(2);
const ids = Array.from({ length: 1500 }, (_, index) => index + 1);
const changed = ids.filter((itemId) => itemId % 3 === 0);
const states = [stateOf("g1", 100), stateOf("g2", 200)] as const;

const file = await copyFileAt(path, { mayReplace: false });
const held = file.read();
if (held === null) file.write(states[0], null);
for (let turn = held?.generation === "g2" ? 2 : 1; ; turn += 1) {
  file.write(states[turn % 2 === 0 ? 0 : 1], states[turn % 2 === 0 ? 1 : 0]);
  await new Promise<void>((resolve) => process.stdout.write(`${turn}\n`, () => resolve()));
}

function stateOf(generation: string, amount: number): Market {
  const quote = { currency: "USD", minor_units: 2, quantity: null, url: null, as_of: null } as const;
  const items = new Map(
    ids.map((itemId): [number, SnapshotItem] => {
      const cents = itemId % 3 === 0 ? amount : 1;
      const asks = ["a", "b", "c"].map((provider) => ({ provider, amount: cents, ...quote }));
      const name = `Item ${itemId}`;
      return [
        itemId,
        { item_id: itemId, market_hash_name: name, phase: null, availability: "available", asks, bids: [] },
      ];
    }),
  );
  const at = "2026-01-15T12:00:00.000Z";
  const facts = {
    ingestedAt: at,
    generatedAt: at,
    requestId: `req_${"0".repeat(26)}`,
    baseUrl: "http://127.0.0.1:8080/",
  };
  return { generation, ...facts, ...digestsOf(items.values()), items, changes: { items: changed, removed: [] } };
}
