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

/** Calls that end a key or a session. They must be possible while others are busy. */
const endingCalls: ReadonlySet<OwnerCall> = new Set(["revokeKey", "signOut", "signOutEverywhere"]);

/**
 * Writes what owners ask for, in a thread that is started with the first request: the file's lock and the hashing of passwords never
 * hold back an answer of the service. A method that rejects with OwnerRefusal has changed nothing, unless the refusal says otherwise.
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
   * Makes a new session in the place of `replaced`. `isKnown`: the login was signed in from the client's address before; `from`: address
   * and browser, for the activity.
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

  /** Makes a new session in the place of `session`, for its owner's password. */
  signInAgain(session: Session, password: string, from: string | null = null): Promise<NewSession> {
    return this.#ask(session, "signInAgain", session.sessionHash, password, from);
  }

  /** Makes a new session in the place of `replaced` for a link to sign in. */
  useSignInLink(token: string, replaced: Session | null, from: string): Promise<NewSession> {
    return this.#askFor(replaced?.accountId ?? null, "useSignInLink", token, replaced?.sessionHash ?? null, from);
  }

  /** Sets the password that the one-time link `token` is for. Every session of the account ends. `login`: the link's; null if it is unknown. */
  setPassword(
    token: string,
    password: string,
    { login = null as string | null } = {},
  ): Promise<{ accountId: string; login: string }> {
    return this.#askFor(login === null ? null : byLogin(login), "setPassword", token, password);
  }

  /** Replaces the `current` password. Every session of the account ends; the new one is in the place of this one. */
  changePassword(session: Session, current: string, password: string): Promise<NewSession> {
    return this.#ask(session, "changePassword", session.sessionHash, current, password);
  }

  /** Moves the end of a session that is in use. */
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
   * Replaces the secret that is shown as `display`.
   * @throws {OwnerRefusal} `conflict` when the key has another secret or has ended.
   */
  rotateKey(session: Session, keyId: string, display: string): Promise<NewSecret> {
    return this.#ask(session, "rotateKey", session.sessionHash, keyId, display);
  }

  /** Revokes a key. Needs no recent sign-in: what is lost must end at once. */
  revokeKey(session: Session, keyId: string): Promise<Key> {
    return this.#ask(session, "revokeKey", session.sessionHash, keyId);
  }

  /** Finishes what is under way and ends the thread. */
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

/** Names the owner of a login, unlike every account. */
function byLogin(login: string): string {
  return `login ${normalLogin(login)}`;
}

/** Maximum concurrent requests. The remainder up to `allMax` is reserved for sign-out and revocation. */
const ordinaryMax = 24;
const allMax = 32;
/** Maximum concurrent requests of one account, so that no owner takes the room of the others. */
const ordinaryMaxOfAccount = 4;
const allMaxOfAccount = 6;
/** Maximum concurrent requests of strangers. Owners find room beside them. */
const strangersMax = 16;

/** Bounds the requests under way, in all and of each owner. */
class ConcurrencyLimit {
  readonly #ofOwner = new Map<string | null, number>();
  #all = 0;

  /**
   * Takes a permit and returns the function that releases it. `owner`: account of a session, or `byLogin` of a login that a known
   * address or a one-time link proves; null for a stranger.
   * @throws {OwnerRefusal} `busy` when there is none.
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
