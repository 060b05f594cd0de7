import { PriceDigest } from "../../client/digest.ts";
import {
  ExportError,
  type ExportProgress,
  type Itemtape,
  ItemtapeError,
  type VerifiedDigest,
} from "../../client/index.ts";
import { shown } from "../../ingest/feeds/observation.ts";
import type { ExportFacts, ExportStart, ExportWriter } from "./writer.ts";

export type ReceiveOptions = {
  signal: AbortSignal;
  /** Whether the server's digest of the generation is asked for, for one unit. */
  checksDigest: boolean;
  onProgress(progress: ExportProgress): void;
};

/**
 * Hands an export to `writer` record by record as it comes, and returns what is known of it after its end. The file is not
 * finished then. Throws what the client throws; until it returns, nothing that was written may be believed.
 */
export async function receive(
  client: Itemtape,
  writer: ExportWriter,
  { signal, checksDigest, onProgress }: ReceiveOptions,
): Promise<ExportFacts> {
  const prices = new PriceDigest();
  let start: ExportStart | null = null;
  let items = 0;
  let quotes = 0;
  for await (const record of client.streamMarketUnverified({ signal, onProgress })) {
    if (record.type === "start") {
      start = record;
      writer.start(record);
    } else if (record.type === "item") {
      items += 1;
      quotes += record.data.asks.length + record.data.bids.length;
      prices.add(record.data);
      writer.item(record.data);
    }
  }
  if (start === null) throw new ExportError("truncated", "the stream has no record");
  const digest = prices.result();
  if (checksDigest) await compare(client, start, digest, signal);
  return { start, items, quotes, digest: digest.digest, digestChecked: checksDigest };
}

/** Throws ExportError `digest` where the service published other prices under this name than it sent. */
async function compare(
  client: Itemtape,
  { generation, ingested_at, request_id: requestId }: ExportStart,
  own: VerifiedDigest,
  signal: AbortSignal,
): Promise<void> {
  const differs = (why: string) =>
    new ExportError("digest", `the export of ${shown(generation)} is not what was published: ${why}`, { requestId });
  const { data } = await client.getGeneration({ generation }, { signal }).catch((error: unknown) => {
    if (error instanceof ItemtapeError && error.status === 404) throw differs("the service knows no digest of it");
    throw error;
  });
  const said: Readonly<Record<string, unknown>> = { ...data };
  for (const [name, value] of Object.entries({ generation, ingested_at, ...own })) {
    if (said[name] !== value)
      throw differs(`its \`${name}\` is ${shown(String(said[name]))}, here ${shown(String(value))}`);
  }
}

/** Sees the body of an export, decoded, before anybody reads it. */
export class Tap {
  /** What taking it threw; whoever reads the body only sees it break off. */
  fault: unknown;
  readonly #take: (chunk: Uint8Array) => void;

  constructor(take: (chunk: Uint8Array) => void) {
    this.#take = take;
  }

  readonly fetch: typeof globalThis.fetch = async (target, options) => {
    const response = await globalThis.fetch(target, options);
    const isExport = new URL(target instanceof Request ? target.url : target).pathname.endsWith("/v1/markets/snapshot");
    if (!isExport || response.status !== 200 || response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(this.#tap()), { status, statusText, headers });
  };

  #tap(): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (chunk, controller) => {
        try {
          this.#take(chunk);
        } catch (error) {
          this.fault = error;
          throw error;
        }
        controller.enqueue(chunk);
      },
    });
  }
}
