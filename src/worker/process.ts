import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type StorageFailureFacts, storageFailure } from "../values/failure/storage-failure.ts";
import { entryFlags, entryPath } from "../values/root.ts";
import { secondMs } from "../values/time/calendar.ts";

/** The only message from a process: its outcome or its error. `storage` is the storage failure behind the error, or null. */
type Reply<Outcome> = { outcome: Outcome } | { error: Error; storage: StorageFailureFacts | null };

/** Maximum time from an abort until the process is killed. */
const cutAfterMs = secondMs;

/**
 * Sends one order to a new process that runs the source file `entry`. The process ends after its reply. Resolves to null if `signal` was
 * aborted before the reply.
 * @throws {Error} when the run fails. It has the message of the original error.
 */
export async function runInProcess<Outcome>(
  entry: string,
  order: object,
  signal: AbortSignal,
): Promise<Outcome | null> {
  if (signal.aborted) return null;
  const env = withoutOwn(process.env);
  const stdio: "ignore"[] = ["ignore", "ignore", "ignore"];
  const child = fork(entryPath(entry), {
    env,
    execArgv: [...entryFlags],
    serialization: "advanced",
    stdio: [...stdio, "ipc"],
  });
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    if (child.connected) child.disconnect();
    timer = setTimeout(() => void child.kill("SIGKILL"), cutAfterMs);
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    const reply = await replyOf<Outcome>(child, order);
    if (signal.aborted) return null;
    if ("outcome" in reply) return reply.outcome;
    // Serialization drops an error's class and code.
    const { error, storage } = reply;
    throw storage === null ? error : Object.assign(error, { cause: { name: "SqliteError", ...storage } });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
    clearTimeout(timer);
  }
}

/** Resolves when the process has ended. */
async function replyOf<Outcome>(child: ChildProcess, order: object): Promise<Reply<Outcome>> {
  let reply: Reply<Outcome> | null = null;
  child.once("message", (message) => {
    reply = message as Reply<Outcome>;
  });
  // A process that ends early reports its end.
  child.send(order, () => undefined);
  // The reply may arrive after the process has ended, but before its channel has.
  const [[code, killedBy]] = await Promise.all([once(child, "exit"), once(child, "disconnect")]);
  return reply ?? { error: new Error(`the process ended with ${killedBy ?? code}`), storage: null };
}

/** Returns the environment without Node flags and the program's own variables, which may be secret. */
export function withoutOwn(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOther = ([name]: [string, unknown]) => !name.startsWith("ITEMTAPE_") && name !== "NODE_OPTIONS";
  return Object.fromEntries(Object.entries(environment).filter(isOther));
}

/** Runs the order of the process that started this one, then ends. `closing` is aborted when the result is not needed any more. */
export function serveProcess<Order, Outcome>(run: (order: Order, closing: AbortSignal) => Promise<Outcome>): void {
  const closing = new AbortController();
  process.once("disconnect", () => closing.abort());
  process.once("message", async (order: Order) => {
    const reply: Reply<Outcome> = await run(order, closing.signal).then(
      (outcome) => ({ outcome }),
      (thrown: unknown) => {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        return { error, storage: storageFailure(thrown) };
      },
    );
    if (process.connected) process.send!(reply, () => process.disconnect());
  });
}
