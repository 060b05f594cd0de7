import { type Encoded, encoded } from "../values/encoded.ts";

/** An answer about an item. `facts`: what else is needed to answer. */
type Answer<Facts> = { readonly data: Encoded; readonly facts: Facts };

const chunkBytes = 1024 * 1024;
/** What an entry takes beside its bytes, outside of the chunks. */
const entryBytes = 512;

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
