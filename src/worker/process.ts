import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { entryFlags, entryPath } from "../values/root.ts";
import { secondMs } from "../values/time/calendar.ts";

/** The only message from a process. */
type Reply<Outcome> = { outcome: Outcome } | { error: string };

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
  const child = fork(entryPath(entry), {
    env: withoutOwn(process.env),
    execArgv: [...entryFlags],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    if (child.connected) child.disconnect();
    timer = setTimeout(() => void child.kill("SIGKILL"), cutAfterMs);
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    const reply = await replyOf<Outcome>(child, order);
    if ("error" in reply) throw new Error(reply.error);
    return reply.outcome;
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
  return reply ?? { error: `the process ended with ${killedBy ?? code}` };
}

/** Returns the environment without Node flags and the program's own variables, which may be secret. */
export function withoutOwn(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOther = ([name]: [string, unknown]) => !name.startsWith("ITEMTAPE_") && name !== "NODE_OPTIONS";
  return Object.fromEntries(Object.entries(environment).filter(isOther));
}

/** Runs the order of the process that started this one, then ends. `closing` is aborted when the result is not needed any more. */
export function serveProcess<Order, Outcome>(run: (order: Order, closing: AbortSignal) => Promise<Outcome>): void {
  // Terminals and systemd send these to all processes. The first process then ends this one.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
  const closing = new AbortController();
  process.once("disconnect", () => closing.abort());
  // The first process may have ended while this one started.
  if (!process.connected) closing.abort();
  process.once("message", async (order: Order) => {
    const reply: Reply<Outcome> = await run(order, closing.signal).then(
      (outcome) => ({ outcome }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    if (process.connected) process.send!(reply, () => process.disconnect());
  });
}
