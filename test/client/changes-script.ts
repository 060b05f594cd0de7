import { digestsOf } from "../../src/client/digest.ts";
import type { SnapshotItem as Item } from "../../src/client/index.ts";
import { problem, type Reply, requestId, send } from "./scripted-server.ts";
import { item, linesOf, quote, records, streamed, textOf } from "./streams.ts";

/** The items of a market, and of its next state: one changed, one removed, one new. */
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
/** The stream of changes from one state to the other. */
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
/** A connection that breaks off without an answer. */
export const gone: Reply = (response) => void response.destroy();
const taken = (code: string, seconds: number) => problem(429, code, { "retry-after": `${seconds}` });
/** A service for a new copy that waits for g6. The copy finds every slot and the minute used up, one after the other. */
export const staysTaken: readonly Reply[] = [
  taken("snapshot_busy", 119),
  taken("snapshot_capacity", 118),
  exportOf("g5", held),
  ...Array.from({ length: 6 }, () => taken("changes_busy", 119)),
  taken("changes_capacity", 117),
  nothing(from),
  taken("waiting_limit", 116),
  taken("rate_limited", 115),
  current(to),
  streamed(textOfAll(whole)),
];
/** Expected reports to the copy: operation, code, seconds to wait, and number in a row. */
export const staysTakenTold: readonly (readonly [string, string, number, number])[] = [
  ["streamMarketSnapshot", "snapshot_busy", 119, 1],
  ["streamMarketSnapshot", "snapshot_capacity", 118, 2],
  ...[1, 2, 3, 4, 5, 6].map((attempt) => ["streamMarketChanges", "changes_busy", 119, attempt] as const),
  ["streamMarketChanges", "changes_capacity", 117, 7],
  ["getCurrentGeneration", "waiting_limit", 116, 1],
  ["getCurrentGeneration", "rate_limited", 115, 2],
];
const away: Reply = (response) => void response.writeHead(502, { "content-type": "text/html" }).end("<html>");
/** A service that breaks connections twice in each part of following, once at a proxy and once in a stream. */
export const breaksOff: readonly Reply[] = [
  gone,
  away,
  exportOf("g5", held),
  gone,
  streamed(textOfAll(whole).slice(0, -20)),
  nothing(from),
  gone,
  gone,
  current(to),
  gone,
  taken("changes_busy", 119),
  gone,
  streamed(textOfAll(whole)),
];
/** Expected reports to the copy: operation, status, code, seconds to wait, and number in a row. */
export const breaksOffTold: readonly (readonly [string, number, string | null, number, number])[] = [
  ["streamMarketSnapshot", 0, null, 1, 1],
  ["streamMarketSnapshot", 502, null, 2, 2],
  ["streamMarketChanges", 0, null, 1, 1],
  ["streamMarketChanges", 200, null, 2, 2],
  ["getCurrentGeneration", 0, null, 1, 1],
  ["getCurrentGeneration", 0, null, 2, 2],
  ["streamMarketChanges", 0, null, 1, 1],
  ["streamMarketChanges", 429, "changes_busy", 119, 1],
  ["streamMarketChanges", 0, null, 2, 2],
];
/** A service with an older generation than a copy's (g6), four times, and then a newer one. */
export const staysBehind: readonly Reply[] = [
  exportOf("g6", later),
  nothing(to),
  ...Array.from({ length: 2 }, () => current(from)),
  ...Array.from({ length: 2 }, () => [current(from), problem(503, "service_unavailable")]).flat(),
  current(state("g7", held)),
  problem(404, "generation_not_found"),
  exportOf("g7", held),
  nothing(state("g7", held)),
];

const text = textOfAll(whole);
const swapped = [whole[0]!, whole[2]!, whole[1]!, ...whole.slice(3)];
const error = (code: string) => ({ type: "error", request_id: requestId, code });
const zeros = "0".repeat(64);
/** Invalid streams in place of `whole`: the fault, the text, and the number of streams that the client requests. */
export const lies: readonly (readonly [string, string, streams?: number])[] = [
  ["is cut off", text.slice(0, -20), 3],
  ["has no end", textOfAll(whole.slice(0, -1)), 3],
  ["gives up", textOfAll([whole[0]!, error("snapshot_interrupted")]), 3],
  ["changes again and again", textOfAll([whole[0]!, error("snapshot_changed")]), 3],
  ["is not a stream", "{}\n"],
  ["is out of order", textOfAll(swapped)],
  ["repeats an item", textOfAll([whole[0]!, whole[1]!, ...whole.slice(1)])],
  ["skips an item", textOfAll([whole[0]!, ...whole.slice(2)])],
  ["skips an item and counts so", textOfAll([whole[0]!, ...whole.slice(2, 4), endOf(to, 1, 1)])],
  ["keeps an item that is gone", textOfAll([...whole.slice(0, 2), whole[3]!, endOf(to, 2, 0)])],
  ["counts another number of removed items", textOfAll([...whole.slice(0, 4), endOf(to, 2, 2)])],
  ["removes an unknown item", textOfAll([...whole.slice(0, 4), removed(7), endOf(to, 2, 2)])],
  ["has another price", text.replace('"amount":121', '"amount":122')],
  ["has another name", text.replace("Item 5", "Item 6")],
  ["begins at other prices", text.replace(from.digest, zeros)],
  ["begins at other names", text.replace(from.identity_digest, zeros)],
  ["ends at another state", textOfAll([...whole.slice(0, 4), endOf(from, 2, 1)])],
  [
    "is of another request at its end",
    textOfAll([...whole.slice(0, 4), { ...whole[4], request_id: `req_${"1".repeat(26)}` }]),
  ],
  ["has more after its end", `${text}${JSON.stringify(removed(9))}\n`],
  ["has an unknown field", text.replace('"type":"removed"', '"type":"removed","x":1')],
];
