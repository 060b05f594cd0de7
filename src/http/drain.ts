import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { InFlight } from "./in-flight.ts";
import type { CloseOptions } from "./server.ts";

/** Longest wait for answers that are no exports. */
const readsMs = 2_000;
/** What exports have to say that they were interrupted. */
const farewellMs = 1_000;

/**
 * Closes a server whose new requests are already refused: no new connections, sockets without an answer under way at once,
 * reads within two seconds, exports within `drainMs` and a second for their last record, then whatever is left.
 */
export async function drain(
  server: Server,
  sockets: ReadonlySet<Socket>,
  inFlight: InFlight,
  { drainMs, interruptExports }: CloseOptions,
): Promise<{ clean: boolean }> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const busy = new Set<Socket>();
  for (const res of inFlight.responses()) {
    if (!res.headersSent) res.shouldKeepAlive = false;
    busy.add(res.req.socket);
  }
  for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
  let clean = true;
  const timers = [
    setTimeout(
      () => {
        clean = clean && inFlight.reads === 0;
        for (const res of inFlight.readResponses()) res.req.socket.destroy();
      },
      Math.min(readsMs, drainMs),
    ),
    setTimeout(() => interruptExports?.(), drainMs),
    setTimeout(() => {
      clean = clean && inFlight.exports === 0;
      server.closeAllConnections();
    }, drainMs + farewellMs),
  ];
  await inFlight.empty();
  // Answers that began before the drain kept their connections open: those are idle now.
  for (const socket of sockets) socket.destroySoon();
  const last = setTimeout(() => server.closeAllConnections(), farewellMs);
  await closed;
  for (const timer of [...timers, last]) clearTimeout(timer);
  return { clean };
}
