import type { Ids } from "../../values/ids.ts";
import { OwnerRefusal } from "./owner-refusal.ts";
import type { AccountSelector, RunStep } from "./owner-store.ts";
import { checkNewPassword, hashPassword, normalLogin, type PasswordCost, verifyPassword } from "./passwords.ts";
import { hashToken, type NewSession } from "./sessions.ts";

type Owner = { accountId: string; passwordHash: string | null };

/** The steps before and after a password is hashed, each in its own transaction. */
export interface PasswordSteps {
  refuseUnlessInvited(token: string): void;
  useInvite(token: string, passwordHash: string): { accountId: string; login: string };
  ofSession(sessionHash: string): Owner;
  ofLogin(login: string): Owner | null;
  replacePassword(sessionHash: string, before: string | null, passwordHash: string): NewSession;
  /**
   * `rehashed`: the same password at the current cost, null to keep the hash. `endLast` ends a session in the same transaction. `from`:
   * address and browser for the activity, null without them.
   */
  enter(
    accountId: string,
    how: { before: string | null; rehashed: string | null; endLast(owners: PasswordSteps): void; from: string | null },
  ): NewSession;
  endSession(sessionHash: string | null): void;
  endLiveSession(sessionHash: string): void;
}

type Parts = { run: RunStep<PasswordSteps>; ids: Pick<Ids, "secret">; cost: PasswordCost };

/** Verifies and sets passwords. Hashing runs between two steps; the writing transaction reads all rows again. */
export class PasswordChanges {
  readonly #run: RunStep<PasswordSteps>;
  readonly #ids: Pick<Ids, "secret">;
  readonly #cost: PasswordCost;

  constructor({ run, ids, cost }: Parts) {
    this.#run = run;
    this.#ids = ids;
    this.#cost = cost;
  }

  /**
   * Sets the password and the login of a link, once. Ends every session of the account.
   * @throws {OwnerRefusal} `conflict` when another account has claimed that login meanwhile.
   */
  async setPassword(token: string, password: string): Promise<{ accountId: string; login: string }> {
    const selector = [{ invite: hashToken(token) }];
    // Without a valid link, a client must not cause the cost of a hash.
    await this.#run(selector, (owners) => owners.refuseUnlessInvited(token));
    checkNewPassword(password);
    const passwordHash = await hashPassword(password, this.#ids, this.#cost);
    return this.#run(selector, (owners) => owners.useInvite(token, passwordHash));
  }

  /**
   * Changes the password of a session's owner, given the current one. Ends every session and link of the account; the new session replaces
   * this one.
   * @throws {OwnerRefusal} `bad_input` for an invalid new password, before the current one is compared.
   */
  async changePassword(sessionHash: string, current: string, password: string): Promise<NewSession> {
    const selector = [{ session: sessionHash }];
    const { passwordHash: before } = await this.#run(selector, (owners) => owners.ofSession(sessionHash));
    checkNewPassword(password);
    if ((await verifyPassword(current, before, this.#cost)) === "wrong") throw new OwnerRefusal("invalid_credentials");
    const passwordHash = await hashPassword(password, this.#ids, this.#cost);
    return this.#run(selector, (owners) => owners.replacePassword(sessionHash, before, passwordHash));
  }

  /**
   * Opens a session that replaces `replaced` (the hash of the browser's last session), if given. An unknown login costs the same work as a
   * wrong password and has the same refusal.
   */
  async signIn(
    login: string,
    password: string,
    replaced: string | null = null,
    from: string | null = null,
  ): Promise<NewSession> {
    const owner = await this.#run([{ login: normalLogin(login) }], (owners) => owners.ofLogin(login));
    const selector = [{ accountId: owner?.accountId ?? "" }, ...(replaced === null ? [] : [{ session: replaced }])];
    return this.#enter(owner, password, selector, from, (owners) => owners.endSession(replaced));
  }

  /**
   * Replaces a session with a new one, given its owner's password.
   * @throws {OwnerRefusal} `session_ended`, among others.
   */
  async signInAgain(sessionHash: string, password: string, from: string | null = null): Promise<NewSession> {
    const selector = [{ session: sessionHash }];
    const owner = await this.#run(selector, (owners) => owners.ofSession(sessionHash));
    // "Sign out everywhere" may have ended the session while the password was compared.
    return this.#enter(owner, password, selector, from, (owners) => owners.endLiveSession(sessionHash));
  }

  /** Opens a session, given a password. `endLast` ends the replaced session in the same transaction. */
  async #enter(
    owner: Owner | null,
    password: string,
    selector: readonly AccountSelector[],
    from: string | null,
    endLast: (owners: PasswordSteps) => void,
  ): Promise<NewSession> {
    const before = owner?.passwordHash ?? null;
    const verdict = await verifyPassword(password, before, this.#cost);
    if (owner === null || verdict === "wrong") throw new OwnerRefusal("invalid_credentials");
    const rehashed = verdict === "right" ? null : await hashPassword(password, this.#ids, this.#cost);
    return this.#run(selector, (owners) => owners.enter(owner.accountId, { before, rehashed, endLast, from }));
  }
}
