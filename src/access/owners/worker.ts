import { closeDatabase, openWriter } from "../../store/database.ts";
import { AccountStore, type KeyRow } from "../../store/write/accounts.ts";
import { type Ids, systemIds } from "../../values/ids.ts";
import { serveThread } from "../../worker/host.ts";
import { displayOf, Keys } from "../keys.ts";
import { busyRefusal, OwnerRefusal, type RefusalFacts, refusalOf } from "./owner-refusal.ts";
import { Owners } from "./owners.ts";
import type { PasswordCost } from "./passwords.ts";

export type OwnerWriterSetup = { databasePath: string; cost?: PasswordCost };

/** A key to create. `after`: id of the account's newest key as the form knew it, "" for none. */
export type CreateKeyRequest = { name: string; days: number; after: string };
export type CreateTokenRequest = CreateKeyRequest & { portfolioIds: readonly string[]; consent: boolean };

/** The calls by name. Sessions are named by their hash (hex). */
export type OwnerCalls = ReturnType<typeof callsAt>;
export type OwnerCall = keyof OwnerCalls;

/** `at`: the instant that counts, UTC ms. The thread has no clock of its own. */
export type OwnerRequest = { call: OwnerCall; at: number; args: readonly unknown[] };
export type OwnerAnswer = { value: unknown } | { refusal: RefusalFacts };

type Parts = { database: ReturnType<typeof openWriter>; ids: Ids; cost?: PasswordCost };

/** Maximum time a change waits for another writer. It blocks this thread only. */
const busyMs = 750;
/** Passwords hashed at once: each takes 32 MiB and a thread of the pool that the whole process shares. */
const hashesAtOnceMax = 2;
const hashesWaitingMax = 16;

/** Compared in the transaction that writes: of a form that is sent several times at once, one does something. */
const newerKey = "Nothing was made: there is a newer key than when the form was opened.";
const otherSecret = "Nothing was changed: the key has another secret than when the form was opened.";

serveThread(({ databasePath, ...setup }: OwnerWriterSetup) => {
  const database = openWriter(databasePath, busyMs);
  const parts = { database, ids: systemIds(), ...setup };
  return {
    async answer({ call, at, args }: OwnerRequest): Promise<OwnerAnswer> {
      try {
        const run = callsAt(at, parts)[call] as (...given: readonly unknown[]) => unknown;
        return { value: await run(...args) };
      } catch (error) {
        return { refusal: refusalOf(error, databasePath) };
      }
    },
    close: () => closeDatabase(database),
  };
});

/** Returns the calls as at the instant `at`. Only the hashing of passwords runs beside other calls. */
function callsAt(at: number, parts: Parts) {
  const timed = { ...parts, clock: { now: () => at, monotonicMs: () => 0 } };
  const owners = new Owners(timed);
  const keys = new Keys(timed);
  const accounts = new AccountStore(parts.database);
  const afterNewest = <T>(sessionHash: string, after: string, create: (accountId: string) => T): T =>
    owners.act(sessionHash, { recent: true }, ({ accountId }) => {
      if (keys.newestId(accountId) !== after) throw new OwnerRefusal("conflict", newerKey);
      return create(accountId);
    });
  const withKey = <T>(sessionHash: string, keyId: string, recent: boolean, change: (row: KeyRow) => T): T =>
    owners.act(sessionHash, { recent }, ({ accountId }) => {
      const row = accounts.key(keyId);
      if (row?.accountId !== accountId) throw new OwnerRefusal("unknown_key");
      return change(row);
    });
  return {
    signIn: (...args: Parameters<Owners["signIn"]>) => inTurn(() => owners.signIn(...args)),
    signInAgain: (...args: Parameters<Owners["signInAgain"]>) => inTurn(() => owners.signInAgain(...args)),
    setPassword: (...args: Parameters<Owners["setPassword"]>) => inTurn(() => owners.setPassword(...args)),
    changePassword: (...args: Parameters<Owners["changePassword"]>) => inTurn(() => owners.changePassword(...args)),
    keepAlive: (sessionHash: string) => owners.keepAlive(sessionHash),
    signOut: (sessionHash: string) => owners.signOut(sessionHash),
    signOutEverywhere: (sessionHash: string) => owners.signOutEverywhere(sessionHash),
    createKey: (sessionHash: string, { name, days, after }: CreateKeyRequest) =>
      afterNewest(sessionHash, after, (accountId) => keys.create(accountId, name, days)),
    createPersonalToken: (sessionHash: string, request: CreateTokenRequest) =>
      afterNewest(sessionHash, request.after, (accountId) => {
        const { name, days, portfolioIds, consent } = request;
        return keys.createPersonal(accountId, name, days, portfolioIds, consent);
      }),
    rotateKey: (sessionHash: string, keyId: string, display: string) =>
      withKey(sessionHash, keyId, true, (row) => {
        // An ended key is refused as such, whatever its secret was.
        if (row.revokedAt === null && displayOf(row) !== display) throw new OwnerRefusal("conflict", otherSecret);
        return keys.rotate(keyId);
      }),
    revokeKey: (sessionHash: string, keyId: string) => withKey(sessionHash, keyId, false, () => keys.revoke(keyId)),
  };
}

const waiting: (() => void)[] = [];
let hashing = 0;

/** Runs `work` when few enough passwords are being hashed. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (hashing >= hashesAtOnceMax) {
    if (waiting.length >= hashesWaitingMax) throw busyRefusal();
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else hashing += 1;
  try {
    return await work();
  } finally {
    // The turn is handed on, or given back.
    const next = waiting.shift();
    if (next === undefined) hashing -= 1;
    else next();
  }
}
