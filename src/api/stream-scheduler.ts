/** A stream that sends a page when the scheduler lets it. */
export type ScheduledStream = {
  /** Reads and sends one page. */
  sendPage(): void;
  /** Ends the stream as soon as it can be ended honestly. */
  interrupt(): void;
};

/**
 * Schedules all exports in turn: one page per turn of the event loop, so that other requests are answered between any two pages,
 * whoever they belong to.
 */
export class StreamScheduler {
  readonly #streams = new Set<ScheduledStream>();
  readonly #waiting = new Set<ScheduledStream>();
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

  add(stream: ScheduledStream): void {
    this.#streams.add(stream);
  }

  remove(stream: ScheduledStream): void {
    this.#streams.delete(stream);
    this.#waiting.delete(stream);
    if (this.#streams.size === 0) for (const idle of this.#idle.splice(0)) idle();
  }

  /** Schedules one page of a stream, behind those that are scheduled already. */
  schedule(stream: ScheduledStream): void {
    this.#waiting.add(stream);
    this.#immediate ??= setImmediate(this.#runNext);
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

  readonly #runNext = (): void => {
    this.#immediate = null;
    const [stream] = this.#waiting;
    if (stream === undefined) return;
    this.#waiting.delete(stream);
    if (this.#waiting.size > 0) this.#immediate = setImmediate(this.#runNext);
    stream.sendPage();
  };
}
