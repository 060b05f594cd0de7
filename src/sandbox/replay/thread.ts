import type { ReplaySpan } from "../../store/read/replay-moments.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { WorkerThread } from "../../worker/thread.ts";
import type { WorldClocks } from "../clocks.ts";
import type { Played } from "./replay.ts";
import type { ReplayOrder, ReplaySetup } from "./worker.ts";

/** A replay in a thread of its own. The server answers during a move, which needs seconds for a whole market. */
export class ReplayThread {
  readonly span: ReplaySpan;
  readonly #clocks: WorldClocks;
  readonly #thread: WorkerThread<ReplayOrder, Played | null>;
  #timer: NodeJS.Timeout | undefined;

  constructor(setup: Omit<ReplaySetup, "moves">, clocks: WorldClocks) {
    this.span = setup.span;
    this.#clocks = clocks;
    this.#thread = new WorkerThread({
      entry: "src/sandbox/replay/worker.ts",
      setup: { ...setup, moves: clocks.moves } satisfies ReplaySetup,
    });
  }

  /**
   * Prepares the file. `signal` ends it.
   * @throws the reason of the signal, or the error of the preparation.
   */
  async begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const end = () => void this.end();
    signal.addEventListener("abort", end);
    try {
      await this.#thread.ask("begin");
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  /** Plays all changes until `to` (UTC ms), and leaves the clock at that instant. */
  async to(to: number): Promise<Played> {
    return (await this.#thread.ask({ to }))!;
  }

  /** Plays until a generation is published. `publication` is null if the span has no other. */
  async next(): Promise<Played> {
    return (await this.#thread.ask({ to: null }))!;
  }

  /** Moves the clock once a second, at `speed` times its pace, until the end of the span. */
  run(speed: number): void {
    let isMoving = false;
    this.#timer = setInterval(() => {
      if (isMoving) return;
      isMoving = true;
      const to = Math.min(this.#clocks.market.now() + speed * secondMs, this.span.until);
      // A failed move is repeated with the next one.
      void this.to(to)
        .catch(() => undefined)
        .then(() => {
          isMoving = false;
          if (to === this.span.until) clearInterval(this.#timer);
        });
    }, secondMs);
  }

  /** Ends the replay after the change that it plays. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#thread.close();
  }
}
