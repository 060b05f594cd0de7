import type { Database } from "../../store/database.ts";
import { OwnerUsageReads } from "../../store/owner-reads.ts";
import { AccountStore } from "../../store/write/accounts.ts";
import { hourMs } from "../../values/calendar.ts";
import type { Ids } from "../../values/ids.ts";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";
import { displayOf, Keys } from "../keys.ts";
import { OwnerRefusal } from "./owner-refusal.ts";
import { Owners } from "./owners.ts";
import type { PasswordCost } from "./passwords.ts";
import type { DeskReply, DeskRequest } from "./worker-messages.ts";

/** Passwords that are hashed at once: each takes 32 MiB and a thread of the pool that the whole process shares. */
const hashesAtOnceMax = 2;
const hashesWaitingMax = 16;
const busyRetryS = 1;
/** How far the ledger's clock may stand before the instant in a request's id. */
const ledgerSkewMs = hourMs;
const busyCodes = /^SQLITE_(BUSY|FULL)/;

/** Compared in the transaction that writes: of a form that is sent several times at once, one does something. */
const newerKey = "Nothing was made: there is a newer key than when the form was opened.";
const otherSecret = "Nothing was changed: the key has another secret than when the form was opened.";

type Parts = { database: Database; ids: Ids; cost?: PasswordCost };

/** The desk's work on a writing handle, one request at a time but for the hashing of passwords. */
export class DeskWork {
  readonly #parts: Parts;
  readonly #accounts: AccountStore;
  readonly #usage: OwnerUsageReads;
  readonly #waiting: (() => void)[] = [];
  #hashing = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#accounts = new AccountStore(parts.database);
    this.#usage = new OwnerUsageReads(parts.database);
  }

  /** Does what is asked and says how it went. Never rejects. */
  async answer(request: DeskRequest): Promise<DeskReply> {
    const { id } = request;
    try {
      return { id, kind: "done", value: await this.#perform(request) };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) return { id, kind: "failed", cause: causeOf(error) };
      const { code, message, retryAfterS } = refusal;
      return { id, kind: "refused", code, message, retryAfterS };
    }
  }

  #perform(request: DeskRequest): unknown {
    const parts = { ...this.#parts, clock: { now: () => request.at, monotonicMs: () => 0 } };
    const owners = new Owners(parts);
    const keys = new Keys(parts);
    switch (request.call) {
      case "signIn":
        return this.#inTurn(() => owners.signIn(...request.args));
      case "signInAgain":
        return this.#inTurn(() => owners.signInAgain(...request.args));
      case "setPassword":
        return this.#inTurn(() => owners.setPassword(...request.args));
      case "changePassword":
        return this.#inTurn(() => owners.changePassword(...request.args));
      case "keepAlive":
        owners.keepAlive(...request.args);
        return null;
      case "signOut":
        owners.signOut(...request.args);
        return null;
      case "signOutEverywhere":
        owners.signOutEverywhere(...request.args);
        return null;
      case "usageByDay":
        return this.#usage.byDay(...request.args, ledgerSkewMs);
      default:
        return this.#performOnKeys(request, owners, keys);
    }
  }

  #performOnKeys(request: KeyRequest, owners: Owners, keys: Keys): unknown {
    const [sessionHash] = request.args;
    const recent = request.call !== "revokeKey";
    return owners.act(sessionHash, { recent }, ({ accountId }) => {
      if (request.call === "createKey" || request.call === "createPersonalToken") {
        const [, { name, days, after }] = request.args;
        if (keys.newestId(accountId) !== after) throw new OwnerRefusal("conflict", newerKey);
        if (request.call === "createKey") return keys.create(accountId, name, days);
        const [, { portfolioIds, consent }] = request.args;
        return keys.createPersonal(accountId, name, days, portfolioIds, consent);
      }
      const [, keyId, display] = request.args;
      const row = this.#accounts.key(keyId);
      if (row?.accountId !== accountId) throw new OwnerRefusal("unknown_key");
      if (request.call === "revokeKey") return keys.revoke(keyId);
      // An ended key is refused as such, whatever its secret was.
      if (row.revokedAt === null && displayOf(row) !== display) throw new OwnerRefusal("conflict", otherSecret);
      return keys.rotate(keyId);
    });
  }

  /** Waits until few enough passwords are being hashed; too many in wait are refused. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#hashing >= hashesAtOnceMax) {
      if (this.#waiting.length >= hashesWaitingMax) throw new OwnerRefusal("busy", undefined, busyRetryS);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#hashing += 1;
    try {
      return await work();
    } finally {
      // The turn is handed on, or given back.
      const next = this.#waiting.shift();
      if (next === undefined) this.#hashing -= 1;
      else next();
    }
  }
}

type KeyRequest = Extract<DeskRequest, { call: "createKey" | "createPersonalToken" | "rotateKey" | "revokeKey" }>;

/** null: a fault of this program. */
function refusalOf(error: unknown): OwnerRefusal | null {
  if (error instanceof OwnerRefusal) return error;
  if (error instanceof OperatorError) {
    return new OwnerRefusal(error.exitCode === exitCodes.usage ? "bad_input" : "conflict", sentence(error.message));
  }
  const { code } = error as { code?: unknown };
  return typeof code === "string" && busyCodes.test(code) ? new OwnerRefusal("busy", undefined, busyRetryS) : null;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What went wrong, without what was asked. */
function causeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
