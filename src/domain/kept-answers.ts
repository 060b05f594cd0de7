import { type Encoded, encoded } from "../values/encoded.ts";

/** An encoded answer. `facts`: what else is needed to answer. */
type Answer<Facts> = { readonly data: Encoded; readonly facts: Facts };

/** What an answer takes beside its bytes. */
const answerBytes = 1024;

/** Requests that are remembered as asked. */
const askedMax = 4096;

// Bench rows `batch`, `openables` and `daily`: without it their requests take 4, 10 and 1.5 times the processor.
/**
 * Keeps large encoded answers by what was asked, of one state of the data, in at most `bytesMax` bytes: those that were asked for last.
 * What is asked for the first time is not kept: whoever walks through the market would push out what others repeat.
 */
export class KeptAnswers<Facts> {
  readonly #bytesMax: number;
  #answers = new Map<string, Answer<Facts>>();
  #bytes = 0;
  #state = "";
  /** Of any state. */
  readonly #asked = new Set<string>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the answer to a request in a state of the data; undefined: it is not kept. Forgets the answers of any other state. */
  get(asked: string, state: string): Answer<Facts> | undefined {
    if (state !== this.#state) {
      this.#answers = new Map();
      this.#bytes = 0;
      this.#state = state;
    }
    const answer = this.#answers.get(asked);
    if (answer === undefined) return undefined;
    // A map goes from the oldest entry to the newest.
    this.#answers.delete(asked);
    this.#answers.set(asked, answer);
    return answer;
  }

  /**
   * Returns an answer of the state that was asked for last, and keeps it if the same was asked before. `content` is never written to
   * again; `basis` is another one whenever the content is.
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
/** What an entry takes beside its bytes, outside of the chunks. */
const entryBytes = 512;

// Bench row `quotes`: without it a request takes 1.4 times the processor, and more than fastify's.
/**
 * Keeps encoded answers by item, of one state of the market, in at most `bytesMax` bytes with all that they take. Their bytes lie together in
 * chunks, of which the oldest is forgotten as a whole. Large answers are kept apart, by `KeptAnswers`.
 */
export class AnswerCache<Facts> {
  readonly #bytesMax: number;
  #answers = new Map<number, Answer<Facts>>();
  #chunks: { readonly bytes: Buffer; readonly itemIds: number[]; used: number }[] = [];
  #state = "";

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the answer of an item in a state of the market; undefined: it is not kept. Forgets the answers of any other state. */
  get(itemId: number, state: string): Answer<Facts> | undefined {
    if (state !== this.#state) {
      this.#answers = new Map();
      this.#chunks = [];
      this.#state = state;
    }
    return this.#answers.get(itemId);
  }

  /** Keeps an answer of the state that was asked for last, and returns it. One too large for a chunk is not kept. */
  add(itemId: number, content: Buffer, facts: Facts): Answer<Facts> {
    if (content.length > chunkBytes) return { data: encoded(content), facts };
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || chunk.used + content.length > chunkBytes) {
      chunk = { bytes: Buffer.allocUnsafeSlow(chunkBytes), itemIds: [], used: 0 };
      this.#chunks.push(chunk);
    }
    // Never written to again: a client may still be sent an answer that is forgotten.
    const kept = chunk.bytes.subarray(chunk.used, chunk.used + content.length);
    content.copy(kept);
    chunk.used += content.length;
    chunk.itemIds.push(itemId);
    const answer = { data: encoded(kept), facts };
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
