import { hourMs } from "../values/time/calendar.ts";
import { type Clock, systemClock } from "../values/time/clock.ts";

// This module is apart from the worlds, because the control API and the replay move the clocks.

/** The clocks of a world, in UTC ms. Limits, leases and expiry follow the account's clock, which always runs. */
export class WorldClocks {
  /** Whether the market's clock moves only on request. */
  readonly stands: boolean;
  readonly #marketFrom: number;
  readonly #accountFrom: number;
  readonly #beganMs = systemClock.monotonicMs();
  /** The ms and the number of all moves of the market's clock, in memory that threads share. */
  readonly moves: BigInt64Array<SharedArrayBuffer>;
  #accountMovedMs = 0;

  /**
   * The market's clock is fixed at `standsAt`. If null, it runs with the system clock. The account's clock begins at `accountFrom`. `moves`
   * are the moves of the clocks in another thread.
   */
  constructor(
    standsAt: number | null,
    accountFrom = standsAt ?? systemClock.now(),
    moves = new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)),
  ) {
    this.moves = moves;
    this.stands = standsAt !== null;
    this.#marketFrom = standsAt ?? accountFrom;
    this.#accountFrom = accountFrom;
  }

  readonly account: Clock = {
    now: () => this.#accountFrom + this.#accountMovedMs + this.#passedMs(),
    monotonicMs: systemClock.monotonicMs,
  };

  readonly market: Clock = {
    now: () => this.#marketFrom + Number(Atomics.load(this.moves, 0)) + (this.stands ? 0 : this.#passedMs()),
    // A move ends answers that are cached for a second or two.
    monotonicMs: () => systemClock.monotonicMs() + Number(Atomics.load(this.moves, 1)) * hourMs,
  };

  /** Moves both clocks forward. */
  move(ms: number): void {
    this.#accountMovedMs += ms;
    this.moveMarket(this.market.now() + ms);
  }

  /** Moves only the market's clock, to `to` (UTC ms). */
  moveMarket(to: number): void {
    Atomics.add(this.moves, 0, BigInt(to - this.market.now()));
    Atomics.add(this.moves, 1, 1n);
  }

  #passedMs(): number {
    return Math.floor(systemClock.monotonicMs() - this.#beganMs);
  }
}
