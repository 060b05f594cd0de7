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
