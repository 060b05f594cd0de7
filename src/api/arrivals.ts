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
      this.beginNow();
      begin();
    } else if (this.#waiting.push({ exchange, begin }) === 1) setImmediate(this.beginNow);
  }

  /** Begins those that wait now: what comes next may depend on whether they are answered. */
  readonly beginNow = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    const here = waiting.filter(({ exchange }) => !exchange.isGone);
    if (here.length > 1) this.#beginTogether(here);
    else beginEach(here);
  };

  /** Begins each by itself where one state of the file cannot be had: it is answered, if only by its own failure. */
  #beginTogether(here: readonly Arrival[]): void {
    let isBegun = false;
    try {
      this.#together(() => {
        isBegun = true;
        beginEach(here);
      });
    } catch (error) {
      if (isBegun) throw error;
      beginEach(here);
    }
  }
}

/** Begins each request as it comes. */
export const atOnce: Pick<Arrivals, "add"> = { add: (_exchange, begin) => begin() };

function beginEach(arrivals: readonly Arrival[]): void {
  for (const { begin } of arrivals) begin();
}
