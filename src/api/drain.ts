import type { Server } from "node:http";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";

/**
 * `drainMs` is the longest wait for exports. Then `interruptExports` is called, and they have one second to send their error record.
 * `answered` resolves when the requests that waited for another generation are answered: thousands of them may need longer than a read.
 */
export type CloseOptions = {
  readonly drainMs: number;
  readonly interruptExports?: () => void;
  readonly answered?: Promise<void>;
};

/** Maximum wait for responses other than exports. */
const readsMs = 2_000;
/** Time for interrupted exports to send their `error` record. */
const farewellMs = 1_000;

/**
 * Closes a server that already refuses new requests. New connections and idle sockets are closed at once, reads within two seconds after
 * `answered`. Exports have `drainMs` and one second for their last record. Then all other connections are closed.
 */
export async function drain(
  server: Server,
  concurrency: ConcurrencyLimiter,
  { drainMs, interruptExports, answered = Promise.resolve() }: CloseOptions,
): Promise<{ clean: boolean }> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  for (const socket of concurrency.sockets()) {
    const exchanges = [...concurrency.on(socket)];
    if (exchanges.length === 0) socket.destroy();
    for (const { res } of exchanges) {
      if (!res.headersSent) res.shouldKeepAlive = false;
      // Without this, a proxy would send its next request on this connection and be refused.
      else res.once("close", () => [...concurrency.on(socket)].length === 0 && socket.destroySoon());
    }
  }
  let clean = true;
  const cut = () => {
    clean = cutReads(concurrency) && clean;
  };
  const timers = [
    setTimeout(() => interruptExports?.(), drainMs),
    setTimeout(() => {
      clean = clean && concurrency.open === 0;
      server.closeAllConnections();
    }, drainMs + farewellMs),
  ];
  let isOver = false;
  void answered.then(() => {
    if (!isOver) timers.push(setTimeout(cut, Math.min(readsMs, drainMs)));
  });
  await concurrency.empty();
  // Connections of responses that began before the drain are still open but now idle.
  for (const socket of concurrency.sockets()) socket.destroySoon();
  const last = setTimeout(() => server.closeAllConnections(), farewellMs);
  await closed;
  isOver = true;
  for (const timer of [...timers, last]) clearTimeout(timer);
  return { clean };
}

/** Closes the connections with an unsent response and no export. Returns true if it closed none. */
function cutReads(concurrency: ConcurrencyLimiter): boolean {
  let none = true;
  for (const socket of concurrency.sockets()) {
    const exchanges = [...concurrency.on(socket)];
    if (exchanges.length === 0 || exchanges.some(({ permit }) => permit === "export")) continue;
    none = false;
    socket.destroy();
  }
  return none;
}
