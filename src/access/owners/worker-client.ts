import { Worker } from "node:worker_threads";
import type { Clock } from "../../values/clock.ts";
import { OwnerRefusal } from "./owner-refusal.ts";
import type {
  DeskCall,
  DeskCalls,
  DeskReply,
  DeskRequest,
  DeskThreadSetup,
  FromDesk,
  ToDesk,
} from "./worker-messages.ts";

/** When to come again after a refusal for want of room. */
export const busyRetryS = 1;
/** After so long a thread that is to close is cut; SQLite undoes what it had not committed. */
const closeMs = 1000;

type Waiter = { resolve(value: unknown): void; reject(error: Error): void };
type Thread = { worker: Worker; ended: Promise<void> };

/** A thread that does one thing after the other, started with the first of them and anew after it has died. */
export class DeskThread {
  readonly #setup: DeskThreadSetup;
  readonly #clock: Clock;
  readonly #waiters = new Map<number, Waiter>();
  #thread: Thread | null = null;
  #count = 0;
  #isClosed = false;

  constructor(setup: DeskThreadSetup, clock: Clock) {
    this.#setup = setup;
    this.#clock = clock;
  }

  /** Rejects with OwnerRefusal for what is refused. */
  ask<Call extends DeskCall>(call: Call, ...args: Parameters<DeskCalls[Call]>): Promise<ReturnType<DeskCalls[Call]>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new OwnerRefusal("busy", undefined, busyRetryS);
      this.#thread ??= this.#start();
      this.#count += 1;
      const id = this.#count;
      this.#waiters.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#thread.worker.postMessage({ id, at: this.#clock.now(), call, args } as DeskRequest satisfies ToDesk);
    });
  }

  /** Ends what is under way and the thread, if it was ever started. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#thread === null) return;
    const { worker, ended } = this.#thread;
    worker.postMessage("close" satisfies ToDesk);
    const cut = setTimeout(() => void worker.terminate(), closeMs);
    await ended;
    clearTimeout(cut);
  }

  #start(): Thread {
    const worker = new Worker(new URL("./worker.mjs", import.meta.url), { workerData: this.#setup });
    let reason = new Error("the desk's thread ended");
    worker.on("message", (message: FromDesk) => this.#answer(message));
    worker.on("error", (error) => {
      reason = error as Error;
    });
    const ended = new Promise<void>((resolve) => {
      worker.once("exit", () => {
        // The next wish starts another one.
        this.#thread = null;
        for (const { reject } of this.#waiters.values()) reject(reason);
        this.#waiters.clear();
        resolve();
      });
    });
    return { worker, ended };
  }

  #answer(reply: FromDesk): void {
    if (reply === "ready") return;
    const waiter = this.#waiters.get(reply.id);
    this.#waiters.delete(reply.id);
    if (waiter !== undefined) settle(waiter, reply);
  }
}

function settle({ resolve, reject }: Waiter, reply: DeskReply): void {
  if (reply.kind === "done") resolve(reply.value);
  else if (reply.kind === "refused") reject(new OwnerRefusal(reply.code, reply.message, reply.retryAfterS));
  else reject(new Error(reply.cause));
}
