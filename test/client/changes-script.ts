import { digestsOf } from "../../src/client/digest.ts";
import type { SnapshotItem as Item } from "../../src/client/index.ts";
import { type Reply, requestId, send } from "./scripted-server.ts";
import { item, linesOf, quote, records, streamed, textOf } from "./streams.ts";

/** The items of a market, and those of its next state: one changed, one removed, one new. */
export const held = records().items.map(({ data }) => data as Item);
const [one, two, three] = held as [Item, Item, Item];
export const later: Item[] = [{ ...one, asks: [quote({ amount: 121 })] }, item(5).data, three];
export const state = (generation: string, items: readonly Item[]) => {
  const { digest, identityDigest } = digestsOf(items);
  return { generation, digest, identity_digest: identityDigest };
};
export const from = state("g5", held);
export const to = state("g6", later);
const times = { generated_at: "2026-01-15T12:05:00.000Z", ingested_at: "2026-01-15T12:04:00.000Z" };
export const startOf = (a: object, b: object) => ({ type: "start", request_id: requestId, ...times, from: a, to: b });
export const removed = (item_id: number) => ({ type: "removed", item_id });
export const endOf = (b: object, items: number, gone: number) => ({
  type: "end",
  request_id: requestId,
  to: b,
  items,
  removed: gone,
});
export const changed = (data: Item) => ({ type: "item", data });
/** The stream of changes from the one state to the other. */
export const whole = [startOf(from, to), changed(later[0]!), removed(two.item_id), changed(later[1]!), endOf(to, 2, 1)];
export const textOfAll = (lines: readonly object[]) => textOf(lines.map((line) => JSON.stringify(line)));
export const nothing = (at: object): Reply => streamed(textOfAll([startOf(at, at), endOf(at, 0, 0)]));
export const exportOf = (generation: string, items: readonly Item[]): Reply => {
  const { start } = records();
  const end = { type: "end", request_id: requestId, generation, items: items.length };
  return streamed(textOf(linesOf({ start: { ...start, generation }, items: items.map(changed), end })));
};
export const current = (at: object): Reply =>
  send(200, { data: { ...at, ingested_at: times.ingested_at, items: 2, bytes: 2 }, meta: { request_id: requestId } });
