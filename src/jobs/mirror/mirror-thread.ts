import { Worker } from "node:worker_threads";
import { minuteMs, secondMs } from "../../values/calendar.ts";
import type { Clock } from "../../values/clock.ts";
import { type MirrorEvents, type MirrorMessage, relay } from "./mirror-events.ts";
import type { MirrorSetup } from "./mirror-setup.ts";

export type MirrorThreadEvents = MirrorEvents & {
  /** The thread ended by itself. It is started again. */
  mirrorDied(facts: { reason: string; restart_ms: number }): void;
};

const restartFirstMs = secondMs;
const restartMaxMs = 5 * minuteMs;
/** A thread that has run for so long was well: the next restart is quick again. */
const wellMs = 10 * minuteMs;
/** After this long the thread is cut; SQLite undoes what it had not committed. */
const closeMs = secondMs;

/**
 * A mirror in a thread of its own, beside a server that must not notice it: one that dies is started again, later each time. The
 * caller holds the mirror lock.
 */
export class MirrorThread {
  readonly #setup: MirrorSetup;
  readonly #events: MirrorThreadEvents;
  readonly #clock: Clock;
  #worker: Worker;
  #ended: Promise<void>;
  #restart: NodeJS.Timeout | undefined;
  #deaths = 0;
  #isClosing = false;

  constructor(setup: MirrorSetup, events: MirrorThreadEvents, clock: Clock) {
    this.#setup = setup;
    this.#events = events;
    this.#clock = clock;
    [this.#worker, this.#ended] = this.#start();
  }

  /** Ends the mirror between two transactions. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restart);
    this.#worker.postMessage("close");
    const cut = setTimeout(() => void this.#worker.terminate(), closeMs);
    await this.#ended;
    clearTimeout(cut);
  }

  #start(): [Worker, Promise<void>] {
    const startedMs = this.#clock.monotonicMs();
    const worker = new Worker(new URL("./worker.mjs", import.meta.url), { workerData: this.#setup });
    let reason = "its thread ended";
    worker.on("message", (message: MirrorMessage) => relay(message, this.#events));
    worker.on("error", (error) => {
      reason = (error as Error).message;
    });
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    ended.then(() => this.#isClosing || this.#died(reason, this.#clock.monotonicMs() - startedMs));
    return [worker, ended];
  }

  #died(reason: string, livedMs: number): void {
    this.#deaths = livedMs >= wellMs ? 1 : this.#deaths + 1;
    const restartMs = Math.min(restartMaxMs, restartFirstMs * 2 ** Math.min(this.#deaths - 1, 20));
    this.#events.mirrorDied({ reason, restart_ms: restartMs });
    this.#restart = setTimeout(() => {
      [this.#worker, this.#ended] = this.#start();
    }, restartMs);
    this.#restart.unref();
  }
}
