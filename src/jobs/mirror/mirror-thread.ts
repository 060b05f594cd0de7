import type { EventFacts, Reports } from "../../values/event-facts.ts";
import { backoffMs } from "../../values/time/backoff.ts";
import { minuteMs, secondMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { WorkerThread } from "../../worker/thread.ts";
import { type MirrorEvents, type MirrorMessage, relay } from "./mirror-events.ts";
import type { MirrorSetup } from "./mirror-setup.ts";

type MirrorThreadEvents = MirrorEvents & Reports<Pick<EventFacts, "mirrorDied">>;

const restart = { firstMs: secondMs, maxMs: 5 * minuteMs };
/** A small young generation keeps the heap close to the live size. */
const memory = { maxYoungGenerationSizeMb: 3 };
/** After a run of this length the restart delay is reset. */
const wellMs = 10 * minuteMs;

/**
 * Runs a mirror in a separate thread, so that it does not disturb the server. A thread that dies is restarted with growing delays. The
 * caller holds the mirror lock.
 */
export class MirrorThread {
  readonly #setup: MirrorSetup;
  readonly #events: MirrorThreadEvents;
  readonly #clock: Clock;
  #thread: WorkerThread<MirrorSetup, null, MirrorMessage>;
  #restart: NodeJS.Timeout | undefined;
  #deaths = 0;
  #isClosing = false;

  constructor(setup: MirrorSetup, events: MirrorThreadEvents, clock: Clock) {
    this.#setup = setup;
    this.#events = events;
    this.#clock = clock;
    this.#thread = this.#start();
  }

  /** Stops the mirror between two transactions. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restart);
    await this.#thread.close();
  }

  #start(): WorkerThread<MirrorSetup, null, MirrorMessage> {
    const startedMs = this.#clock.monotonicMs();
    const thread = new WorkerThread<MirrorSetup, null, MirrorMessage>(
      { entry: "src/jobs/mirror/worker.ts", setup: null },
      (message) => relay(message, this.#events),
      memory,
    );
    void this.#follow(thread, startedMs);
    return thread;
  }

  /** Waits until the mirror ends, then starts another one unless this thread is closing. */
  async #follow(thread: WorkerThread<MirrorSetup, null, MirrorMessage>, startedMs: number): Promise<void> {
    const reason = await thread.ask(this.#setup).then(
      () => "the thread ended",
      (error: Error) => error.message,
    );
    await thread.close();
    if (this.#isClosing) return;
    this.#deaths = this.#clock.monotonicMs() - startedMs >= wellMs ? 1 : this.#deaths + 1;
    const restartMs = backoffMs(this.#deaths, restart);
    this.#events.mirrorDied({ reason, restart_ms: restartMs });
    this.#restart = setTimeout(() => {
      this.#thread = this.#start();
    }, restartMs);
    this.#restart.unref();
  }
}
