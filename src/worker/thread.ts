import { parentPort, type ResourceLimits, Worker, workerData } from "node:worker_threads";
import { type StorageFailureFacts, storageFailure } from "../values/failure/storage-failure.ts";
import { entryFlags, entryPath } from "../values/root.ts";
import { secondMs } from "../values/time/calendar.ts";

/** `workerData` of a thread. `entry` is the path of its source file, relative to the root. */
type WorkerData = { entry: string; setup: unknown };

/** Messages to a thread. After `close` it finishes its running requests and ends. */
type ToWorker<Request> = { id: number; request: Request } | "close";

/**
 * Messages from a thread: ready, a reply or error for a request, an event, or a runtime warning. `storage` is the storage failure behind
 * the error, or null.
 */
type FromWorker<Reply, Event> =
  | "ready"
  | { id: number; reply: Reply }
  | { id: number; error: Error; storage: StorageFailureFacts | null }
  | { event: Event }
  | { warning: { name: string; message: string } };

/** Maximum time from `close` until the thread is terminated. SQLite then rolls back uncommitted work. */
const cutAfterMs = secondMs;

type Waiter<Reply> = { resolve(reply: Reply): void; reject(error: Error): void };

/**
 * A thread of this program. It answers requests and sends events until it is closed or dies. It is not restarted: create another one when
 * `ended` resolves.
 */
export class WorkerThread<Request, Reply, Event = never> {
  /** Resolves to the reason when the thread has ended. */
  readonly ended: Promise<Error>;
  /** Resolves when the thread accepts requests. Rejects with the error if the thread ends before that. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiter<Reply>>();
  #endedBy: Error | null = null;
  #diedOf: Error | null = null;
  #closed: Promise<void> | null = null;
  #requests = 0;

  /** Starts `data.entry` with a copy of `data.setup`. Requests may be sent at once. `memory` limits the thread's heap. */
  constructor(data: WorkerData, onEvent: (event: Event) => void = () => {}, memory: ResourceLimits = {}) {
    const options = { workerData: data, execArgv: [...entryFlags], resourceLimits: memory };
    this.#worker = new Worker(entryPath(data.entry), options);
    let reason = new Error("the thread ended");
    this.#worker.on("error", (error) => {
      reason = error as Error;
      this.#diedOf = reason;
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#endedBy = reason;
        for (const { reject } of this.#waiting.values()) reject(reason);
        this.#waiting.clear();
        resolve(reason);
      });
    });
    this.ready = new Promise((resolve, reject) => {
      this.ended.then(reject);
      this.#worker.on("message", (message: FromWorker<Reply, Event>) => {
        if (message === "ready") resolve();
        else if ("event" in message) onEvent(message.event);
        else if ("warning" in message) process.emitWarning(message.warning.message, message.warning.name);
        else this.#complete(message);
      });
    });
    // Most owners do not await `ready`: their first request reports the error.
    this.ready.catch(() => {});
  }

  /** Returns the uncaught error that ended the thread. Null if it runs or ended normally. */
  get diedOf(): Error | null {
    return this.#diedOf;
  }

  get hasEnded(): boolean {
    return this.#endedBy !== null;
  }

  /**
   * Sends a request and resolves to its reply.
   * @throws {Error} when the handler threw or the thread died. It is the original error.
   */
  ask(request: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#endedBy !== null) throw this.#endedBy;
      this.#requests += 1;
      const id = this.#requests;
      // Sends before registering, because an uncloneable request throws here.
      this.#send({ id, request });
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Lets the thread finish its running requests and resolves when it has ended. With `cut` the thread is terminated after 1 s. */
  close({ cut = true } = {}): Promise<void> {
    this.#closed ??= this.#close(cut);
    return this.#closed;
  }

  async #close(cut: boolean): Promise<void> {
    this.#send("close");
    const timer = cut ? setTimeout(() => void this.#worker.terminate(), cutAfterMs) : undefined;
    await this.ended;
    clearTimeout(timer);
  }

  #send(message: ToWorker<Request>): void {
    this.#worker.postMessage(message);
  }

  #complete(
    message: { id: number; reply: Reply } | { id: number; error: Error; storage: StorageFailureFacts | null },
  ): void {
    const waiter = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("reply" in message) waiter?.resolve(message.reply);
    // Structured cloning drops an error's class and code.
    else if (message.storage === null) waiter?.reject(message.error);
    else waiter?.reject(Object.assign(message.error, { cause: { name: "SqliteError", ...message.storage } }));
  }
}

/** A thread that starts with the first request. If it has died, the next request starts a new one. */
export class LazyThread<Request, Reply> {
  readonly #data: WorkerData;
  #thread: WorkerThread<Request, Reply> | null = null;

  constructor(data: WorkerData) {
    this.#data = data;
  }

  /**
   * Sends a request and resolves to its reply. Starts a new thread if none runs.
   * @throws {Error} when the handler threw or the thread died. It is the original error.
   */
  ask(request: Request): Promise<Reply> {
    if (this.#thread === null || this.#thread.hasEnded) this.#thread = new WorkerThread(this.#data);
    return this.#thread.ask(request);
  }

  /** Lets a running thread finish its requests. The thread is terminated after 1 s. */
  async close(): Promise<void> {
    await this.#thread?.close();
  }
}

/**
 * Sends one request to a new thread, then ends the thread. Resolves to null if `signal` was aborted before the reply.
 * @throws {Error} when the run fails.
 */
export async function runInThread<Outcome>(entry: string, order: object, signal: AbortSignal): Promise<Outcome | null> {
  if (signal.aborted) return null;
  const thread = new WorkerThread<object, Outcome | null>({ entry, setup: null });
  const end = () => void thread.close();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await thread.ask(order);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
    await thread.close();
  }
}

/** The request handler of a thread. */
type WorkerHandler<Request, Reply> = {
  /** Answers a request. Requests are not queued: while one awaits, the next one may begin. An exception is passed to the sender. */
  answer(request: Request): Reply | Promise<Reply>;
  /** Called once, after all replies were sent. */
  close?(): void;
};

/** The context of a handler. `closing` is aborted when the thread must end; `emit` sends an event. */
export type WorkerContext<Event> = { closing: AbortSignal; emit(event: Event): void };

/**
 * Serves requests from the `WorkerThread` that started this thread until it is closed. `start` receives the thread's setup; an exception in
 * `start` ends the thread.
 */
export function serveThread<Setup, Request, Reply, Event = never>(
  start: (setup: Setup, context: WorkerContext<Event>) => WorkerHandler<Request, Reply>,
): void {
  const port = parentPort;
  if (port === null) throw new Error("this file is started as a thread only");
  const send = (message: FromWorker<Reply, Event>) => port.postMessage(message);
  // By default Node prints warnings as plain text between the log lines.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => send({ warning: { name, message } }));
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const { setup } = workerData as WorkerData;
  const handler = start(setup as Setup, { closing: closing.signal, emit: (event) => send({ event }) });
  port.on("message", (message: ToWorker<Request>) => {
    if (message === "close") {
      closing.abort();
      void Promise.all(running).then(() => {
        handler.close?.();
        port.close();
      });
      return;
    }
    const { id, request } = message;
    const answered = answerWith(handler, request)
      .then(
        (reply) => send({ id, reply }),
        (thrown: unknown) => {
          const error = thrown instanceof Error ? thrown : new Error(String(thrown));
          send({ id, error, storage: storageFailure(thrown) });
        },
      )
      .finally(() => running.delete(answered));
    running.add(answered);
  });
  send("ready");
}

async function answerWith<Request, Reply>(handler: WorkerHandler<Request, Reply>, request: Request): Promise<Reply> {
  return handler.answer(request);
}
