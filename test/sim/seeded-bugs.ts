import { bugsOfChanges, bugsOfDays, bugsOfWaiting } from "./seeded-long-bugs.ts";
import type { Replacement } from "./subject.ts";

const admission = "src/access/admission.ts";
const transactions = "src/access/ledger/transactions.ts";
const credentials = "src/access/credentials.ts";
const limiter = "src/access/rate-limiter.ts";
const group = "src/access/ledger/group-commit.ts";
const keys = "src/access/keys.ts";
const accounts = "src/access/accounts.ts";
const plans = "src/access/plans.ts";
const leases = "src/store/write/leases.ts";
const reads = "src/store/read/credentials.ts";
const calendar = "src/values/time/calendar.ts";

/** Lets a bug in the decisions reach the file behind them. */
const keepsDatabase = {
  find: "this.#database = database;",
  put: "this.#database = database; globalThis.seededDatabase = database;",
};

/** Bugs that the simulation must notice. */
export const seededBugs: readonly Replacement[] = [
  bug("one request too many in a minute", limiter, "taken < limit", "taken <= limit"),
  bug("one request too few in a minute", limiter, "taken < limit", "taken < limit - 1"),
  bug("the minute counts per key", admission, "take(caller.accountId,", "take(caller.keyId,"),
  bug("a refused attempt counts in the minute", limiter, "if (admitted) counts.set(", "counts.set("),
  bug(
    "the minute before is forgotten at the boundary",
    limiter,
    "follows ? this.#current :",
    "false ? this.#current :",
  ),
  bug("a late 401 uses up the minute", admission, "if (uncounted.has(refusal.code))", "if (false)"),
  bug("a 503 gives the minute back", admission, "if (uncounted.has(refusal.code))", "if (true)"),
  bug(
    "Retry-After of the minute forgets that the next one is used up",
    limiter,
    "next < limit ? minute + 1 : minute + 2",
    "next < 0 ? minute : minute + 1",
  ),
  bug("one unit too many in a month", transactions, "used.used < used.limit ?", "used.used <= used.limit ?"),
  bug("one unit too few in a month", transactions, "used.used < used.limit ?", "used.used + 1 < used.limit ?"),
  bug(
    "the month counts per key",
    transactions,
    "used: work.monthUsed(accountId),",
    `used: seededDatabase.$client.prepare("SELECT count(*) FROM usage_events WHERE key_id = ? AND month = ?")
       .pluck().get(keyId, month.month) as number,`,
    keepsDatabase,
  ),
  bug(
    "a refusal is charged",
    transactions,
    "if (first !== undefined) {",
    "if (first !== undefined) { work.addUnit(accountId, 0);",
  ),
  bug(
    "a released export gives its unit back",
    transactions,
    "if (ended) work.wroteAt(at);",
    `if (ended) {
       work.wroteAt(at);
       const id = request.leaseId;
       seededDatabase.$client.exec("DROP TRIGGER IF EXISTS usage_events_never_vanish; DELETE FROM usage_events WHERE request_id = '" + id + "'");
     }`,
    keepsDatabase,
  ),
  bug(
    "the month is that of the local time",
    calendar,
    "return new Date(at).toISOString().slice(0, 7);",
    'const local = new Date(at); return local.getFullYear() + "-" + String(local.getMonth() + 1).padStart(2, "0");',
  ),
  bug(
    "a unit of the last month is lost in a batch over two",
    transactions,
    "this.write();\n    this.#statuses",
    "this.#statuses",
  ),
  bug(
    "a second key in a batch resets the count",
    transactions,
    "if (!this.#used.has(accountId)) this.#used",
    "this.#used",
  ),
  bug("the count is read once per batch", transactions, "used.units += 1;", "used.units += used.changed ? 0 : 1;"),
  bug(
    "the quota header is from before the commit",
    admission,
    "quotaRemaining: remaining(month) }",
    "quotaRemaining: remaining({ ...month, used: caller.monthUsed + 1 }) }",
  ),
  bug(
    "the quota header falls below zero",
    admission,
    "return Math.max(0, month.limit - month.used);",
    "return month.limit - month.used;",
  ),
  bug(
    "Retry-After is 0 within the last second",
    calendar,
    "Math.max(1, Math.ceil((at - now) / secondMs))",
    "Math.max(0, Math.floor((at - now) / secondMs))",
  ),
  bug(
    "Retry-After tells only the first obstacle",
    transactions,
    "Math.max(...blocks.map((block) => block.freeAt))",
    "first.freeAt",
  ),
  bug(
    "Retry-After of the month is not bounded",
    transactions,
    "Math.min(retryAfterMaxS, secondsUntil",
    "Math.min(10 * 86_400, secondsUntil",
  ),
  bug(
    "export starts count by calendar day",
    transactions,
    "accountId, at - dayMs, at, startsPerDay",
    "accountId, Math.floor(at / dayMs) * dayMs - 1, at, startsPerDay",
  ),
  bug(
    "a start counts a millisecond too long",
    transactions,
    "accountId, at - dayMs, at, startsPerDay",
    "accountId, at - dayMs - 1, at, startsPerDay",
  ),
  bug("one export start too many", leases, "until, 1, nth - 1)", "until, 1, nth)"),
  bug("released starts count", leases, "          isStart,", ""),
  bug("usage tells released starts too", reads, "      isStart,", ""),
  bug("a lease ends without compare and set", leases, "          reserved,", ""),
  bug("an expired lease can still be ended", leases, 'gt(snapshotLeases.expiresAt, sql.placeholder("at")),', ""),
  bug("a lease holds a millisecond too long", transactions, "lease.expiresAt <= at)) {", "lease.expiresAt < at)) {"),
  bug(
    "a lease without a charge when the month is used up",
    transactions,
    "if (first !== undefined) {",
    'if (first !== undefined) { if (found.slot !== null && first.code === "monthly_quota_exceeded") this.#leases.add(request.requestId, accountId, found.slot, at, at + leaseMs);',
  ),
  bug(
    "lease and charge are two transactions",
    transactions,
    'this.#failpoints.hit("admit.leaseInserted");',
    'seededDatabase.$client.exec("COMMIT; BEGIN IMMEDIATE"); this.#failpoints.hit("admit.leaseInserted");',
    keepsDatabase,
  ),
  bug("one slot too few", transactions, "slot <= slots;", "slot < slots;"),
  bug(
    "a taken slot is given again",
    transactions,
    "if (!taken.has(slot)) return slot;",
    "return taken.size < slots ? slot : null;",
  ),
  bug("an account may run two exports", transactions, "lease.accountId === accountId);", 'lease.accountId === "");'),
  bug(
    "capacity is told before the account's own export",
    transactions,
    "if (own !== undefined) blocks.push(",
    "if (own !== undefined && live.length < this.#slots) blocks.push(",
  ),
  bug(
    "a new process frees every export",
    transactions,
    "this.#database = database;",
    `this.#database = database;
    database.$client.exec("UPDATE snapshot_leases SET state = 'expired', ended_at = expires_at WHERE state = 'reserved'");`,
  ),
  bug("the holder's time starts late", admission, "- sinceAtMs + holdMs", "+ holdMs"),
  bug("a failed charge is tried again", group, 'waiting.request.kind === "end" && ', ""),
  bug(
    "a broken file is written again",
    group,
    'if (failure.kind === "fatal") this.#fail(failure);\n    const refused',
    "const refused",
  ),
  bug("a failed lease end is not tried again", group, "waiting.attempts < leaseEndAttemptsMax", "waiting.attempts < 1"),
  bug(
    "rotation keeps the old hash",
    keys,
    "{ ...columns, rotatedAt: at }",
    "{ lastFour: columns.lastFour, rotatedAt: at }",
  ),
  bug(
    "rotation prolongs the key",
    keys,
    "{ ...columns, rotatedAt: at }",
    "{ ...columns, expiresAt: at + 90 * dayMs, rotatedAt: at } as object",
  ),
  bug("a revoked key is let in", credentials, 'if (key.revokedAt !== null) return "revoked_api_key";', ""),
  bug(
    "a key revoked in the meantime is charged",
    transactions,
    "keyRefusal(status, at)",
    "keyRefusal({ ...status, revokedAt: null }, at)",
  ),
  bug("a key lives a millisecond too long", credentials, "at >= key.expiresAt", "at > key.expiresAt"),
  bug(
    "a disabled account is charged",
    credentials,
    'return key.disabledAt === null ? null : "account_disabled";',
    "return null;",
  ),
  bug("the scope is not asked", credentials, "if (scope === null || caller.scopes.includes(scope)) return;", "return;"),
  bug("a plan includes its end", plans, "at >= planEndsAt", "at > planEndsAt"),
  bug("a plan that ended in the meantime still pays", transactions, 'if (plan === "free" && tooSmall)', "if (false)"),
  bug("free accounts get paid operations", admission, 'rule.plan === "free" || caller.plan !== "free"', "true"),
  bug("a purchase of the same plan starts now", accounts, "same ? (before.planEndsAt ?? at) : at", "at"),
  bug("a clock set back takes the ledger along", transactions, "return Math.max(at, this.#highWaterAt);", "return at;"),
  bug("the high water is not written", transactions, "setClock(this.#highWaterAt,", "setClock(at,"),
  bug("an unreliable clock is trusted", transactions, "work.highWaterAt - request.at > clockRegressionMax", "false"),
  bug(
    "an accepted clock leaves a lease of the future",
    "src/access/ledger/clock.ts",
    "expireBeyond(at + leaseMs)",
    "expireBeyond(at + 1e12)",
  ),
  bug(
    "an hour behind is already too far",
    transactions,
    "request.at > clockRegressionMax",
    "request.at >= clockRegressionMax",
  ),
  ...bugsOfDays(),
  ...bugsOfChanges(),
  ...bugsOfWaiting(),
];

/** Seeds of the suite that notice what those before them do not. A test that begins with them is done sooner. */
const noticedBy: Readonly<Record<string, number>> = {
  "Retry-After of the minute forgets that the next one is used up": 240,
  "the month is that of the local time": 226,
  "a unit of the last month is lost in a batch over two": 271,
  "a start counts a millisecond too long": 226,
  "a key revoked in the meantime is charged": 240,
  "a key lives a millisecond too long": 182,
  "a plan includes its end": 145,
  "an unreliable clock is trusted": 240,
  "an accepted clock leaves a lease of the future": 240,
  "an hour behind is already too far": 319,
  "the Free plan reads a day more": 246,
  "the plan is not judged again": 246,
  "the end of the service leaves who waits": 182,
  "a request begins to wait while the service ends": 182,
  "an answer at once keeps the place": 410,
  "who goes while waiting keeps the place": 182,
  "who knows an older generation waits": 182,
};

/** The seeds of the suite, in the order in which they are best tried on a bug. */
export function seedsFor({ name }: Replacement, seeds: readonly number[]): number[] {
  const first = seeds.find((seed) => seed === noticedBy[name]);
  return first === undefined ? [...seeds] : [first, ...seeds.filter((seed) => seed !== first)];
}

function bug(name: string, file: string, find: string, put: string, also?: Replacement["also"]): Replacement {
  return also === undefined ? { name, file, find, put } : { name, file, find, put, also };
}
