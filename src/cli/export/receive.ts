import { setTimeout as sleep } from "node:timers/promises";
import { confirmDigest, PriceDigest } from "../../client/digest.ts";
import { ExportError, type ExportProgress, type Itemtape, ItemtapeError } from "../../client/index.ts";
import { isUnavailable } from "../../client/retry.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import type { ExportFacts, ExportStart, ExportWriter } from "./writer.ts";

/** Reports that the export used the last unit of the month, so its digest cannot be requested. */
export class LastUnit extends Error {}

type ReceiveOptions = {
  signal: AbortSignal;
  /** Whether to request the server's digest of the generation, for one unit. */
  checksDigest: boolean;
  onProgress(progress: ExportProgress): void;
  /** Called with the reason before the digest is requested again. */
  onRepeat(why: string): void;
};

const timesMax = 3;
const retry = { firstMs: 500, maxMs: 1000 };
/**
 * Passes an export to `writer` record by record, and returns its facts after its end. The file is not finished then. Until this returns,
 * its content is unverified.
 * @throws {ExportError | ItemtapeError | TransportError} as the client does.
 */
export async function receive(
  client: Itemtape,
  writer: ExportWriter,
  { signal, checksDigest, onProgress, onRepeat }: ReceiveOptions,
): Promise<ExportFacts> {
  const prices = new PriceDigest();
  let start: ExportStart | null = null;
  let items = 0;
  let quotes = 0;
  for await (const record of client.streamMarketUnverified({ signal, onProgress })) {
    if (record.type === "start") {
      start = record;
      writer.start?.(record);
    } else if (record.type === "item") {
      items += 1;
      quotes += record.data.asks.length + record.data.bids.length;
      prices.add(record.data);
      writer.item?.(record.data);
    }
  }
  if (start === null) throw new ExportError("truncated", "the stream has no record");
  const digest = prices.result();
  const { generation } = start;
  if (checksDigest) await confirmDigest(start, digest, () => readDigest(client, generation, signal, onRepeat));
  return { start, items, quotes, digest: digest.digest, digestChecked: checksDigest };
}

/** Repeats the request without a response, because the export is charged and complete. */
function readDigest(client: Itemtape, generation: string, signal: AbortSignal, onRepeat: ReceiveOptions["onRepeat"]) {
  return retryUnanswered(() => client.getGeneration({ generation }, { signal }), signal, onRepeat);
}

/** Repeats `work` while the service does not respond, up to three times in total. Calls `onRepeat` with the reason first. */
export async function retryUnanswered<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  onRepeat: (why: string) => void,
): Promise<Result> {
  for (let time = 1; ; time += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || time === timesMax) throw error;
      onRepeat(error instanceof ItemtapeError ? `HTTP ${error.status}` : "no answer");
      await sleep(backoffMs(time, retry), undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}

/** `take` is called with each chunk. Pass null to receive no chunks. */
type TapOptions = { take: ((chunk: Uint8Array) => void) | null; checksDigest: boolean };

/** Receives the decoded body of an export before the client does. */
export class Tap {
  /** The error of `take`. The client only sees an interrupted body. */
  fault: unknown;
  readonly #options: TapOptions;

  constructor(options: TapOptions) {
    this.#options = options;
  }

  readonly fetch: typeof globalThis.fetch = async (target, options) => {
    const response = await globalThis.fetch(target, options);
    const isExport = new URL(target instanceof Request ? target.url : target).pathname.endsWith("/v1/markets/snapshot");
    if (!isExport || response.status !== 200 || response.body === null) return response;
    const { body, headers } = response;
    const { take, checksDigest } = this.#options;
    if (checksDigest && headers.get("x-quota-remaining") === "0") {
      this.fault = new LastUnit();
      await body.cancel();
      throw this.fault;
    }
    return take === null ? response : new Response(body.pipeThrough(this.#tap(take)), response);
  };

  #tap(take: (chunk: Uint8Array) => void): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (chunk, controller) => {
        try {
          take(chunk);
        } catch (error) {
          this.fault = error;
          throw error;
        }
        controller.enqueue(chunk);
      },
    });
  }
}
