import { dayOf, dayText, hoursOfDay, parseDay } from "../../src/values/time/calendar.ts";
import type { Random } from "../sim/random.ts";
import type { Asker, Request } from "./ask.ts";
import { type Change, firstDay, type Story } from "./story.ts";

/**
 * A request, an instant (UTC ms), and the answers that a live server gave then. In a command of several transactions the answers just
 * before and after it are given. `isEdge`: the instant is within a millisecond of the end or start of a change.
 */
export type Pair = { at: number; request: Request; answers: readonly string[]; change: string; isEdge: boolean };

type Asking = { story: Story; asker: Asker; random: Random };

const windowDaysMax = { hourly: 10, daily: 30 };

/** Live answers about a story. Equal answers are kept once. */
export class LiveAnswers {
  readonly pairs: Pair[] = [];
  readonly #asking: Asking;
  readonly #texts = new Map<string, string>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Runs a change and asks `count` requests a millisecond before it and just after it. */
  async around(change: Change, count: number): Promise<void> {
    const { story, random } = this.#asking;
    const { market } = story;
    const requests = Array.from({ length: count }, () => requestAbout(random, story, change));
    market.now = Math.max(market.now, change.at - 1);
    const before = await this.#ask(requests);
    this.#add(change, market.now, requests, [before]);
    market.now += 1;
    const startedAt = market.now;
    await change.run();
    const after = await this.#ask(requests);
    this.#add(change, market.now, requests, [after]);
    // Its last transaction was a millisecond before its end.
    const lastAt = Math.min(market.now - 2, story.tickedUntil - 2);
    if (lastAt < startedAt) return;
    this.#add(change, random.between(startedAt, lastAt), requests, [before, after]);
    if (change.isLong === true) this.#add(change, startedAt, requests, [before]);
  }

  async #ask(requests: readonly Request[]): Promise<string[]> {
    // The reads of one turn share a transaction.
    await new Promise((resolve) => setImmediate(resolve));
    return requests.map((request) => this.#kept(this.#asking.asker.answer(request)));
  }

  #add({ name }: Change, at: number, requests: readonly Request[], answers: readonly string[][]): void {
    const isEdge = answers.length === 1;
    for (const [index, request] of requests.entries()) {
      // Each level of an index has the instant of its own transaction.
      if (!isEdge && request.operation === "getIndexHistory") continue;
      this.pairs.push({
        at,
        request,
        answers: [...new Set(answers.map((all) => all[index]!))],
        change: name,
        isEdge,
      });
    }
  }

  #kept(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}

/** Returns a random request about a change. */
function requestAbout(random: Random, story: Story, change: Change): Request {
  const { itemId, day } = change;
  const likely = random.chance(0.4) ? likelyRequest(change) : null;
  if (likely !== null) return likely;
  const operation = random.weighted([
    ["getDailyPriceHistory", 4],
    ["getHourlyPriceHistory", 4],
    ["getIndexHistory", 1],
    ["getExchangeRateHistory", 1],
    ["getOpenableHistory", 1],
  ] as const);
  const isHourly = operation === "getHourlyPriceHistory";
  const window = windowAround(random, story, day, isHourly ? windowDaysMax.hourly : windowDaysMax.daily);
  // The hours before are removed in the end.
  if (isHourly && random.chance(0.8) && dayOf(story.market.now) >= story.prunedUntil) {
    window.from = dayText(Math.max(story.prunedUntil, parseDay(window.from ?? "") ?? 0));
    window.to = dayText(Math.max(story.prunedUntil, parseDay(window.to ?? "") ?? 0));
  }
  const shared = { ...window, ...(random.chance(0.3) && { limit: random.between(1, 9) }) };
  if (operation === "getIndexHistory") return { operation, params: { index_id: "all", ...shared } };
  if (operation === "getExchangeRateHistory")
    return { operation, params: { currency: random.pick(["EUR", "CNY"]), ...shared } };
  if (operation === "getOpenableHistory")
    return { operation, params: { slug: "box", granularity: random.pick(["day", "hour"]), ...shared } };
  const id = random.chance(0.7) ? itemId : random.between(1, story.size.items + 1);
  const side = random.chance(0.25) && { side: "bid" };
  const provider = random.chance(0.5) && { provider: random.pick(["steam", "alpha", "b1", "b2", "northgate"]) };
  return { operation, params: { item_id: id, ...side, ...provider, ...shared } };
}

/** Returns a request with probably different answers around a change. */
function likelyRequest({ name, itemId }: Change): Request | null {
  if (name === "finish") return { operation: "getIndexHistory", params: { index_id: "all" } };
  if (name === "run") return { operation: "getOpenableHistory", params: { slug: "box", granularity: "hour" } };
  const ofAlpha = { item_id: itemId, provider: "alpha" };
  if (name === "replace") return { operation: "getDailyPriceHistory", params: ofAlpha };
  if (name !== "rename") return null;
  return { operation: "getHourlyPriceHistory", params: ofAlpha };
}

function windowAround(random: Random, story: Story, day: number, daysMax: number): { from?: string; to?: string } {
  if (random.chance(0.3)) return {};
  const half = Math.floor(daysMax / 2);
  const from = Math.max(firstDay - 12, day - random.between(0, half));
  // A window that ends after the day of the request is refused.
  const last = dayOf(story.market.now) + Number(random.chance(0.02));
  const to = Math.max(from, Math.min(last, day + random.between(0, half - 1)));
  return { from: dayText(from), to: dayText(to) };
}

/** Returns whether the server may refuse a request as known, because hours of its window were removed afterwards. */
export function isLost({ at, request, answers }: Pair, story: Story): boolean {
  const { prunedAt, prunedUntil } = story;
  if (at >= prunedAt || !/Price/.test(request.operation)) return false;
  const { from, to } = windowOf(request, answers[0]!);
  const [first, last] = [parseDay(from) ?? firstDay, Math.min(parseDay(to) ?? firstDay, prunedUntil - 1)];
  if (request.operation === "getHourlyPriceHistory") return first < prunedUntil && last >= firstDay - 1;
  return story.market.frames.some(
    ({ hour, recordedAt, retractedAt }) =>
      hour >= first * hoursOfDay && hour < (last + 1) * hoursOfDay && Math.max(recordedAt, retractedAt ?? 0) > at,
  );
}

/** Returns the dates of an answer, or of the request if it was refused. */
function windowOf({ params }: Request, answer: string): { from: string; to: string } {
  const [, from, to] = /"from":"([\d-]+)","to":"([\d-]+)"/.exec(answer) ?? [];
  return { from: from ?? String(params.from), to: to ?? String(params.to) };
}
