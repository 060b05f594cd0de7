import type { Server } from "node:http";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";

/**
 * `drainMs`: longest wait for exports; then `interruptExports` is called and they get a second to say so. `answered` resolves when the
 * requests that waited for another generation have their answers: thousands of them may take longer than a read.
 */
export type CloseOptions = {
  readonly drainMs: number;
  readonly interruptExports?: () => void;
  readonly answered?: Promise<void>;
};

/** Longest wait for answers that are no exports. */
const readsMs = 2_000;
/** Time for interrupted exports to send their `error` record. */
const farewellMs = 1_000;

/**
 * Closes a server whose new requests are already refused: no new connections, sockets without an answer under way at once,
 * reads within two seconds after `answered`, exports within `drainMs` and a second for their last record, then whatever is left.
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
      // Else a proxy would send the next request on this connection, only to have it refused.
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
  // Answers that began before the drain kept their connections open: those are idle now.
  for (const socket of concurrency.sockets()) socket.destroySoon();
  const last = setTimeout(() => server.closeAllConnections(), farewellMs);
  await closed;
  isOver = true;
  for (const timer of [...timers, last]) clearTimeout(timer);
  return { clean };
}

/** Cuts the connections with an unsent answer and no export. True: there was none. */
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
