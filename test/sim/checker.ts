import { deepStrictEqual } from "node:assert";
import type { Database } from "../../src/store/database.ts";
import type { Model } from "./model.ts";
import type { Call, Headers, Outcome, PlanName } from "./model-types.ts";
import type { Setup } from "./operations.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const leaseMs = 120_000;

/** A broken promise. `invariant` is its number in the list below, or `model` if the product and the model differ. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, message: string) {
    super(`${invariant}: ${message}`);
    this.invariant = invariant;
  }
}

/** Refusals that count in the minute and have a Retry-After. */
const countedCodes = /^snapshot_|^monthly_|^service_|^changes_busy$|^changes_capacity$|^waiting_limit$/;

/** A row of an export slot. */
export type LeaseRow = {
  leaseId: string;
  accountId: string;
  slot: number;
  state: string;
  admittedAt: number;
  expiresAt: number;
  endedAt: number | null;
};

/**
 * The invariants, checked on the responses and on the bare rows of the file, without the model: I1 no lost charge; I2 bounded over-charge;
 * I3 exactly once; I4 cap; I5 monotone; I6 conservation; I7 rejections are free; I8 months; I9 headers; I10 minute cap, I11 over
 * all keys, I12 a restart forgets one minute; I13 Retry-After of the minute; I14 one export per account; I15 slots; I16 starts in 24
 * hours; I17 deadline before expiry; I18 one end; I19 lease with its event; I20 a released start keeps its unit; I21 a crash changes
 * nothing; I23 Retry-After of exports; I24 dead keys; I25 rotation. The run checks I22 (liveness). The long requests check I35 (waiting)
 * and I36 (the end of a stream).
 */
export class Checker {
  /** Number of requests in flight when a process died. The file may hold their charges without a response. */
  lostInFlight = 0;
  /** Number of process starts and backward clock changes. Each may restart the count of a minute. */
  forgettings = 0;
  clocksSetBack = 0;
  /** Leases with a future start that an operator cancelled. They did not hold a slot in the period that they name. */
  readonly beyond = new Set<string>();
  readonly #setup: Setup;
  readonly #charged = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #deadKeys = new Map<string, string>();
  readonly #attempts = new Map<string, { count: number; limit: number; forgettings: number }>();
  #lastEvents = 0;
  #lastUsed = new Map<string, number>();

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  /** Marks a secret that no later request may use. */
  keyDied(secret: string, code: string): void {
    this.#deadKeys.set(`Bearer ${secret}`, code);
  }

  /** Returns the code with which a request with this header must be refused, or null if its key is not known to be dead. */
  deadAs(authorization: string | null): string | null {
    return (authorization === null ? null : this.#deadKeys.get(authorization)) ?? null;
  }

  /** Checks one response as its client saw it. `deadAs` is the refusal code of its key at the start of the request, or null. */
  answered(call: Call, accountId: string, deadAs: string | null, outcome: Outcome): void {
    if (outcome.kind === "failed") return;
    if (outcome.kind === "gone") {
      this.lostInFlight += 1;
      return;
    }
    const refusedSo = outcome.kind === "refused" && outcome.code === deadAs;
    expectThat("I24", deadAs === null || refusedSo, `a dead key was answered ${say(outcome)}`);
    if (outcome.headers !== null) {
      this.#headers(outcome.headers);
      const counts = outcome.kind === "admitted" || countedCodes.test(outcome.code) || outcome.charged;
      if (counts) this.#attempt(call, accountId, outcome.headers.limitPerMinute);
    }
    if (outcome.kind === "refused" && outcome.charged !== true) this.#refusal(call, outcome);
    else if (call.rule.unit) this.#charge(call, outcome);
  }

  #charge(call: Call, outcome: Outcome & { kind: "admitted" | "refused" }): void {
    expectThat("I3", !this.#charged.has(call.requestId), `${call.requestId} was admitted twice`);
    this.#charged.add(call.requestId);
    const quotaRemaining = outcome.headers?.quotaRemaining ?? null;
    const quotaMax = Math.max(...Object.values(this.#setup.limits).map((limits) => limits.perMonth));
    expectThat("I9", quotaRemaining !== null && quotaRemaining < quotaMax, `X-Quota-Remaining is ${quotaRemaining}`);
    if (!call.rule.lease || outcome.kind === "refused" || call.asked !== null) return;
    const latest = leaseMs - 1_000 - (call.now - call.at);
    expectThat("I17", outcome.deadlineMs !== null && outcome.deadlineMs <= latest, `deadline ${outcome.deadlineMs} ms`);
  }

  /** Compares the whole file with the responses, and checks its consistency. */
  file(database: Database): void {
    const { $client: client } = database;
    const events = client
      .prepare("SELECT request_id, account_id, month, at, operation FROM usage_events")
      .raw()
      .all() as [string, string, string, number, string][];
    const ids = new Set(events.map(([id]) => id));
    for (const id of this.#charged) expectThat("I1", ids.has(id), `${id} was answered and not recorded`);
    for (const id of this.#refused) expectThat("I7", !ids.has(id), `${id} was refused and charged`);
    const unheard = events.length - this.#charged.size;
    expectThat("I2", unheard <= this.lostInFlight, `${unheard} units without an answer, ${this.lostInFlight} lost`);
    expectThat("I3", ids.size === events.length, "a request was recorded twice");
    expectThat("I5", events.length >= this.#lastEvents, "events vanished");
    this.#lastEvents = events.length;
    const counted = new Map<string, number>();
    for (const [id, accountId, month, at] of events) {
      expectThat("I8", new Date(at).toISOString().startsWith(month), `${id} at ${at} counts in ${month}`);
      counted.set(`${accountId} ${month}`, (counted.get(`${accountId} ${month}`) ?? 0) + 1);
    }
    this.#months(client.prepare("SELECT account_id, month, used FROM usage_months").raw().all() as never, counted);
    const leases = client
      .prepare(
        `SELECT lease_id AS leaseId, account_id AS accountId, slot, state, admitted_at AS admittedAt,
           expires_at AS expiresAt, ended_at AS endedAt FROM snapshot_leases ORDER BY admitted_at, rowid`,
      )
      .all() as LeaseRow[];
    const days = events.filter(([, , , , operation]) => operation === "streamHistoryDay").map(([id]) => id);
    this.#leases(leases, new Set(days));
    const exports = new Set(
      events
        .filter(([, , , , operation]) => operation === "export" || operation === "streamHistoryDay")
        .map(([id]) => id),
    );
    for (const { leaseId, state } of leases) {
      expectThat(state === "released" ? "I20" : "I19", exports.delete(leaseId), `lease ${leaseId} has no event`);
    }
    expectThat("I19", exports.size === 0, `an export was charged without a lease: ${[...exports].join()}`);
  }

  #refusal(call: Call, { code, retryAfterS }: Outcome & { kind: "refused" }): void {
    this.#refused.add(call.requestId);
    const limited = code === "rate_limited" || countedCodes.test(code);
    expectThat("I23", limited === (retryAfterS !== null), `${code} with Retry-After ${retryAfterS}`);
    if (retryAfterS === null) return;
    expectThat("I23", Number.isInteger(retryAfterS) && retryAfterS >= 1, `${code} with Retry-After ${retryAfterS}`);
    // After a backward clock change, or a lag over a minute boundary, the next minute may already be used up.
    const mostS = this.clocksSetBack > 0 ? 120 : 61;
    if (code === "rate_limited")
      expectThat("I13", retryAfterS <= mostS, `rate_limited with Retry-After ${retryAfterS}`);
  }

  #headers({ limitPerMinute, remainingInMinute, quotaRemaining }: Headers): void {
    const plans = Object.keys(this.#setup.limits) as PlanName[];
    const plan = plans.some((name) => this.#setup.limits[name].perMinute === limitPerMinute);
    expectThat("I9", plan, `X-RateLimit-Limit is ${limitPerMinute}, which is no plan's`);
    const bounded = remainingInMinute >= 0 && remainingInMinute <= limitPerMinute;
    expectThat("I9", bounded, `X-RateLimit-Remaining is ${remainingInMinute} of ${limitPerMinute}`);
    expectThat("I9", quotaRemaining === null || quotaRemaining >= 0, `X-Quota-Remaining is ${quotaRemaining}`);
  }

  #attempt(call: Call, accountId: string, limit: number): void {
    const minute = Math.floor(call.at / minuteMs);
    const name = `${accountId} ${minute}`;
    const before = this.#attempts.get(name) ?? { count: 0, limit, forgettings: this.forgettings };
    const seen = { ...before, count: before.count + 1, limit: Math.max(limit, before.limit) };
    this.#attempts.set(name, seen);
    const most = (this.forgettings - seen.forgettings + 1) * seen.limit;
    const invariant = this.forgettings > seen.forgettings ? "I12" : "I10/I11";
    expectThat(invariant, seen.count <= most, `${seen.count} requests in one minute where ${most} are allowed`);
  }

  #months(rows: readonly [string, string, number][], counted: Map<string, number>): void {
    const perMonthMax = Math.max(...Object.values(this.#setup.limits).map((limits) => limits.perMonth));
    for (const [accountId, month, used] of rows) {
      const name = `${accountId} ${month}`;
      expectThat("I6", counted.get(name) === used, `${name}: ${used} units, ${counted.get(name)} events`);
      expectThat("I5", used >= (this.#lastUsed.get(name) ?? 0), `${name}: fell to ${used}`);
      expectThat("I4", used <= perMonthMax, `${name}: ${used} units, and no plan has more than ${perMonthMax}`);
      this.#lastUsed.set(name, used);
    }
    expectThat("I6", counted.size === rows.length, "a month of events has no row");
  }

  #leases(leases: readonly LeaseRow[], days: ReadonlySet<string>): void {
    const { slots, limits } = this.#setup;
    const startsMax = Math.max(...Object.values(limits).map((plan) => plan.startsPerDay));
    leases.forEach((lease, index) => {
      const { leaseId, accountId, slot, state, admittedAt, expiresAt, endedAt } = lease;
      expectThat("I15", slot >= 1 && slot <= slots, `lease ${leaseId} has slot ${slot} of ${slots}`);
      expectThat(
        "I18",
        (state === "reserved") === (endedAt === null),
        `lease ${leaseId} is ${state}, ended ${endedAt}`,
      );
      expectThat("I18", (endedAt ?? expiresAt) <= expiresAt, `lease ${leaseId} ended after it expired`);
      if (this.beyond.has(leaseId)) return;
      const before = leases.slice(0, index).filter((other) => other.admittedAt > admittedAt - dayMs);
      for (const other of before) {
        const overlaps = !this.beyond.has(other.leaseId) && (other.endedAt ?? other.expiresAt) > admittedAt;
        expectThat("I14", !overlaps || other.accountId !== accountId, `${accountId} had two exports at ${admittedAt}`);
        expectThat("I15", !overlaps || other.slot !== slot, `slot ${slot} was held twice at ${admittedAt}`);
      }
      const starts = before.filter(
        (other) => other.accountId === accountId && other.state !== "released" && !days.has(other.leaseId),
      ).length;
      expectThat(
        "I16",
        starts < startsMax || state === "released" || days.has(leaseId),
        `${accountId} began ${starts + 1} exports in 24 h`,
      );
    });
  }
}

/** Compares sums over the file with the model. Cheap enough to run after every fault. */
export function compareSums(database: Database, model: Model): void {
  const got = database.$client
    .prepare(
      `SELECT (SELECT count(*) FROM usage_events), (SELECT coalesce(sum(used), 0) FROM usage_months),
         (SELECT count(*) FROM snapshot_leases), (SELECT count(*) FROM snapshot_leases WHERE state = 'reserved'),
         (SELECT high_water_at FROM ledger_clock)`,
    )
    .raw()
    .get();
  const used = [...model.used.values()].reduce((sum, units) => sum + units, 0);
  const reserved = model.leases.filter((lease) => lease.state === "reserved").length;
  const wanted = [model.events.size, used, model.leases.length, reserved, model.highWaterAt];
  const equal = JSON.stringify(got) === JSON.stringify(wanted);
  const names = "events, units, leases, reserved leases, high water";
  expectThat("model", equal, `${names}: the file has ${JSON.stringify(got)}, it should have ${JSON.stringify(wanted)}`);
}

/**
 * Compares the tables of the access layer with the model.
 *
 * @throws {Violation} at the first difference
 */
export function compareState(database: Database, model: Model, { events }: { events: boolean }): void {
  type Row = (string | number | null)[];
  const same = (what: string, sql: string, expected: Row[]) => {
    const got = new Set((database.$client.prepare(sql).raw().all() as Row[]).map((row) => JSON.stringify(row)));
    const wanted = new Set(expected.map((row) => JSON.stringify(row)));
    const wrong = [...got].find((row) => !wanted.has(row));
    const missing = [...wanted].find((row) => !got.has(row));
    const equal = wrong === undefined && missing === undefined;
    expectThat("model", equal, `${what}: the file has ${wrong ?? "not"}, it should have ${missing ?? "not"}`);
  };
  same(
    "accounts",
    "SELECT account_id, plan, plan_ends_at, disabled_at FROM accounts",
    [...model.accounts].map(([id, account]) => [id, account.plan, account.planEndsAt, account.disabledAt]),
  );
  same(
    "keys",
    "SELECT key_id, account_id, scopes, expires_at, revoked_at FROM api_keys",
    [...model.keys].map(([id, key]) => [id, key.accountId, key.scopes, key.expiresAt, key.revokedAt]),
  );
  same(
    "leases",
    "SELECT lease_id, account_id, state, admitted_at, expires_at, ended_at FROM snapshot_leases",
    model.leases.map(({ leaseId, accountId, state, admittedAt, expiresAt, endedAt }) => {
      return [leaseId, accountId, state, admittedAt, expiresAt, endedAt];
    }),
  );
  same(
    "months",
    "SELECT account_id || ' ' || month, used FROM usage_months",
    [...model.used].map(([name, used]) => [name, used]),
  );
  same("clock", "SELECT high_water_at FROM ledger_clock", [[model.highWaterAt]]);
  if (!events) return;
  same(
    "events",
    "SELECT request_id, account_id, key_id, operation, month, at FROM usage_events",
    [...model.events].map(([id, event]) => [id, event.accountId, event.keyId, event.operation, event.month, event.at]),
  );
}

/** Compares the actual value with the expected one, in depth. */
export function expectSame(what: string, got: unknown, expected: unknown): void {
  try {
    deepStrictEqual(got, expected);
  } catch {
    expectThat("model", false, `${what}: got ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`);
  }
}

export function expectThat(invariant: string, holds: boolean, message: string): void {
  if (!holds) throw new Violation(invariant, message);
}

function say(outcome: Outcome): string {
  return outcome.kind === "refused" ? outcome.code : outcome.kind;
}
