import { type Database, writeTransaction } from "../../store/database.ts";
import { AccountStore } from "../../store/write/accounts.ts";
import { type InviteRow, type OwnerRow, OwnerStore, type SessionRow } from "../../store/write/owners.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import type { Ids } from "../../values/ids.ts";
import { dayMs } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { knownAccount } from "../accounts.ts";
import { OwnerRefusal } from "./owner-refusal.ts";
import { PasswordChanges, type PasswordSteps } from "./password-changes.ts";
import { normalLogin, type PasswordCost, passwordCost } from "./passwords.ts";
import {
  hashToken,
  inviteMs,
  isOpen,
  isRecentSignIn,
  isWorthKeepingAlive,
  type NewSession,
  sessionEnd,
  signInLinkMs,
  tokenDigits,
} from "./sessions.ts";

/**
 * A one-time link to set a password. `token` is shown once and stored as its hash. `login` becomes the owner's login when the link is used.
 * `replaces` is the login that works until then, null if it is the same.
 */
type Invite = { accountId: string; login: string; replaces: string | null; token: string; expiresAt: number };

/** A one-time link to sign in. `token` is shown once and stored as its hash; `expiresAt`: UTC ms. */
export type SignInLink = { accountId: string; login: string; token: string; expiresAt: number };

/** The owner of a session, as read by the writing transaction. */
type Actor = { accountId: string; sessionHash: Buffer };

type Parts = { database: Database; clock: Clock; ids: Ids; cost?: PasswordCost };

/** Time for which ended sessions and links are stored, so that they differ from unknown ones. */
const keptMs = 30 * dayMs;
const loginForm = /^[a-z0-9][a-z0-9._%+@-]{2,253}$/;

/**
 * Signs the owners of accounts in and out, on a writing handle of the file or of a copy of an account's rows. Passwords are hashed outside
 * of transactions.
 */
export class Owners implements PasswordSteps {
  readonly #database: Database;
  readonly #store: OwnerStore;
  readonly #accounts: AccountStore;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #passwords: PasswordChanges;

  constructor({ database, clock, ids, cost = passwordCost }: Parts) {
    this.#database = database;
    this.#store = new OwnerStore(database);
    this.#accounts = new AccountStore(database);
    this.#clock = clock;
    this.#ids = ids;
    this.#passwords = new PasswordChanges({ run: (_selector, step) => step(this), ids, cost });
  }

  /**
   * Creates a link for the account's owner and ends earlier links. Pass null as `login` to keep the owner's login. Login, password and
   * sessions are unchanged until the link is used.
   * @throws {OperatorError} when the account is unknown, or the login is in use or malformed.
   */
  invite(accountId: string, login: string | null): Invite {
    const at = this.#clock.now();
    const token = this.#ids.secret(tokenDigits);
    return this.#write(() => {
      knownAccount(this.#accounts, accountId);
      const wanted = login === null ? null : checkedLogin(login);
      const owner = this.#ownerFor(accountId, wanted, at);
      const isNew = wanted !== null && wanted !== owner.login;
      this.#store.expireInvites(accountId, at, { signsIn: false });
      const row: InviteRow = {
        tokenHash: stored(token),
        accountId,
        login: isNew ? wanted : null,
        createdAt: at,
        expiresAt: at + inviteMs,
        usedAt: null,
        signsIn: false,
      };
      this.#store.addInvite(row);
      const known = wanted ?? owner.login;
      this.#record(accountId, at, isNew ? `invited ${known}, until then ${owner.login}` : `invited ${known}`);
      return { accountId, login: known, replaces: isNew ? owner.login : null, token, expiresAt: row.expiresAt };
    });
  }

  /**
   * Creates a link that signs the account's owner in once within ten minutes. Earlier links end. An account without an owner gets one with
   * this `login`.
   * @throws {OperatorError} when the account is unknown or disabled, or has no owner and the login is in use.
   */
  signInLink(accountId: string, login: string): SignInLink {
    const at = this.#clock.now();
    const token = this.#ids.secret(tokenDigits);
    return this.#write(() => {
      if (knownAccount(this.#accounts, accountId).disabledAt !== null)
        throw new OperatorError(`account ${accountId} is disabled`);
      const owner = this.#store.owner(accountId) ?? this.#ownerFor(accountId, checkedLogin(login), at);
      this.#store.expireInvites(accountId, at, { signsIn: true });
      const link = { tokenHash: stored(token), accountId, createdAt: at, expiresAt: at + signInLinkMs };
      this.#store.addInvite({ ...link, login: null, usedAt: null, signsIn: true });
      return { accountId, login: owner.login, token, expiresAt: link.expiresAt };
    });
  }

  /**
   * Opens a session with a sign-in link. It replaces the session `replaced` (its hash; null without one). `from`: address and browser.
   * @throws {OwnerRefusal} when the link cannot be used now.
   */
  useSignInLink(token: string, replaced: string | null, from: string): NewSession {
    const at = this.#clock.now();
    return this.#write(() => {
      const { tokenHash, accountId } = this.#openInvite(token, at, true);
      this.#refuseDisabled(accountId);
      this.#store.useInvite(tokenHash, at);
      this.#store.forgetEnded(accountId, at - keptMs);
      this.endSession(replaced);
      this.#record(accountId, at, `signed in by a link from ${from}`);
      return this.#newSession(accountId, at, true);
    });
  }

  /** Calls `PasswordChanges` on this handle. */
  setPassword(...args: Parameters<PasswordChanges["setPassword"]>): ReturnType<PasswordChanges["setPassword"]> {
    return this.#passwords.setPassword(...args);
  }

  /** Calls `PasswordChanges` on this handle. */
  signIn(...args: Parameters<PasswordChanges["signIn"]>): Promise<NewSession> {
    return this.#passwords.signIn(...args);
  }

  /** Calls `PasswordChanges` on this handle. */
  signInAgain(...args: Parameters<PasswordChanges["signInAgain"]>): Promise<NewSession> {
    return this.#passwords.signInAgain(...args);
  }

  /** Calls `PasswordChanges` on this handle. */
  changePassword(...args: Parameters<PasswordChanges["changePassword"]>): Promise<NewSession> {
    return this.#passwords.changePassword(...args);
  }

  /** @throws {OwnerRefusal} when the link cannot be used now. */
  refuseUnlessInvited(token: string): void {
    this.#openInvite(token, this.#clock.now(), false);
  }

  /**
   * Sets the password and the login of a link. Ends every session of the account.
   * @throws {OwnerRefusal} `conflict` when another account has claimed that login meanwhile.
   */
  useInvite(token: string, passwordHash: string): { accountId: string; login: string } {
    const at = this.#clock.now();
    return this.#write(() => {
      const { tokenHash, accountId, login } = this.#openInvite(token, at, false);
      this.#refuseDisabled(accountId);
      this.#store.useInvite(tokenHash, at);
      if (login !== null) this.#store.changeOwner(accountId, { login });
      this.#replacePassword(accountId, passwordHash, at);
      this.#record(accountId, at, login === null ? "password set" : `password set, login ${login}`);
      return { accountId, login: this.#store.owner(accountId)?.login ?? "" };
    });
  }

  /**
   * Returns the owner of a live session.
   * @throws {OwnerRefusal} `session_ended`.
   */
  ofSession(sessionHash: string): { accountId: string; passwordHash: string | null } {
    const { accountId } = this.#liveSession(sessionHash);
    return { accountId, passwordHash: this.#store.owner(accountId)?.passwordHash ?? null };
  }

  /** Returns the owner with a login as typed by the user, null if unknown. */
  ofLogin(login: string): { accountId: string; passwordHash: string | null } | null {
    const owner = this.#store.ownerByLogin(normalLogin(login));
    return owner === undefined ? null : { accountId: owner.accountId, passwordHash: owner.passwordHash };
  }

  /**
   * Sets the password of a session's owner if the current hash is still `before`. Ends every session and link of the account, and opens a
   * session.
   */
  replacePassword(sessionHash: string, before: string | null, passwordHash: string): NewSession {
    return this.act(sessionHash, { recent: false }, ({ accountId }) => {
      this.#refuseUnlessPassword(accountId, before);
      const at = this.#clock.now();
      this.#replacePassword(accountId, passwordHash, at);
      this.#record(accountId, at, "password changed");
      return this.#newSession(accountId, at);
    });
  }

  /**
   * Opens a session if the password hash is still `before`. `rehashed`: the same password at the current cost; `endLast` ends a session in
   * the same transaction.
   */
  enter(accountId: string, { before, rehashed, endLast, from }: Parameters<PasswordSteps["enter"]>[1]): NewSession {
    const at = this.#clock.now();
    return this.#write(() => {
      this.#refuseUnlessPassword(accountId, before);
      this.#refuseDisabled(accountId);
      if (rehashed !== null) this.#store.changeOwner(accountId, { passwordHash: rehashed });
      this.#store.forgetEnded(accountId, at - keptMs);
      endLast(this);
      if (from !== null) this.#record(accountId, at, `signed in from ${from}`);
      return this.#newSession(accountId, at);
    });
  }

  /** Ends a session in any state. Null has no effect. */
  endSession(sessionHash: string | null): void {
    if (sessionHash !== null) this.#store.changeSession(hashOf(sessionHash), { endedAt: this.#clock.now() });
  }

  /** @throws {OwnerRefusal} `session_ended`. */
  endLiveSession(sessionHash: string): void {
    this.#liveSession(sessionHash);
    this.endSession(sessionHash);
  }

  /**
   * Runs `work` in one transaction that checks the session first, so that a sign-out applies at once. `recent`: the sign-in must not be
   * older than 30 minutes.
   * @throws {OwnerRefusal} `session_ended`, `account_disabled` or `stale_sign_in`.
   */
  act<T>(sessionHash: string, { recent }: { recent: boolean }, work: (actor: Actor) => T): T {
    return this.#write(() => {
      const session = this.#liveSession(sessionHash);
      this.#refuseDisabled(session.accountId);
      if (recent && !isRecentSignIn(session, this.#clock.now())) throw new OwnerRefusal("stale_sign_in");
      return work(session);
    });
  }

  /** Extends a session that is in use. */
  keepAlive(sessionHash: string): void {
    this.#write(() => {
      const at = this.#clock.now();
      const session = this.#liveSession(sessionHash);
      if (!isWorthKeepingAlive(session, at)) return;
      this.#store.changeSession(session.sessionHash, { expiresAt: sessionEnd(session, at) });
    });
  }

  /** Ends a session. An ended session is not an error. */
  signOut(sessionHash: string): void {
    this.#write(() => {
      if (this.#store.session(hashOf(sessionHash))?.endedAt !== null) return;
      this.#store.changeSession(hashOf(sessionHash), { endedAt: this.#clock.now() });
    });
  }

  /** Ends every session of the account. */
  signOutEverywhere(sessionHash: string): void {
    const at = this.#clock.now();
    this.#write(() => {
      const { accountId } = this.#liveSession(sessionHash);
      this.#store.endSessions(accountId, at);
      this.#record(accountId, at, "signed out everywhere");
    });
  }

  /** Another request may have replaced the password while it was compared. */
  #refuseUnlessPassword(accountId: string, before: string | null): void {
    if (this.#store.owner(accountId)?.passwordHash !== before) throw new OwnerRefusal("invalid_credentials");
  }

  #replacePassword(accountId: string, passwordHash: string, at: number): void {
    this.#store.expireInvites(accountId, at);
    this.#store.changeOwner(accountId, { passwordHash, passwordSetAt: at });
    this.#store.endSessions(accountId, at);
  }

  /** Returns the account's owner, or creates one. A login without a password is replaced at once, because it is not in use yet. */
  #ownerFor(accountId: string, login: string | null, at: number): OwnerRow {
    const owner = this.#store.owner(accountId);
    if (login !== null && this.#isLoginInUse(login, accountId)) {
      throw new OperatorError(`the login \`${login}\` belongs to another account; choose another`);
    }
    if (owner === undefined) {
      if (login === null) throw new OperatorError(`account ${accountId} has no owner yet; name one with --login`);
      const made: OwnerRow = { accountId, login, passwordHash: null, passwordSetAt: null, createdAt: at };
      this.#store.addOwner(made);
      return made;
    }
    if (login === null || owner.passwordHash !== null) return owner;
    this.#store.changeOwner(accountId, { login });
    return { ...owner, login };
  }

  #isLoginInUse(login: string, accountId: string): boolean {
    const owner = this.#store.ownerByLogin(login);
    return owner !== undefined && owner.accountId !== accountId;
  }

  #openInvite(token: string, at: number, signsIn: boolean): InviteRow {
    const tokenHash = hashToken(token);
    const row = tokenHash === null ? undefined : this.#store.invite(tokenHash);
    if (row === undefined || row.signsIn !== signsIn) throw new OwnerRefusal("invite_unknown");
    if (row.usedAt !== null) throw new OwnerRefusal(signsIn ? "link_used" : "invite_used");
    if (at >= row.expiresAt) throw new OwnerRefusal(signsIn ? "link_expired" : "invite_expired");
    if (row.login !== null && this.#isLoginInUse(row.login, row.accountId)) {
      throw new OwnerRefusal("conflict", takenText(row.login));
    }
    return row;
  }

  #liveSession(sessionHash: string): SessionRow {
    const row = this.#store.session(hashOf(sessionHash));
    if (row === undefined || row.endedAt !== null || !isOpen(row, this.#clock.now())) {
      throw new OwnerRefusal("session_ended");
    }
    return row;
  }

  #newSession(accountId: string, at: number, byLink = false): NewSession {
    const cookie = this.#ids.secret(tokenDigits);
    const expiresAt = sessionEnd({ signedInAt: at, byLink }, at);
    const times = { signedInAt: at, expiresAt, endedAt: null };
    this.#store.addSession({ sessionHash: stored(cookie), accountId, ...times, byLink });
    return { accountId, cookie, expiresAt, byLink };
  }

  #refuseDisabled(accountId: string): void {
    if (this.#store.disabledAt(accountId) !== null) throw new OwnerRefusal("account_disabled");
  }

  #record(accountId: string, at: number, detail: string): void {
    this.#accounts.addActivity({ accountId, keyId: null, kind: "owner_changed", at, detail });
  }

  #write<T>(work: () => T): T {
    return writeTransaction(this.#database, work);
  }
}

function checkedLogin(login: string): string {
  const normal = normalLogin(login);
  if (loginForm.test(normal)) return normal;
  throw new OperatorError(
    "a login has 3 to 254 characters: letters and digits of ASCII and . _ % + @ -, the first a letter or digit",
    exitCodes.usage,
  );
}

function takenText(login: string): string {
  return `Another account now has the login ${login}. Nothing was changed: your old login and password still work. Ask for a new link with another login.`;
}

function stored(token: string): Buffer {
  const hash = hashToken(token);
  if (hash === null) throw new Error("a new token has an invalid form");
  return hash;
}

function hashOf(sessionHash: string): Buffer {
  return Buffer.from(sessionHash, "hex");
}
