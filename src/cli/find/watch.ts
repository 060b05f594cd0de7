import { setTimeout as sleep } from "node:timers/promises";
import { isOlder } from "../../client/follow.ts";
import { type Itemtape, ItemtapeError } from "../../client/index.ts";
import type { Data } from "../../client/types.ts";
import { displayText } from "../../values/text/display-text.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { systemClock } from "../../values/time/clock.ts";
import { type Call, wholeNumberFlag } from "../command.ts";
import { connect } from "../connect.ts";
import { dollars } from "../get/field-text.ts";
import { refusalOf } from "../get/refusal.ts";
import { painted, printJson } from "../print.ts";
import { untilSignal } from "../signals.ts";
import { isPassing, pauseSecondsMax } from "../sync/run.ts";
import { bestFirst, itemIdOf, nameOf, type Quote } from "./item.ts";

const waitSeconds = 30;
/** Delays after temporary failures. The first one also follows a wait that returned at once. */
const retry = { firstMs: secondMs, maxMs: 60 * secondMs };

/** Reports that the service has an older generation than before. */
class Behind extends Error {
  constructor(generation: string, newest: string | null) {
    const [has, before] = [displayText(generation), displayText(newest ?? "")];
    super(`watch: the service has ${has}, which is older than ${before} of before`);
  }
}

type Best = { ask: Quote | undefined; bid: Quote | undefined };
type Watch = {
  readonly call: Call;
  readonly client: Itemtape;
  readonly base: string;
  readonly itemId: number;
  readonly signal: AbortSignal;
  /** Null to wait for the service's next generation. */
  readonly pauseMs: number | null;
};

/**
 * Prints the lowest ask and the highest bid of an item, and a line after each change. It ends at a signal or when its reader has gone.
 * @throws {OperatorError} when no item or more than one matches, or the service refuses permanently.
 */
export async function watch(call: Call): Promise<void> {
  const seconds = wholeNumberFlag(call, "pause", [1, pauseSecondsMax]);
  const { client, base } = connect(call, true);
  const pauseMs = seconds === null ? null : seconds * secondMs;
  try {
    await untilSignal(async (signal) => {
      const itemId = await itemIdOf(client, call.operands.join(" "));
      await keep({ call, client, base, itemId, signal, pauseMs });
    });
  } catch (error) {
    throw refusalOf(error, "watch", base);
  }
}

/** Reads repeatedly and continues after temporary failures. A signal is the normal end. */
async function keep(watch: Watch): Promise<void> {
  const { call, client, itemId, signal } = watch;
  let last: Best | null = null;
  let newest: string | null = null;
  for (let failures = 0; !signal.aborted && call.out.isDisconnected?.() !== true; ) {
    try {
      const { data, meta } = await client.call("getMarketPrices", { item_id: itemId }, { signal });
      // One of several servers can be behind. An older price is printed only if the generation of the printed one is gone.
      if (data.generation !== null && isOlder(data.generation, newest) && !(await isDisconnected(watch, newest!))) {
        throw new Behind(data.generation, newest);
      }
      const quotes = bestFirst(data);
      const best: Best = { ask: quotes.asks[0], bid: quotes.bids[0] };
      if (last === null || isMoved(last, best)) print(call, { data, at: meta.generated_at, best, last });
      last = best;
      failures = 0;
      newest = await untilNext(watch, data.generation);
    } catch (error) {
      if (signal.aborted) return;
      const isBehind = error instanceof Behind;
      if (!isBehind && !isPassing(error)) throw error;
      failures += 1;
      const pauseMs = backoffMs(failures, retry);
      const failure = (isBehind ? error : refusalOf(error, "watch", watch.base)) as Error;
      call.out.note(`itemtape: ${failure.message}; trying again in ${pauseMs / secondMs} s`);
      await pause(pauseMs, signal);
    }
  }
}

/**
 * Waits for the given pause, or until the service has a newer generation. Each request costs a unit. Returns the newest generation of the
 * service, null if the known one is gone.
 */
async function untilNext(watch: Watch, generation: string | null): Promise<string | null> {
  const { call, client, signal, pauseMs } = watch;
  if (pauseMs !== null) {
    await pause(pauseMs, signal);
    return generation;
  }
  for (let isReported = false; call.out.isDisconnected?.() !== true; ) {
    const askedMs = systemClock.monotonicMs();
    const since = generation === null ? {} : { after: generation };
    const { data } = await client.call("getCurrentGeneration", { ...since, wait_seconds: waitSeconds }, { signal });
    if (generation === null || isOlder(generation, data.generation)) return data.generation;
    if (!isReported && isOlder(data.generation, generation)) {
      if (await isDisconnected(watch, generation)) return null;
      call.out.note(`itemtape: ${new Behind(data.generation, generation).message}; waiting for a newer one`);
      isReported = true;
    }
    // A restarting server responds at once, and so does a server without prices.
    if (systemClock.monotonicMs() - askedMs < (waitSeconds * secondMs) / 2) await pause(retry.firstMs, signal);
  }
  return generation;
}

/** Returns whether the service has lost the generation, as after a restore, rather than being behind. Reports a loss. It costs a unit. */
async function isDisconnected({ call, client, signal }: Watch, generation: string): Promise<boolean> {
  try {
    await client.call("getGeneration", { generation }, { signal, retry: { attemptsMax: 1 } });
    return false;
  } catch (error) {
    if (!(error instanceof ItemtapeError)) throw error;
    if (error.code !== "generation_not_found") return false;
    call.out.note(`itemtape: watch: the service no longer has ${displayText(generation)}, as after a restore`);
    return true;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

function isMoved(last: Best, best: Best): boolean {
  return (["ask", "bid"] as const).some(
    (side) => last[side]?.amount !== best[side]?.amount || last[side]?.provider !== best[side]?.provider,
  );
}

type Seen = { data: Data<"getMarketPrices">; at: string; best: Best; last: Best | null };

function print(call: Call, { data, at, best, last }: Seen): void {
  if (call.has("json")) {
    const side = (quote: Best["ask"]) =>
      quote === undefined ? null : { provider: quote.provider, amount: quote.amount, as_of: quote.as_of };
    const { item_id, generation } = data;
    printJson(call, { item_id, at, generation, lowest_ask: side(best.ask), highest_bid: side(best.bid) });
    return;
  }
  if (last === null) call.out.line(`${nameOf(data)} (${data.item_id})`);
  const sides = [sideText(call, "lowest ask", best.ask, last?.ask), sideText(call, "highest bid", best.bid, last?.bid)];
  call.out.line(`${displayText(at.replace(/\.[0-9]{3}Z$/, "Z"))}  ${sides.join(", ")}`);
}

/** Returns a side in words, with the difference from the previously printed price. */
function sideText(call: Call, title: string, quote: Best["ask"], before: Best["ask"]): string {
  if (quote === undefined) return `${title} -`;
  const moved = before === undefined ? 0 : quote.amount - before.amount;
  const sign = moved > 0 ? "+" : "";
  const difference = moved === 0 ? "" : ` ${painted(call, moved > 0 ? "green" : "red", `${sign}${dollars(moved)}`)}`;
  return `${title} ${dollars(quote.amount)}${difference} (${displayText(quote.provider)})`;
}
