import type { DailyUse } from "../../store/owner-reads.ts";
import type { Clock } from "../../values/clock.ts";
import type { Key, NewSecret } from "../keys.ts";
import { DeskRoom } from "./concurrency-limit.ts";
import type { NewSession } from "./owners.ts";
import type { Session } from "./sessions.ts";
import { UsageDesk } from "./usage-cache.ts";
import { DeskThread } from "./worker-client.ts";
import type { DeskCall, DeskCalls, DeskSetup, KeyWish, TokenWish } from "./worker-messages.ts";

const ending: readonly DeskCall[] = ["revokeKey", "signOut", "signOutEverywhere"];

/**
 * Where an owner's wishes are written, in a thread of its own that is started with the first of them: the lock of the file and
 * the work on passwords never hold back an answer of the service. Each method rejects with OwnerRefusal for what is refused and
 * has changed nothing then. One account has a few wishes under way at most, and what ends a key or a session has room of its own.
 */
export class Desk {
  readonly #thread: DeskThread;
  readonly #usage: UsageDesk;
  readonly #room = new DeskRoom();

  constructor(setup: DeskSetup, clock: Clock) {
    this.#thread = new DeskThread({ ...setup, role: "writes" }, clock);
    this.#usage = new UsageDesk(setup, clock);
  }

  /** A fresh session in the place of `replaced`. */
  signIn(login: string, password: string, replaced: Session | null): Promise<NewSession> {
    return this.#ask(null, "signIn", login, password, replaced?.sessionHash ?? null);
  }

  /** A fresh session for a new look at the password, in the place of the old one. */
  signInAgain(session: Session, password: string): Promise<NewSession> {
    return this.#ask(session, "signInAgain", session.sessionHash, password);
  }

  /** Sets the password that the one-time link `token` is for. Every session of the account ends. */
  setPassword(token: string, password: string): Promise<{ accountId: string; login: string }> {
    return this.#ask(null, "setPassword", token, password);
  }

  /** Sets another password for the `current` one. Every session of the account ends; a fresh one is in the place of this one. */
  changePassword(session: Session, current: string, password: string): Promise<NewSession> {
    return this.#ask(session, "changePassword", session.sessionHash, current, password);
  }

  /** Moves the end of a session that is in use. */
  async keepAlive(session: Session): Promise<void> {
    await this.#ask(session, "keepAlive", session.sessionHash);
  }

  async signOut(session: Session): Promise<void> {
    await this.#ask(session, "signOut", session.sessionHash);
  }

  async signOutEverywhere(session: Session): Promise<void> {
    await this.#ask(session, "signOutEverywhere", session.sessionHash);
  }

  /** Takes a recent sign-in, as do the next two. `conflict`: there is a newer key than the wish knows of. */
  createKey(session: Session, wish: KeyWish): Promise<NewSecret> {
    return this.#ask(session, "createKey", session.sessionHash, wish);
  }

  createPersonalToken(session: Session, wish: TokenWish): Promise<NewSecret> {
    return this.#ask(session, "createPersonalToken", session.sessionHash, wish);
  }

  /** `display`: the secret to replace. `conflict`: the key has another one, or has ended. */
  rotateKey(session: Session, keyId: string, display: string): Promise<NewSecret> {
    return this.#ask(session, "rotateKey", session.sessionHash, keyId, display);
  }

  /** Takes no recent sign-in: what is lost must end at once. */
  revokeKey(session: Session, keyId: string): Promise<Key> {
    return this.#ask(session, "revokeKey", session.sessionHash, keyId);
  }

  /**
   * Units from `fromAt` until before `untilAt`, by day, then operation; days without use are absent. Counted at most 30 s ago, in
   * another thread than everything else.
   */
  usageByDay(accountId: string, fromAt: number, untilAt: number): Promise<readonly DailyUse[]> {
    return this.#usage.byDay(accountId, fromAt, untilAt);
  }

  /** Ends what is under way and the threads, if they were ever started. */
  async close(): Promise<void> {
    await Promise.all([this.#thread.close(), this.#usage.close()]);
  }

  async #ask<Call extends DeskCall>(
    session: Session | null,
    call: Call,
    ...args: Parameters<DeskCalls[Call]>
  ): Promise<ReturnType<DeskCalls[Call]>> {
    const leave = this.#room.enter(session?.accountId ?? null, { ends: ending.includes(call) });
    try {
      return await this.#thread.ask(call, ...args);
    } finally {
      leave();
    }
  }
}
