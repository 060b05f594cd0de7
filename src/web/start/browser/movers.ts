import { addDays } from "../../../values/time/time-text.ts";
import type { Api } from "../../browser/api.ts";

/** Asks of one item at one market on two consecutive days in cents, and their difference in percent. */
export type Move = { itemId: number; provider: string; before: number; after: number; pct: number };

/** Minimum ask in cents on both days: below it, one cent is already a large change. */
const amountMin = 100;
/** Maximum size of two days that a page reads, in bytes. */
const bytesMax = 64_000_000;
const shownMax = 10;

/** Error with the reason, in words, for showing no movers. */
export class NoMovers extends Error {}

/**
 * Reads the newest sealed day and the day before it. Finds the largest changes of asks by item and market. Sends three requests.
 * @throws {NoMovers} if two consecutive days are not sealed, are too large or did not arrive complete.
 */
export async function readMovers(api: Api) {
  const { data } = await api.call("listHistoryDays", { limit: 10 });
  const days: { date: string; condition: string; bytes: number; superseded_at: string | null }[] = data.filter(
    (day: { superseded_at: string | null }) => day.superseded_at === null,
  );
  const [last] = days;
  if (last === undefined) throw new NoMovers("No day is sealed yet.");
  const before = days.find(({ date }) => date === addDays(last.date, -1));
  if (before === undefined) throw new NoMovers(`The day before ${last.date} is not sealed.`);
  if (last.bytes + before.bytes > bytesMax)
    throw new NoMovers(
      `Two days are ${Math.round((last.bytes + before.bytes) / 1e6)} MB here, and this page reads ${bytesMax / 1e6} MB at most. ` +
        `npx itemtape export day ${before.date}..${last.date} days --format csv writes them to files, a request each.`,
    );
  const asks = [];
  // Read one by one, because an account may run one export at a time.
  for (const { date } of [before, last]) asks.push(await readAsks(api, date));
  const [old = new Map(), now = new Map()] = asks;
  return { before, last, ...movesOf(old, now) };
}

/** @param old Cents by item and market. */
function movesOf(old: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>) {
  const byItem: Map<number, Move> = new Map();
  let both = 0;
  for (const [key, after] of now) {
    const before = old.get(key);
    if (before === undefined) continue;
    both += 1;
    if (Math.min(before, after) < amountMin) continue;
    const [id = "", provider = ""] = key.split(" ");
    const itemId = Number(id);
    const cheapest = byItem.get(itemId);
    if (cheapest !== undefined && cheapest.after <= after) continue;
    byItem.set(itemId, { itemId, provider, before, after, pct: (after / before - 1) * 100 });
  }
  const moves = [...byItem.values()].sort((a, b) => b.pct - a.pct);
  return {
    both,
    oneOnly: now.size + old.size - 2 * both,
    rose: moves.slice(0, shownMax).filter(({ pct }) => pct > 0),
    fell: moves
      .slice(-shownMax)
      .filter(({ pct }) => pct < 0)
      .reverse(),
  };
}

/** Reads the asks of a day from a complete export. Returns cents by item and market. */
async function readAsks(api: Api, date: string) {
  const bytes = await api.bytes("streamHistoryDay", { date, resolution: "daily" });
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  const end = JSON.parse(lines.at(-1) ?? "null");
  const from = bytes.indexOf(10) + 1;
  const to = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  const isWhole =
    end?.type === "end" && end.rows === lines.length - 2 && end.digest === (await digestOf(bytes.subarray(from, to)));
  if (!isWhole) throw new NoMovers(`The day ${date} did not arrive whole; please try again.`);
  const asks: Map<string, number> = new Map();
  for (const line of lines.slice(1, -1)) {
    const { item_id, side, provider, amount } = JSON.parse(line).data;
    if (side === "ask") asks.set(`${item_id} ${provider}`, amount);
  }
  return asks;
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (globalThis.crypto.subtle === undefined)
    throw new NoMovers("This needs https: without it the browser cannot check the data.");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
