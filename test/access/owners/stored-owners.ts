import type { InviteState, OwnerActivity } from "../../../src/access/owners/owner-reads.ts";
import { Owners } from "../../../src/access/owners/owners.ts";
import { PasswordChanges } from "../../../src/access/owners/password-changes.ts";
import { normalLogin, type PasswordCost } from "../../../src/access/owners/passwords.ts";
import { hashToken, type Session } from "../../../src/access/owners/sessions.ts";
import type { Database } from "../../../src/store/database.ts";
import type { AccessStore } from "../stores.ts";

/** As cheap as a test wants them that hashes many. */
export const cheapPasswords: PasswordCost = { n: 2 ** 10, r: 8, p: 1 };

/** The owners of a store, changed step by step as a node changes them, and read as its pages read them. */
export class StoredOwners {
  readonly #store: AccessStore;

  constructor(store: AccessStore) {
    this.#store = store;
  }

  /** Checks and sets passwords. `meanwhile` runs other changes between the password's hashing and the write. */
  passwords(meanwhile?: () => Promise<unknown>, cost = cheapPasswords): PasswordChanges {
    let steps = 0;
    return new PasswordChanges({
      run: async (selector, step) => {
        steps += 1;
        if (steps === 2) await meanwhile?.();
        return this.#store.act(selector, (database, at) => step(this.#on(database, at)));
      },
      ids: this.#store.ids,
      cost,
    });
  }

  signIn(login: string, password: string) {
    return this.passwords().signIn(login, password);
  }

  setPassword(token: string, password: string) {
    return this.passwords().setPassword(token, password);
  }

  changePassword(sessionHash: string, current: string, password: string) {
    return this.passwords().changePassword(sessionHash, current, password);
  }

  /** Runs an operator's invite command. Its transaction also locks the account with the login. */
  invite(accountId: string, login: string | null) {
    const others = login === null ? [] : [{ login: normalLogin(login) }];
    const work = (database: Database) => this.#on(database, this.#store.clock.at).invite(accountId, login);
    return this.#store.operate(accountId, work, others);
  }

  /** A link to sign in, as an operator's command makes it. */
  signInLink(accountId: string, login = "ann") {
    return this.#store.operate(accountId, (database) =>
      this.#on(database, this.#store.clock.at).signInLink(accountId, login),
    );
  }

  /** Uses a link to sign in, as its page does. */
  useSignInLink(token: string, replaced: string | null = null) {
    return this.#store.act([{ invite: hashToken(token) }], (database, at) =>
      this.#on(database, at).useSignInLink(token, replaced, "127.0.0.1, Firefox"),
    );
  }

  /** Runs `step` in the transaction that checks the session. */
  inSession<T>(session: string, step: (owners: Owners) => T): Promise<T> {
    return this.#store.act([{ session }], (database, at) => step(this.#on(database, at)));
  }

  signOut(session: string): Promise<void> {
    return this.inSession(session, (owners) => owners.signOut(session));
  }

  /** The open session of a cookie, or null without one. */
  async session(cookie: string): Promise<Session | null> {
    const reads = await this.#store.owners();
    return (await reads.openSession(cookie, this.#store.clock.at))?.session ?? null;
  }

  /** The state of a link, or null if it does not exist. */
  async link(token: string): Promise<InviteState | null> {
    return (await this.#store.owners()).invite(token, this.#store.clock.at);
  }

  /** The owner's view of the activity, newest first. */
  async activity(accountId: string, limit: number): Promise<OwnerActivity[]> {
    return (await this.#store.owners()).activity(accountId, { beforeId: null, limit });
  }

  #on(database: Database, at: number): Owners {
    return new Owners({ database, ids: this.#store.ids, clock: { now: () => at, monotonicMs: () => 0 } });
  }
}
