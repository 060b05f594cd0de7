import { type Encoded, encoded } from "../values/encoded.ts";

/** An encoded response. `facts`: further values needed to answer. */
type Answer<Facts> = { readonly data: Encoded; readonly facts: Facts };

/** Memory of a response beside its bytes. */
const answerBytes = 1024;

/** Maximum recorded requests. */
const askedMax = 4096;

// Without this cache, bench rows `batch`, `openables` and `daily` need 4, 10 and 1.5 times the processor time.
/**
 * Caches large encoded responses of one state of the data by request, in at most `bytesMax` bytes; the least recently used go first. The
 * first response to a request is not cached. Otherwise a client that pages through the market would evict requests that others repeat.
 */
export class ResponseCache<Facts> {
  readonly #bytesMax: number;
  #answers = new Map<string, Answer<Facts>>();
  #bytes = 0;
  #state = "";
  /** Recorded requests in any state. */
  readonly #asked = new Set<string>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the cached response to a request in a state of the data, else undefined. Removes responses of other states. */
  get(asked: string, state: string): Answer<Facts> | undefined {
    if (state !== this.#state) {
      this.#answers = new Map();
      this.#bytes = 0;
      this.#state = state;
    }
    const answer = this.#answers.get(asked);
    if (answer === undefined) return undefined;
    // A map iterates from the oldest entry to the newest.
    this.#answers.delete(asked);
    this.#answers.set(asked, answer);
    return answer;
  }

  /**
   * Returns a response for the state of the last `get`. Caches it if the same request was made before. `content` is never written to again;
   * `basis` must change with the content.
   */
  add(asked: string, content: Buffer, facts: Facts, basis?: string): Answer<Facts> {
    const answer = { data: encoded(content, basis), facts };
    if (!this.#asked.has(asked)) {
      if (this.#asked.size === askedMax) this.#asked.clear();
      this.#asked.add(asked);
      return answer;
    }
    this.#remove(asked);
    this.#answers.set(asked, answer);
    this.#bytes += bytesOf(asked, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#remove(oldest);
    }
    return answer;
  }

  #remove(asked: string): void {
    const answer = this.#answers.get(asked);
    if (answer === undefined) return;
    this.#answers.delete(asked);
    this.#bytes -= bytesOf(asked, answer);
  }
}

function bytesOf(asked: string, { data }: Answer<unknown>): number {
  return answerBytes + 2 * asked.length + data.content.length;
}

const chunkBytes = 1024 * 1024;
/** Memory of an entry beside its bytes, outside of the chunks. */
const entryBytes = 512;

// Without this cache, bench row `quotes` needs 1.4 times the processor time, which is more than fastify's.
/**
 * Caches encoded responses of one state of the market by item, in at most `bytesMax` bytes including overhead. Their bytes are in shared
 * chunks; the oldest chunk is removed as a whole. Large responses are cached separately, by `ResponseCache`.
 */
export class AnswerCache<Facts> {
  readonly #bytesMax: number;
  #answers = new Map<number, Answer<Facts>>();
  #chunks: { readonly bytes: Buffer; readonly itemIds: number[]; used: number }[] = [];
  #state = "";

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the cached response for an item in a state of the market, else undefined. Removes responses of other states. */
  get(itemId: number, state: string): Answer<Facts> | undefined {
    if (state !== this.#state) {
      this.#answers = new Map();
      this.#chunks = [];
      this.#state = state;
    }
    return this.#answers.get(itemId);
  }

  /** Caches a response for the state of the last `get`, and returns it. A response too large for a chunk is not cached. */
  add(itemId: number, content: Buffer, facts: Facts): Answer<Facts> {
    if (content.length > chunkBytes) return { data: encoded(content), facts };
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || chunk.used + content.length > chunkBytes) {
      chunk = { bytes: Buffer.allocUnsafeSlow(chunkBytes), itemIds: [], used: 0 };
      this.#chunks.push(chunk);
    }
    // These bytes are never overwritten, because a removed response may still be in transmission.
    const cached = chunk.bytes.subarray(chunk.used, chunk.used + content.length);
    content.copy(cached);
    chunk.used += content.length;
    chunk.itemIds.push(itemId);
    const answer = { data: encoded(cached), facts };
    this.#answers.set(itemId, answer);
    if (this.#bytes > this.#bytesMax) this.#forgetOldest();
    return answer;
  }

  get #bytes(): number {
    return this.#chunks.length * chunkBytes + this.#answers.size * entryBytes;
  }

  #forgetOldest(): void {
    for (const itemId of this.#chunks.shift()?.itemIds ?? []) this.#answers.delete(itemId);
  }
}
