/** A stream that reads its pages when it is given a turn. */
export type TurnTaker = {
  /** Reads and sends one page. */
  turn(): void;
  /** Ends the stream as soon as it can be ended honestly. */
  interrupt(): void;
};

/**
 * Hands out turns among all exports: one page per turn of the event loop, so that other requests are answered between any
 * two pages, whoever they belong to.
 */
export class PageTurns {
  readonly #streams = new Set<TurnTaker>();
  readonly #waiting = new Set<TurnTaker>();
  readonly #idle: (() => void)[] = [];
  #immediate: NodeJS.Immediate | null = null;
  #open = true;

  /** Streams under way. */
  get active(): number {
    return this.#streams.size;
  }

  /** False once the service shuts down: no stream may begin any more. */
  get open(): boolean {
    return this.#open;
  }

  enter(stream: TurnTaker): void {
    this.#streams.add(stream);
  }

  leave(stream: TurnTaker): void {
    this.#streams.delete(stream);
    this.#waiting.delete(stream);
    if (this.#streams.size === 0) for (const idle of this.#idle.splice(0)) idle();
  }

  /** Asks for one turn; the streams that ask take them in the order of asking. */
  ask(stream: TurnTaker): void {
    this.#waiting.add(stream);
    this.#immediate ??= setImmediate(this.#turn);
  }

  /**
   * Lets no stream begin any more and ends those under way, each with its error record where the client still takes it.
   * Resolves when none is left: a client that takes nothing is waited for until its deadline or until its socket is closed.
   */
  interruptAll(): Promise<void> {
    this.#open = false;
    for (const stream of [...this.#streams]) stream.interrupt();
    return this.#streams.size === 0 ? Promise.resolve() : new Promise((idle) => this.#idle.push(idle));
  }

  readonly #turn = (): void => {
    this.#immediate = null;
    const [stream] = this.#waiting;
    if (stream === undefined) return;
    this.#waiting.delete(stream);
    if (this.#waiting.size > 0) this.#immediate = setImmediate(this.#turn);
    stream.turn();
  };
}
