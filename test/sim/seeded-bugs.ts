import type { Replacement } from "./subject.ts";

const admission = "src/access/admission.ts";
const transactions = "src/access/ledger/transactions.ts";
const credentials = "src/access/credentials.ts";
const limiter = "src/access/rate-limiter.ts";
const group = "src/access/ledger/group-commit.ts";
const keys = "src/access/keys.ts";
const plans = "src/access/plans.ts";
const leases = "src/store/write/leases.ts";
const calendar = "src/values/time/calendar.ts";
const places = "src/access/account-permits.ts";
const handler = "src/api/api-handler.ts";
const streams = "src/api/streams.ts";

/** Lets a bug in the decisions reach the file behind them. */
const keepsDatabase = {
  find: "this.#database = database;",
  put: "this.#database = database; globalThis.seededDatabase = database;",
};

/** Bugs that the simulation must notice, each against another promise. */
export const seededBugs: readonly Replacement[] = [
  bug("one request too many in a minute", limiter, "taken < limit", "taken <= limit"),
  bug("one unit too many in a month", transactions, "used.used < used.limit ?", "used.used <= used.limit ?"),
  bug(
    "a refusal is charged",
    transactions,
    "if (first !== undefined) {",
    "if (first !== undefined) { work.addUnit(request, dayOf(payer.at), 0);",
  ),
  bug(
    "the month follows local time",
    calendar,
    "return new Date(at).toISOString().slice(0, 7);",
    'const local = new Date(at); return local.getFullYear() + "-" + String(local.getMonth() + 1).padStart(2, "0");',
  ),
  bug("the count is read once per batch", transactions, "used.units += 1;", "used.units += used.changed ? 0 : 1;"),
  bug(
    "the quota header is from before the commit",
    admission,
    "quotaRemaining: remaining(month) }",
    "quotaRemaining: remaining({ ...month, used: caller.monthUsed + 1 }) }",
  ),
  bug(
    "Retry-After reports only the first obstacle",
    transactions,
    "Math.max(...blocks.map((block) => block.freeAt))",
    "first.freeAt",
  ),
  bug("one export start too many", leases, "until, 1, nth - 1)", "until, 1, nth)"),
  bug("a lease ends without compare and set", leases, "          reserved,", ""),
  bug("a lease holds a millisecond too long", transactions, "lease.expiresAt <= at)) {", "lease.expiresAt < at)) {"),
  bug(
    "lease and charge are two transactions",
    transactions,
    'this.#failpoints.hit("admit.leaseInserted");',
    'seededDatabase.$client.exec("COMMIT; BEGIN IMMEDIATE"); this.#failpoints.hit("admit.leaseInserted");',
    keepsDatabase,
  ),
  bug("an account may run two exports", transactions, "lease.accountId === accountId);", 'lease.accountId === "");'),
  bug("a failed charge is tried again", group, 'waiting.request.kind === "end" && ', ""),
  bug(
    "rotation keeps the old hash",
    keys,
    "{ ...columns, rotatedAt: at }",
    "{ lastFour: columns.lastFour, rotatedAt: at }",
  ),
  bug(
    "a key revoked in the meantime is charged",
    transactions,
    "keyRefusal(status, at)",
    "keyRefusal({ ...status, revokedAt: null }, at)",
  ),
  bug(
    "the scope is not checked",
    credentials,
    "if (scope === null || caller.scopes.includes(scope)) return;",
    "return;",
  ),
  bug("a plan includes its end", plans, "at >= planEndsAt", "at > planEndsAt"),
  bug("a clock set back moves the ledger back", transactions, "return Math.max(at, this.#highWaterAt);", "return at;"),
  bug("an account may stream changes twice", places, "perAccount: 1,", "perAccount: 2,"),
  bug(
    "a disconnected stream keeps its permit",
    streams,
    "this.#scheduler.remove(this);\n    await this.#lease.finish();",
    "this.#scheduler.remove(this);",
  ),
  bug(
    "the key is not checked again",
    handler,
    "= this.#judgeAgain(exchange, rule, clock.now());",
    "= undefined as unknown;",
  ),
];

/** Seeds of the suite that notice a bug first. A test that begins with them ends sooner. */
const noticedBy: Readonly<Record<string, number>> = {
  "the month follows local time": 226,
  "a key revoked in the meantime is charged": 240,
  "a plan includes its end": 145,
};

/** The seeds of the suite, in the best order for a bug. */
export function seedsFor({ name }: Replacement, seeds: readonly number[]): number[] {
  const first = seeds.find((seed) => seed === noticedBy[name]);
  return first === undefined ? [...seeds] : [first, ...seeds.filter((seed) => seed !== first)];
}

function bug(name: string, file: string, find: string, put: string, also?: Replacement["also"]): Replacement {
  return also === undefined ? { name, file, find, put } : { name, file, find, put, also };
}
