import { readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { instantAhead } from "./boundaries.ts";
import { Checker, compareState, compareSums, expectThat } from "./checker.ts";
import { Model } from "./model.ts";
import { planAt } from "./model-types.ts";
import type { Entry, Fault, Operation, RequestShape, Setup } from "./operations.ts";
import { OutcomeCounts } from "./outcomes.ts";
import { People } from "./people.ts";
import type { Subject } from "./subject.ts";
import { VirtualTimers } from "./timers.ts";
import { Traffic } from "./traffic.ts";
import { World } from "./world.ts";

const checkEvery = 100;
const leaseAndMarginMs = 121_000;
const secretsEvery = 10;
const secretsSought = 40;
const obeyedFarS = 100_000;
/** A Retry-After can be at most this long: the longest limit is a month. */
const retryAfterMaxS = 31 * 86_400;

export type RunResult = { counts: OutcomeCounts; steps: number; failure: Failure | null };
export type Failure = { step: number; violation: Error };

/** Runs `operations` from `setup` on the real access layer and on the model. Stops at the first difference. */
export async function run(
  subject: Subject,
  setup: Setup,
  operations: readonly Operation[],
  folder: string,
): Promise<RunResult> {
  const counts = new OutcomeCounts();
  let step = 0;
  let simulation: Run | null = null;
  const timers = new VirtualTimers();
  const uninstall = timers.install();
  try {
    simulation = new Run(subject, setup, { folder, counts, timers });
    for (const operation of operations) {
      await simulation.apply(operation);
      step += 1;
      if (step % checkEvery === 0) simulation.check({ events: step % (5 * checkEvery) === 0 });
    }
    await simulation.finish();
    return { counts, steps: step, failure: null };
  } catch (error) {
    return { counts, steps: step, failure: { step, violation: error as Error } };
  } finally {
    uninstall();
    simulation?.close();
  }
}

class Run {
  readonly #setup: Setup;
  readonly #counts: OutcomeCounts;
  readonly #world: World;
  readonly #model: Model;
  readonly #checker: Checker;
  readonly #people: People;
  readonly #traffic = new Traffic();
  /** Months and days ahead may already hold charges of a cancelled future. */
  #futureTaken = false;

  constructor(
    subject: Subject,
    setup: Setup,
    { folder, counts, timers }: { folder: string; counts: OutcomeCounts; timers: VirtualTimers },
  ) {
    this.#setup = setup;
    this.#counts = counts;
    this.#model = new Model(setup.limits, setup.slots);
    this.#checker = new Checker(setup);
    this.#world = new World(subject, setup, folder, this.#traffic, timers);
    const parts = { world: this.#world, model: this.#model, checker: this.#checker, counts };
    this.#traffic.begin(parts);
    this.#people = new People(setup, parts);
    this.#traffic.people = this.#people;
  }

  async apply(operation: Operation): Promise<void> {
    const world = this.#world;
    if (operation.do === "calls") await this.#calls(operation.entries, operation.fault);
    else if (operation.do === "lateEnd") {
      this.#traffic.lateEnd(operation.lease, operation.how);
      await this.#finalize();
    } else if (operation.do === "tick") await this.#pass(operation.ms);
    else if (operation.do === "clockBack") this.#setClockBack(operation.ms);
    else if (operation.do === "repairClock") {
      await this.#pass(Math.max(0, this.#model.highWaterAt - world.clock.now()));
    } else if (operation.do === "acceptClock") this.#acceptClock();
    else if (operation.do === "hold") world.hold();
    else if (operation.do === "flush") await this.#flush();
    else if (operation.do === "crash") this.#crash();
    else if (operation.do === "stop") await this.#stopService();
    else if (operation.do === "leave") this.#traffic.long.leave();
    else if (operation.do === "publish") this.#traffic.long.publish(operation.publication);
    else if (operation.do === "boundary") await this.#boundary(operation);
    else if (operation.do === "obey") await this.#obey(operation.far);
    else this.#people.act(operation);
  }

  /** Compares the file with the model and checks the invariants. */
  check({ events }: { events: boolean }): void {
    compareState(this.#world.operator, this.#model, { events });
    if (events) this.#checker.file(this.#world.operator);
  }

  /** Waits until the run is at rest. After the last fault every account must succeed (I22). */
  async finish(): Promise<void> {
    await this.#flush();
    if (this.#setup.faultsUntil < Number.POSITIVE_INFINITY && this.#setup.seed % 10 === 0) await this.#liveness();
    this.check({ events: true });
    if (this.#setup.seed % secretsEvery === 0) this.#noSecrets();
  }

  close(): void {
    this.#world.close();
  }

  async #calls(entries: readonly Entry[], fault: Fault | undefined): Promise<void> {
    const world = this.#world;
    if (fault === undefined) {
      this.#send(entries);
      return this.#finalize();
    }
    await this.#flush();
    const disarm = world.arm(fault);
    this.#send(entries);
    await this.#traffic.answered();
    disarm();
    if (world.crashed) return this.#restart();
    world.fired = null;
    if (this.#traffic.stopped) await this.#stop();
    compareSums(world.operator, this.#model);
  }

  #send(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if ("end" in entry) this.#traffic.end(entry);
      else this.#traffic.send(entry);
      if (this.#world.crashed) return;
    }
  }

  /** While the writer is held, requests only wait for the ledger. */
  async #finalize(): Promise<void> {
    if (this.#world.release === null) return this.#traffic.answered();
    await this.#traffic.atTheDoor();
  }

  /** Lets time pass, from timer to timer. */
  async #pass(ms: number): Promise<void> {
    const { clock, timers } = this.#world;
    const { long } = this.#traffic;
    const endMs = clock.elapsedMs + ms;
    for (;;) {
      const dueMs = timers.nextMs(endMs);
      if (dueMs === null) break;
      clock.advance(dueMs - clock.elapsedMs);
      long.beforeTimers();
      const { count } = this.#world.server.service.waiters;
      const once = timers.fire();
      const woken = once || this.#world.server.service.waiters.count !== count;
      for (let turns = 0; woken && turns < 2; turns += 1) await turn();
      long.settle(true);
      if (!woken) continue;
      await this.#finalize();
    }
    clock.advance(endMs - clock.elapsedMs);
  }

  /** Stops the service: waiting requests are answered, streams end, and a new process begins. */
  async #stopService(): Promise<void> {
    await this.#flush();
    if (this.#world.crashed) return;
    const { long } = this.#traffic;
    long.close();
    await turn();
    await turn();
    long.settle(true);
    expectThat("I35", long.waits === 0, `${long.waits} requests wait while the service ends`);
    this.#send([{ account: 0, key: 0, kind: "wait", credential: "good", lagMs: 0 }]);
    await this.#traffic.answered();
    await this.#pass(0);
    expectThat("I35", long.waits === 0, "a request began to wait while the service ends");
    const read = long.readAll();
    await this.#world.untilDone(read);
    await this.#traffic.answered();
    this.#world.die();
    this.#counts.add("service ended");
    this.#restart();
  }

  async #flush(): Promise<void> {
    this.#world.release?.();
    await this.#traffic.answered();
  }

  #crash(): void {
    const before = this.#dump();
    this.#world.die();
    this.#counts.add("crash between requests");
    this.#restart();
    expectThat("I21", this.#dump() === before, "a crash changed the file");
  }

  #restart(): void {
    const { fired } = this.#world;
    if (fired === "admit.commit.after") this.#counts.add("crash after the commit");
    else if (fired !== null) this.#counts.add("crash before the commit");
    this.#traffic.forget();
    this.#model.crash();
    this.#checker.forgettings += 1;
    this.#world.fired = null;
    this.#world.restart();
    compareSums(this.#world.operator, this.#model);
  }

  /** After a write error of unknown extent nothing is admitted. Only a new process continues. */
  async #stop(): Promise<void> {
    const fatal = await Promise.race([this.#world.server.ledger.fatal, turn(null)]);
    expectThat("model", fatal !== null, "the ledger did not say that storage is lost");
    this.#send([{ account: 0, key: 0, kind: "free", credential: "good", lagMs: 0 }]);
    await this.#traffic.answered();
    this.#restart();
  }

  #setClockBack(ms: number): void {
    this.#world.clock.at -= ms;
    this.#checker.forgettings += 1;
    this.#checker.clocksSetBack += 1;
  }

  /** An operator accepts the machine's clock, even if the ledger has written far ahead of it. */
  #acceptClock(): void {
    const { subject, operator, clock } = this.#world;
    const { leasesEnded } = subject.clock.acceptClock(operator, clock.now());
    if (this.#model.highWaterAt > clock.now()) this.#futureTaken = true;
    const beyond = this.#model.acceptClock(clock.now());
    expectThat("model", leasesEnded === beyond.length, `${leasesEnded} leases ended, it should be ${beyond.length}`);
    for (const { leaseId, admittedAt, endedAt } of this.#model.leases) {
      if (Math.max(admittedAt, endedAt ?? 0) > clock.now()) this.#checker.beyond.add(leaseId);
    }
    this.#counts.add("clock accepted");
  }

  /** Moves to just before, exactly at or just after an instant at which something changes, and sends a request there. */
  async #boundary({ of, nth, offset, kind, late }: Extract<Operation, { do: "boundary" }>): Promise<void> {
    const { clock } = this.#world;
    const target = instantAhead(of, nth, this.#model, this.#people, clock.now());
    if (target === null || target.at + offset < clock.now()) return;
    await this.#pass(target.at + offset - clock.now());
    this.#counts.add(`boundary of a ${of}`);
    const shape = { account: target.account, key: target.key, kind, credential: "good", lagMs: 0 } as const;
    this.#send([shape]);
    await this.#finalize();
    if (late) {
      this.#send([{ ...shape, account: target.account + 1, key: 0, kind: "free" }]);
      await this.#finalize();
      this.#send([{ ...shape, lagMs: 30 }]);
      await this.#finalize();
    }
    const plan = of === "plan" ? this.#model.account(this.#people.accountId(target.account)) : null;
    if (plan?.planEndsAt != null && plan.planEndsAt <= clock.now()) this.#counts.add("admitted after the plan ended");
  }

  /** Retries exactly at the latest Retry-After. The retry must succeed unless something else has changed. */
  async #obey(far: boolean): Promise<void> {
    const { refusal } = this.#traffic;
    if (refusal === null || this.#world.release !== null) return;
    const { shape, code, retryAfterS } = refusal;
    if ((!far && retryAfterS > obeyedFarS) || retryAfterS >= retryAfterMaxS) return;
    const before = this.#standing(shape);
    const wasLate = [...this.#model.places.values()].some(({ isLate }) => isLate);
    await this.#pass(retryAfterS * 1000 + shape.lagMs);
    this.#send([shape]);
    await this.#traffic.answered();
    const again = this.#traffic.refusal?.code ?? null;
    if (this.#futureTaken && code !== "rate_limited") return;
    if (wasLate && code === "waiting_limit") return;
    if (this.#standing(shape) !== before || (code !== "rate_limited" && again === "rate_limited")) return;
    // A refusal before the ledger does not depend on the month or on exports.
    const isEarly = code === "rate_limited" || /^changes_|^waiting_/.test(code);
    const through = isEarly ? again !== code : again === null;
    expectThat(code === "rate_limited" ? "I13" : "I23", through, `${code}: after ${retryAfterS} s it was ${again}`);
    this.#counts.add(`obeyed ${code}` as "obeyed rate_limited");
  }

  #standing({ account, key }: RequestShape): string {
    const now = this.#world.clock.now();
    const authorization = this.#people.authorization(account, key, "good");
    const found = [...this.#model.keys.values()].find(({ secret }) => authorization === `Bearer ${secret}`);
    const owner = this.#model.account(this.#people.accountId(account));
    return `${planAt(owner, now)} ${found !== undefined && found.expiresAt > now}`;
  }

  /** I22: without faults, every account that is limited only by its own use can begin an export. */
  async #liveness(): Promise<void> {
    const { clock } = this.#world;
    const [first] = this.#people.accountIds;
    await this.#pass(Math.max(0, this.#model.highWaterAt - clock.now()) + leaseAndMarginMs);
    this.#people.makeWell();
    const startsMax = this.#setup.limits.trader.startsPerDay;
    for (const [account, accountId] of this.#people.accountIds.entries()) {
      if (account % this.#setup.slots === 0 && accountId !== first) await this.#pass(leaseAndMarginMs);
      const used = this.#model.usedIn(accountId, new Date(clock.now()).toISOString().slice(0, 7));
      const within = this.#model.startsBefore(accountId, clock.now()) < startsMax;
      if (!within || used >= this.#setup.limits.trader.perMonth) continue;
      this.#send([{ account, key: 0, kind: "export", credential: "good", lagMs: 0 }]);
      await this.#traffic.answered();
      expectThat("I22", this.#traffic.refusal === null, `${accountId} was refused: ${this.#traffic.refusal?.code}`);
      this.#counts.add("liveness of every account");
    }
  }

  /** I29: no secret is anywhere on disk. */
  #noSecrets(): void {
    const files = this.#world.files.map((path) => readFileSync(path));
    for (const secret of this.#people.secrets.slice(-secretsSought)) {
      const part = secret.slice(-22, -6);
      const found = files.some((bytes) => bytes.includes(part));
      expectThat("I29", !found, "a secret is in the file");
    }
  }

  /** The rows of the access layer as text, and how many events there are. */
  #dump(): string {
    const tables = ["accounts", "api_keys", "usage_months", "snapshot_leases", "ledger_clock"];
    const queries = [
      ...tables.map((table) => `SELECT * FROM ${table}`),
      "SELECT max(request_id), count(*) FROM usage_events",
    ];
    const { $client: client } = this.#world.operator;
    return queries.map((query) => JSON.stringify(client.prepare(query).raw().all())).join("\n");
  }
}
