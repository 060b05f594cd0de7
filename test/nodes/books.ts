import { plans, serviceSlots } from "../../src/access/plans.ts";
import type { Cluster } from "./cluster.ts";
import { isCharged, isRefused, type Person, type Sent } from "./traffic.ts";

/** A revoked key, and the instant at which the command reported it. */
export type Revoked = { keyId: string; at: number };

type Count = { tries: number; answered: number; unknown: number };
type Account = { account_id: string; plan: keyof typeof plans; used: number; events: number; busiest: number };

const accountsQuery = `SELECT a.account_id, a.plan, coalesce(m.used, 0)::int AS used, coalesce(e.events, 0)::int AS events,
    coalesce(e.busiest, 0)::int AS busiest
  FROM itemtape.accounts a
  LEFT JOIN (SELECT account_id, sum(used) AS used FROM itemtape.usage_months GROUP BY 1) m USING (account_id)
  LEFT JOIN (SELECT account_id, sum(n) AS events, max(n) AS busiest FROM (SELECT account_id, at / 60000 AS minute, count(*) AS n
    FROM itemtape.usage_events GROUP BY 1, 2) c GROUP BY 1) e USING (account_id)
  WHERE a.account_id = ANY ($1)`;

/** Compares the clients' records with the ledger. */
export class Books {
  readonly #cluster: Cluster;
  readonly #counts = new Map<string, Count>();
  /** Units that an account had used before its first request here. */
  readonly #before = new Map<string, number>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Makes an account that has `left` units left of its month. */
  async leave(person: Person, limit: number, left: number): Promise<void> {
    await this.#cluster.pair.query(
      `INSERT INTO itemtape.usage_months VALUES ($1, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), $2)`,
      [person.accountId, limit - left],
      "itemtape",
    );
    this.#before.set(person.accountId, limit - left);
  }

  /**
   * Returns the faults. `isStrict`: every commit had its standby and none was uncertain for long, so a 503 means that nothing was charged.
   */
  async faults(sent: readonly Sent[], revoked: readonly Revoked[], isStrict: boolean): Promise<string[]> {
    this.#count(sent);
    const { publisher } = this.#cluster;
    const faults = [
      ...exportFaults(sent, await this.#places(sent)),
      ...revocationFaults(sent, revoked),
      ...marketFaults(sent, publisher.digests()),
    ];
    const ids = sent.filter(({ requestId }) => requestId !== "").map(({ requestId }) => requestId);
    const known = await this.#ask(
      "SELECT request_id, account_id FROM itemtape.usage_events WHERE request_id = ANY ($1)",
      ids,
    );
    const charged = new Map(known.map(({ request_id, account_id }) => [request_id, account_id]));
    for (const one of sent) {
      const account = charged.get(one.requestId);
      if (isCharged(one) && account !== one.person.accountId) faults.push(`${told(one)} is not in the ledger`);
      const isFree = isRefused(one) || (isStrict && one.status === 503 && one.code === "service_unavailable");
      if (isFree && account !== undefined) faults.push(`${told(one)} was charged`);
    }
    const accounts: Account[] = await this.#ask(accountsQuery, [...this.#counts.keys()]);
    return [...faults, ...accounts.flatMap((account) => this.#accountFaults(account))];
  }

  /** Moves export leases two minutes back, so that leases of dead nodes expire and free their slots. */
  async giveBackPlaces(): Promise<void> {
    await this.#cluster.pair.query(
      "UPDATE itemtape.snapshot_leases SET admitted_at = admitted_at - 120000, expires_at = expires_at - 120000 WHERE state = 'reserved'",
      [],
      "itemtape",
    );
  }

  /** Returns the ledger's export slots by request. Times are in ms of the clients' clock. */
  async #places(sent: readonly Sent[]): Promise<Map<string, string>> {
    const ids = sent
      .filter(({ kind, status }) => kind === "export" && status === 200)
      .map(({ requestId }) => requestId);
    const leases =
      "SELECT lease_id, state, admitted_at, ended_at FROM itemtape.snapshot_leases WHERE lease_id = ANY ($1)";
    const at = (ms: number | null) => (ms === null ? "never" : (Number(ms) - performance.timeOrigin).toFixed(0));
    return new Map(
      (await this.#ask(leases, ids)).map(({ lease_id, state, admitted_at, ended_at }) => [
        lease_id,
        `admitted ${at(admitted_at)}, ${state} ${at(ended_at)}`,
      ]),
    );
  }

  #count(sent: readonly Sent[]): void {
    const tries = this.#cluster.proxy.tries();
    for (const one of sent) {
      const { accountId } = one.person;
      const count = this.#counts.get(accountId) ?? { tries: 0, answered: 0, unknown: 0 };
      this.#counts.set(accountId, count);
      // A request that a node of the proxy did not answer was sent to another: each may have charged it.
      const own = one.isProxied ? (tries.get(one.number) ?? 1) : 1;
      const isKnown = isCharged(one) || isRefused(one);
      count.tries += own;
      count.answered += isCharged(one) ? 1 : 0;
      count.unknown += own - (isKnown ? 1 : 0);
    }
  }

  #accountFaults({ account_id: id, plan, used, events, busiest }: Account): string[] {
    const { answered, unknown } = this.#counts.get(id)!;
    const { requestsPerMonth, requestsPerMinute } = plans[plan];
    const faults: string[] = [];
    const say = (isFault: boolean, what: string) => {
      if (isFault) faults.push(`${id} (${plan}): ${what}`);
    };
    say(used > requestsPerMonth, `${used} units of a month of ${requestsPerMonth}`);
    say(busiest > requestsPerMinute, `${busiest} charges in a minute of ${requestsPerMinute}`);
    say(used !== events + (this.#before.get(id) ?? 0), `${used} units and ${events} charges`);
    say(events < answered, `${events} charges and ${answered} answered`);
    say(events > answered + unknown, `${events} charges, ${answered} answered, ${unknown} without an answer that says`);
    return faults;
  }

  // biome-ignore lint/suspicious/noExplicitAny: each caller knows its rows.
  async #ask(text: string, values: readonly string[]): Promise<any[]> {
    return (await this.#cluster.pair.query(text, [values], "itemtape")).rows;
  }
}

/** Exports admitted while the account already had one, or the service eight, during the whole request. */
function exportFaults(sent: readonly Sent[], places: ReadonlyMap<string, string>): string[] {
  const begun = sent.filter(({ kind, status }) => kind === "export" && status === 200);
  const inWhole = (one: Sent) => `${told(one)} ${timesOf(one)}, its place: ${places.get(one.requestId)}`;
  return begun.flatMap((one) => {
    const underWay = begun.filter(
      (other) =>
        other !== one &&
        other.answeredAt <= one.sentAt &&
        other.heldUntil !== null &&
        other.heldUntil >= one.answeredAt,
    );
    const own = underWay.filter(({ person }) => person.accountId === one.person.accountId);
    return [
      ...own.map((other) => `${inWhole(one)} began beside ${inWhole(other)}`),
      ...(underWay.length < serviceSlots ? [] : [`${told(one)} began beside ${underWay.length} others`]),
    ];
  });
}

/** The node of an export and its times, in ms of the clients' clock. */
function timesOf({ node, isProxied, sentAt, answeredAt, heldUntil, ending }: Sent): string {
  const at = (ms: number | null) => (ms === null ? "never" : ms.toFixed(1));
  const place = `node ${node ?? "unknown"}${isProxied ? " by the proxy" : ""}`;
  return `(${place}, sent ${at(sentAt)}, answered ${at(answeredAt)}, read from ${at(heldUntil)}, ${ending})`;
}

function revocationFaults(sent: readonly Sent[], revoked: readonly Revoked[]): string[] {
  const since = new Map(revoked.map(({ keyId, at }) => [keyId, at]));
  const isWrong = ({ person, sentAt, status }: Sent) =>
    sentAt > (since.get(person.keyId) ?? Number.POSITIVE_INFINITY) && status !== null && status !== 401 && status < 500;
  return sent.filter(isWrong).map((one) => `${told(one)} was answered after its key was revoked`);
}

/** Responses from a market that the publisher has not sealed, or older than an earlier response of the same node. */
function marketFaults(sent: readonly Sent[], sealed: ReadonlyMap<string, string>): string[] {
  const named = sent.filter(({ generation }) => generation !== null);
  const numberOf = ({ generation }: Sent) => Number(generation!.slice(1));
  const unverified = named.filter(({ generation, digest }) => {
    const known = sealed.get(generation!);
    return known === undefined || (digest !== null && digest !== known);
  });
  const older = named.flatMap((one) => {
    const before = named.find(
      (other) =>
        other.node !== null &&
        other.node === one.node &&
        other.answeredAt < one.sentAt &&
        numberOf(other) > numberOf(one),
    );
    return before === undefined
      ? []
      : [`${told(one)} from ${one.generation} after ${told(before)} from ${before.generation}`];
  });
  return [
    ...unverified.map((one) => `${told(one)} from ${one.generation}, which the publisher has not sealed`),
    ...older,
    ...sent
      .filter(({ ending }) => ending === "other")
      .map((one) => `${told(one)} and ended otherwise than by its last record`),
  ];
}

function told({ kind, status, requestId, person }: Sent): string {
  return `${kind} ${requestId || "without an id"} of ${person.accountId}, answered ${status}`;
}
