import type { Database } from "../../store/database.ts";
import { AccountStore, type KeyRow } from "../../store/write/accounts.ts";
import { type Ids, systemIds } from "../../values/ids.ts";
import { type MaybePromise, whenReady } from "../../values/maybe-promise.ts";
import { serveThread } from "../../worker/thread.ts";
import { displayOf, Keys } from "../keys.ts";
import { OwnerRefusal, type RefusalFacts, refusalOf } from "./owner-refusal.ts";
import { openOwnerFile, type RunStep } from "./owner-store.ts";
import { Owners } from "./owners.ts";
import { PasswordChanges } from "./password-changes.ts";
import { type PasswordCost, passwordCost } from "./passwords.ts";
import { hashToken } from "./sessions.ts";

/** `privateUrl`: address of the PostgreSQL database with the owners. Null if they are in the file. */
export type OwnerWriterSetup = { databasePath: string; privateUrl?: string | null; cost?: PasswordCost };

/** A key to create. `after`: id of the account's newest key when the form was opened, "" if it had none. */
export type CreateKeyRequest = { name: string; days: number; after: string };
export type CreateTokenRequest = CreateKeyRequest & { portfolioIds: readonly string[]; consent: boolean };

/** The calls by name. Sessions are identified by their hash (hex). */
export type OwnerCalls = ReturnType<typeof callsOn>;
export type OwnerCall = keyof OwnerCalls;

/** `at`: the instant that counts, UTC ms. */
export type OwnerRequest = { call: OwnerCall; at: number; args: readonly unknown[] };
export type OwnerAnswer = { value: unknown } | { refusal: RefusalFacts };

type Parts = { ids: Ids; cost: PasswordCost };

/** Objects that the calls use in one transaction. */
type Rows = { owners: Owners; keys: Keys; accounts: AccountStore };
/** Maximum passwords hashed at once. Each needs 32 MiB and a thread of the process-wide pool. */
const hashesAtOnceMax = 2;

/** Compared in the writing transaction, so that only one of several submissions of a form has an effect. */
const newerKey = "Nothing was made: another key was made since the form was opened.";
const otherSecret = "Nothing was changed: the key was rotated since the form was opened.";

serveThread(({ databasePath, privateUrl = null, cost = passwordCost }: OwnerWriterSetup) => {
  const parts = { ids: systemIds(), cost };
  // The modules for PostgreSQL are loaded only if it is used.
  const opening =
    privateUrl === null
      ? openOwnerFile(databasePath)
      : import("../nodes/owner-store.ts").then(({ openOwnerStore }) => openOwnerStore(privateUrl));
  return {
    async answer({ call, at, args }: OwnerRequest): Promise<OwnerAnswer> {
      try {
        const store = await opening;
        const run: RunStep<Rows> = (selector, step) =>
          store.run(at, selector, (database, at) => step(rowsOn(database, at, parts)));
        const asked = callsOn(run, parts)[call] as (...given: readonly unknown[]) => unknown;
        return { value: await asked(...args) };
      } catch (error) {
        return { refusal: refusalOf(error, databasePath) };
      }
    },
    close: () => void whenReady(opening, (store) => store.close()),
  };
});

function rowsOn(database: Database, at: number, { ids, cost }: Parts): Rows {
  const timed = { database, ids, cost, clock: { now: () => at, monotonicMs: () => 0 } };
  return { owners: new Owners(timed), keys: new Keys(timed), accounts: new AccountStore(database) };
}

/** Returns the calls. Only password hashing runs concurrently with other calls. */
function callsOn(run: RunStep<Rows>, parts: Parts) {
  const passwords = new PasswordChanges({
    ...parts,
    run: (selector, step) => run(selector, ({ owners }) => step(owners)),
  });
  const inSession = <T>(session: string, step: (rows: Rows) => T) => run([{ session }], step);
  const afterNewest = <T>(
    sessionHash: string,
    after: string,
    create: (keys: Keys, accountId: string) => T,
  ): MaybePromise<T> =>
    inSession(sessionHash, ({ owners, keys }) =>
      owners.act(sessionHash, { recent: true }, ({ accountId }) => {
        if (keys.newestId(accountId) !== after) throw new OwnerRefusal("conflict", newerKey);
        return create(keys, accountId);
      }),
    );
  const withKey = <T>(
    sessionHash: string,
    keyId: string,
    recent: boolean,
    change: (keys: Keys, row: KeyRow) => T,
  ): MaybePromise<T> =>
    inSession(sessionHash, ({ owners, keys, accounts }) =>
      owners.act(sessionHash, { recent }, ({ accountId }) => {
        const row = accounts.key(keyId);
        if (row?.accountId !== accountId) throw new OwnerRefusal("unknown_key");
        return change(keys, row);
      }),
    );
  return {
    signIn: (...args: Parameters<PasswordChanges["signIn"]>) => inTurn(() => passwords.signIn(...args)),
    signInAgain: (...args: Parameters<PasswordChanges["signInAgain"]>) => inTurn(() => passwords.signInAgain(...args)),
    setPassword: (...args: Parameters<PasswordChanges["setPassword"]>) => inTurn(() => passwords.setPassword(...args)),
    changePassword: (...args: Parameters<PasswordChanges["changePassword"]>) =>
      inTurn(() => passwords.changePassword(...args)),
    useSignInLink: (token: string, replaced: string | null, from: string) =>
      run([{ invite: hashToken(token) }, ...(replaced === null ? [] : [{ session: replaced }])], ({ owners }) =>
        owners.useSignInLink(token, replaced, from),
      ),
    keepAlive: (sessionHash: string) => inSession(sessionHash, ({ owners }) => owners.keepAlive(sessionHash)),
    signOut: (sessionHash: string) => inSession(sessionHash, ({ owners }) => owners.signOut(sessionHash)),
    signOutEverywhere: (sessionHash: string) =>
      inSession(sessionHash, ({ owners }) => owners.signOutEverywhere(sessionHash)),
    createKey: (sessionHash: string, { name, days, after }: CreateKeyRequest) =>
      afterNewest(sessionHash, after, (keys, accountId) => keys.create(accountId, name, days)),
    createPersonalToken: (sessionHash: string, request: CreateTokenRequest) =>
      afterNewest(sessionHash, request.after, (keys, accountId) => {
        const { name, days, portfolioIds, consent } = request;
        return keys.createPersonal(accountId, name, days, portfolioIds, consent);
      }),
    rotateKey: (sessionHash: string, keyId: string, display: string) =>
      withKey(sessionHash, keyId, true, (keys, row) => {
        // An ended key is refused as ended, even if its secret differs.
        if (row.revokedAt === null && displayOf(row) !== display) throw new OwnerRefusal("conflict", otherSecret);
        return keys.rotate(keyId);
      }),
    revokeKey: (sessionHash: string, keyId: string) => withKey(sessionHash, keyId, false, (keys) => keys.revoke(keyId)),
  };
}

const waiting: (() => void)[] = [];
let hashing = 0;

/** Runs `work` when few enough passwords are being hashed. OwnerWriter bounds the number that waits. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (hashing >= hashesAtOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
  else hashing += 1;
  try {
    return await work();
  } finally {
    // Passes the permit to the next waiter, or releases it.
    const next = waiting.shift();
    if (next === undefined) hashing -= 1;
    else next();
  }
}
