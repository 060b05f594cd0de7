import { parentPort, workerData } from "node:worker_threads";
import { storageFailure } from "../values/storage-failure.ts";
import type { FromWorker, ToWorker, WorkerData } from "./protocol.ts";

/** The work of one thread. */
type WorkerHandler<Request, Reply> = {
  /** Requests are not queued: one that awaits lets the next one begin. What it throws reaches the one who asked. */
  answer(request: Request): Reply | Promise<Reply>;
  /** Called once, after every answer was sent. */
  close?(): void;
};

/** The context of a handler: `closing` is aborted when the thread must end, `emit` sends an event. */
export type WorkerContext<Event> = { closing: AbortSignal; emit(event: Event): void };

/**
 * Serves the requests of the `WorkerThread` that started this thread, until it is closed. `start` receives the thread's setup; what
 * it throws ends the thread.
 */
export function serveThread<Setup, Request, Reply, Event = never>(
  start: (setup: Setup, context: WorkerContext<Event>) => WorkerHandler<Request, Reply>,
): void {
  const port = parentPort;
  if (port === null) throw new Error("this file is started as a thread only");
  const send = (message: FromWorker<Reply, Event>) => port.postMessage(message);
  // Node would print them as plain text between the lines of the log.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => send({ warning: { name, message } }));
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  const { setup } = workerData as WorkerData;
  const handler = start(setup as Setup, { closing: closing.signal, emit: (event) => send({ event }) });
  port.on("message", (message: ToWorker<Request>) => {
    if (message === "close") {
      closing.abort();
      void Promise.all(underWay).then(() => {
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
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  send("ready");
}

async function answerWith<Request, Reply>(handler: WorkerHandler<Request, Reply>, request: Request): Promise<Reply> {
  return handler.answer(request);
}
