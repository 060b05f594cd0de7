import type { Clock } from "../../values/time/clock.ts";
import { LazyThread } from "../../worker/thread.ts";
import type { Key, NewSecret } from "../keys.ts";
import { busyRefusal, OwnerRefusal } from "./owner-refusal.ts";
import { normalLogin } from "./passwords.ts";
import type { NewSession, Session } from "./sessions.ts";
import type {
  CreateKeyRequest,
  CreateTokenRequest,
  OwnerAnswer,
  OwnerCall,
  OwnerCalls,
  OwnerRequest,
  OwnerWriterSetup,
} from "./worker.ts";

/** Calls that end a key or a session. They have reserved permits, so that they succeed under load. */
const endingCalls: ReadonlySet<OwnerCall> = new Set(["revokeKey", "signOut", "signOutEverywhere"]);

/**
 * Writes changes of owners, in a thread that starts with the first request. So neither the file's lock nor password hashing delays the
 * service. A rejection with OwnerRefusal means that nothing changed, except if its message reports a change.
 */
export class OwnerWriter {
  readonly #thread: LazyThread<OwnerRequest, OwnerAnswer>;
  readonly #clock: Clock;
  readonly #limit = new ConcurrencyLimit();
  #isClosed = false;

  constructor(setup: OwnerWriterSetup, clock: Clock) {
    this.#thread = new LazyThread({ entry: "src/access/owners/worker.ts", setup });
    this.#clock = clock;
  }

  /**
   * Creates a session that replaces `replaced`. `isKnown`: the login was signed in from the client's address before; `from`: address and
   * browser, for the activity.
   */
  signIn(
    login: string,
    password: string,
    replaced: Session | null,
    { isKnown = false, from = null as string | null } = {},
  ): Promise<NewSession> {
    const owner = replaced?.accountId ?? (isKnown ? byLogin(login) : null);
    return this.#askFor(owner, "signIn", login, password, replaced?.sessionHash ?? null, from);
  }

  /** Creates a session that replaces `session`, given its owner's password. */
  signInAgain(session: Session, password: string, from: string | null = null): Promise<NewSession> {
    return this.#ask(session, "signInAgain", session.sessionHash, password, from);
  }

  /** Creates a session that replaces `replaced`, given a sign-in link. */
  useSignInLink(token: string, replaced: Session | null, from: string): Promise<NewSession> {
    return this.#askFor(replaced?.accountId ?? null, "useSignInLink", token, replaced?.sessionHash ?? null, from);
  }

  /**
   * Sets the password with `token`, the secret of a link. Every session of the account ends. `login`: the link's login, null if unknown.
   */
  setPassword(
    token: string,
    password: string,
    { login = null as string | null } = {},
  ): Promise<{ accountId: string; login: string }> {
    return this.#askFor(login === null ? null : byLogin(login), "setPassword", token, password);
  }

  /** Replaces the `current` password. Every session of the account ends; the new session replaces this one. */
  changePassword(session: Session, current: string, password: string): Promise<NewSession> {
    return this.#ask(session, "changePassword", session.sessionHash, current, password);
  }

  /** Extends a session that is in use. */
  keepAlive(session: Session): Promise<void> {
    return this.#ask(session, "keepAlive", session.sessionHash);
  }

  signOut(session: Session): Promise<void> {
    return this.#ask(session, "signOut", session.sessionHash);
  }

  signOutEverywhere(session: Session): Promise<void> {
    return this.#ask(session, "signOutEverywhere", session.sessionHash);
  }

  /**
   * Creates a project key. Needs a recent sign-in, as do the next two.
   * @throws {OwnerRefusal} `conflict` when the account has a newer key than `request.after`.
   */
  createKey(session: Session, request: CreateKeyRequest): Promise<NewSecret> {
    return this.#ask(session, "createKey", session.sessionHash, request);
  }

  createPersonalToken(session: Session, request: CreateTokenRequest): Promise<NewSecret> {
    return this.#ask(session, "createPersonalToken", session.sessionHash, request);
  }

  /**
   * Replaces the secret that is displayed as `display`.
   * @throws {OwnerRefusal} `conflict` when the key has another secret or has ended.
   */
  rotateKey(session: Session, keyId: string, display: string): Promise<NewSecret> {
    return this.#ask(session, "rotateKey", session.sessionHash, keyId, display);
  }

  /** Revokes a key. It needs no recent sign-in, because a lost key must end at once. */
  revokeKey(session: Session, keyId: string): Promise<Key> {
    return this.#ask(session, "revokeKey", session.sessionHash, keyId);
  }

  /** Waits for pending requests and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }

  #ask<Call extends OwnerCall>({ accountId }: Session, call: Call, ...args: Parameters<OwnerCalls[Call]>) {
    return this.#askFor(accountId, call, ...args);
  }

  /** `owner`: see `ConcurrencyLimit`. */
  async #askFor<Call extends OwnerCall>(
    owner: string | null,
    call: Call,
    ...args: Parameters<OwnerCalls[Call]>
  ): Promise<Awaited<ReturnType<OwnerCalls[Call]>>> {
    if (this.#isClosed) throw busyRefusal();
    const release = this.#limit.acquire(owner, { ends: endingCalls.has(call) });
    try {
      const answer = await this.#thread.ask({ call, at: this.#clock.now(), args });
      if ("value" in answer) return answer.value as Awaited<ReturnType<OwnerCalls[Call]>>;
      const { code, message, retryAfterS } = answer.refusal;
      throw new OwnerRefusal(code, message, retryAfterS);
    } finally {
      release();
    }
  }
}

/** Returns the owner name of a login, which differs from every account id. */
function byLogin(login: string): string {
  return `login ${normalLogin(login)}`;
}

/** Maximum concurrent requests. The remainder up to `allMax` is reserved for sign-out and revocation. */
const ordinaryMax = 24;
const allMax = 32;
/** Maximum concurrent requests of one account, so that an owner cannot use the permits of the others. */
const ordinaryMaxOfAccount = 4;
const allMaxOfAccount = 6;
/** Maximum concurrent requests of strangers. The rest is reserved for owners. */
const strangersMax = 16;

/** Limits concurrent requests, in total and per owner. */
class ConcurrencyLimit {
  readonly #ofOwner = new Map<string | null, number>();
  #all = 0;

  /**
   * Acquires a permit and returns the function that releases it. `owner` is the account of a session, or `byLogin` of a login that a known
   * address or a one-time link proves. Pass null for a stranger.
   * @throws {OwnerRefusal} `busy` when all permits are in use.
   */
  acquire(owner: string | null, { ends }: { ends: boolean }): () => void {
    const own = this.#ofOwner.get(owner) ?? 0;
    const ownMax = owner === null ? strangersMax : ends ? allMaxOfAccount : ordinaryMaxOfAccount;
    if (own >= ownMax || this.#all >= (ends ? allMax : ordinaryMax)) throw busyRefusal();
    this.#ofOwner.set(owner, own + 1);
    this.#all += 1;
    return () => {
      this.#all -= 1;
      const left = this.#ofOwner.get(owner)! - 1;
      if (left > 0) this.#ofOwner.set(owner, left);
      else this.#ofOwner.delete(owner);
    };
  }
}
