import type { StorageFailureFacts } from "../values/storage-failure.ts";

/** `workerData` of a thread: `entry` is its source file from the root of the checkout, one of `entries` in `bundle.mjs`. */
export type WorkerData = { entry: string; setup: unknown };

/** Messages to a thread. After `close` it finishes what is under way and ends. */
export type ToWorker<Request> = { id: number; request: Request } | "close";

/**
 * Messages of a thread: it has started, what came of a request, an event, or a warning of the runtime. `storage`: the failure of
 * storage that the error means.
 */
export type FromWorker<Reply, Event> =
  | "ready"
  | { id: number; reply: Reply }
  | { id: number; error: Error; storage: StorageFailureFacts | null }
  | { event: Event }
  | { warning: { name: string; message: string } };
