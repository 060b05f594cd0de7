import { type Daily, type Frame, insertDaily, recordFrame } from "../domain/history-world.ts";
import { readPages } from "../support/paging.ts";
import { insertProvider } from "../support/providers.ts";
import type { Account, World } from "../support/world.ts";

export const unknownItem = 2_147_483_647;

/** A feed without data, its providers, and items with quotes only from them. `gone` has left the catalog. */
export type TestMarket = { feed: string; a1: string; a2: string; z9: string; own: number; empty: number; gone: number };

let markets = 0;

/** Adds a separate market to the world, so that tests can share the world. */
export function addMarket(world: World): TestMarket {
  markets += 1;
  const first = 900_000 + markets * 10;
  const items = { own: first, empty: first + 1, gone: first + 2 };
  const feed = `alpha-${markets}`;
  const providers = { a1: `a1-${markets}`, a2: `a2-${markets}`, z9: `z9-${markets}` };
  world.change((database) => {
    const { $client } = database;
    const item = $client.prepare(
      `INSERT INTO items(item_id, identity_key, market_hash_name, slug, identity, origin, in_catalog, first_seen_at, search_text)
       VALUES (?, ?, 'Test', ?, 'exact', 'catalog', ?, 1, '')`,
    );
    for (const [name, itemId] of Object.entries(items))
      item.run(itemId, `test ${itemId}`, `test-${itemId}`, Number(name !== "gone"));
    $client.prepare("INSERT INTO feeds(feed, adapter) VALUES (?, 'canonical')").run(feed);
    for (const provider of Object.values(providers)) insertProvider(database, { provider, feed, name: "Test" });
  });
  return { feed, ...providers, ...items };
}

export function record(world: World, ...frames: readonly Frame[]): void {
  world.change((database) => {
    const covered = database.$client.prepare("SELECT provider FROM providers WHERE feed = ?").pluck();
    for (const frame of frames) recordFrame(database, { ...frame, providers: covered.all(frame.feed) as string[] });
  });
}

export function price(world: World, ...rows: readonly Daily[]): void {
  world.change((database) => {
    for (const row of rows) insertDaily(database, row);
  });
}

type Query = Record<string, string | number>;
type Row = Record<string, string | number | boolean | null>;
type Meta = { from: string; to: string; missing_points: string; next_page: string | null };

/** One page of a price history, from a successful response. */
export async function pageOf(
  world: World,
  operationId: string,
  { secret }: Pick<Account, "secret">,
  { item_id, ...query }: Query & { item_id: number },
): Promise<{ data: Row[]; meta: Meta }> {
  const answer = await world.client.call(operationId, { key: secret, path: { item_id }, query });
  if (answer.status !== 200) throw new Error(`${operationId}: ${answer.status} ${answer.json?.code}`);
  return answer.json;
}

/** Every row from the first page to the last one. */
export async function walk(
  world: World,
  operationId: string,
  account: Account,
  query: Query & { item_id: number },
): Promise<Row[]> {
  const page = async (given: object) => ({ json: await pageOf(world, operationId, account, { ...query, ...given }) });
  return (await readPages<Row>(page)).rows;
}
