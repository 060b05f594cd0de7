import type { Exchange } from "./exchange.ts";
import { announcesBody } from "./transport-guard.ts";

type Arrival = { readonly exchange: Exchange; begin(): void };

/**
 * Begins the requests of one turn of the event loop together, when all of them have come: their keys are then read from one state of the
 * file, which costs less than a state for each. Whatever was committed before one of them was sent is in it, so a revocation binds it.
 */
export class Arrivals {
  readonly #together: (work: () => void) => void;
  #waiting: Arrival[] = [];

  /** `together` does its work while all keys are read from the state of the file at the first of them. */
  constructor(together: (work: () => void) => void) {
    this.#together = together;
  }

  /**
   * Has `begin`, which never throws, called when the turn is over, unless the client is gone by then. A request with a body begins at
   * once, behind those before it: how much of the body is unread by then decides whether its connection stays open.
   */
  add(exchange: Exchange, begin: () => void): void {
    if (announcesBody(exchange.req)) {
      this.#beginAll();
      begin();
    } else if (this.#waiting.push({ exchange, begin }) === 1) setImmediate(this.#beginAll);
  }

  /** Begins those that wait now: what comes next depends on whether they are answered. */
  beginNow(): void {
    this.#beginAll();
  }

  readonly #beginAll = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    const here = waiting.filter(({ exchange }) => !exchange.isGone);
    if (here.length > 1) this.#together(() => beginEach(here));
    else beginEach(here);
  };
}

/** Begins each request as it comes. */
export const atOnce: Pick<Arrivals, "add"> = { add: (_exchange, begin) => begin() };

function beginEach(arrivals: readonly Arrival[]): void {
  for (const { begin } of arrivals) begin();
}
