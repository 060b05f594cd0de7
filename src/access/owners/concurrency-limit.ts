import { OwnerRefusal } from "./owner-refusal.ts";
import { busyRetryS } from "./worker-client.ts";

/** Wishes under way at once, so that nobody can pile them up before a locked file. What is over is kept for ending things. */
const ordinaryMax = 24;
const allMax = 32;
/** Of one account: no owner takes the room of the others. */
const ordinaryMaxOfAccount = 4;
const allMaxOfAccount = 6;
/** Of all who are not signed in: fewer than passwords are hashed and wait for it, so that those who are find a place there. */
const strangersMax = 16;

/** Who has a wish under way. */
export class DeskRoom {
  readonly #ofAccount = new Map<string | null, number>();
  #all = 0;

  /**
   * Takes a place and returns what gives it back. `accountId` null: not signed in. `ends`: the wish ends a key or a session, which
   * must be possible while others are busy. Throws OwnerRefusal when there is none.
   */
  enter(accountId: string | null, { ends }: { ends: boolean }): () => void {
    const own = this.#ofAccount.get(accountId) ?? 0;
    const ownMax = accountId === null ? strangersMax : ends ? allMaxOfAccount : ordinaryMaxOfAccount;
    if (own >= ownMax || this.#all >= (ends ? allMax : ordinaryMax)) {
      throw new OwnerRefusal("busy", undefined, busyRetryS);
    }
    this.#ofAccount.set(accountId, own + 1);
    this.#all += 1;
    return () => this.#leave(accountId);
  }

  #leave(accountId: string | null): void {
    const own = (this.#ofAccount.get(accountId) ?? 0) - 1;
    if (own > 0) this.#ofAccount.set(accountId, own);
    else this.#ofAccount.delete(accountId);
    this.#all -= 1;
  }
}
