import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { dayMs, hourMs, secondMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { DownloadThread, type FollowThread } from "./thread.ts";

/** Time of one slice, in which no release is downloaded, and pause between its steps of 4 MiB. */
const sliceMs = 10 * secondMs;
const pauseMs = 100;

/** Compares the served file with its release once after the start and then once a day, in slices. */
export class ServedCheck {
  readonly #setup: FollowThread;
  readonly #clock: Clock;
  /** Window of the next step and time of the next check, by inode: the server alternates between two files. */
  readonly #files = new Map<number, { from: number; dueMs: number }>();

  constructor(setup: FollowThread, clock: Clock) {
    this.#setup = setup;
    this.#clock = clock;
  }

  /** Records that the whole served file has just been verified. */
  passed(): void {
    this.#set(this.#served(), 0, dayMs);
  }

  /**
   * Runs one slice if a check is due. After a failure the check begins again in an hour.
   * @throws {FollowRefusal} `damaged` when the file differs from its release.
   */
  async slice(signal: AbortSignal): Promise<void> {
    const inode = this.#served();
    const { from, dueMs } = this.#files.get(inode) ?? { from: 0, dueMs: 0 };
    const startedMs = this.#clock.monotonicMs();
    if (startedMs < dueMs) return;
    const thread = new DownloadThread(this.#setup);
    try {
      for (let next = from; this.#clock.monotonicMs() < startedMs + sliceMs; ) {
        const following = await thread.ask("check", next);
        if (following === null) return this.passed();
        next = following;
        this.#set(inode, next, 0);
        await wait(pauseMs, undefined, { signal });
      }
    } catch (error) {
      this.#set(inode, 0, hourMs);
      throw error;
    } finally {
      await thread.close();
    }
  }

  #served(): number {
    return statSync(this.#setup.path).ino;
  }

  #set(inode: number, from: number, afterMs: number): void {
    const [oldest] = this.#files.keys();
    if (this.#files.size > 1 && !this.#files.has(inode)) this.#files.delete(oldest!);
    this.#files.set(inode, { from, dueMs: this.#clock.monotonicMs() + afterMs });
  }
}
