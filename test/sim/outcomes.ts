/** Every class of outcome that a run can reach. A suite that never reaches a class does not test it. */
export const outcomeClasses = [
  "admitted free",
  "admitted paid",
  "admitted usage",
  "admitted export",
  "admitted day",
  "admitted changes",
  "admitted wait",
  "admitted portfolio",
  "refused insufficient_scope",
  "refused invalid_api_key",
  "refused expired_api_key",
  "refused revoked_api_key",
  "refused account_disabled",
  "refused plan_upgrade_required",
  "refused invalid_range",
  "refused rate_limited",
  "refused monthly_quota_exceeded",
  "refused monthly_quota_exceeded of an export",
  "refused snapshot_busy",
  "refused snapshot_capacity",
  "refused snapshot_daily_limit",
  "refused changes_busy",
  "refused changes_capacity",
  "refused waiting_limit",
  "charged day_not_found",
  "charged generation_not_found",
  "charged changes_too_large",
  "refused service_unavailable by an unreliable clock",
  "refused service_unavailable by a locked file",
  "refused service_unavailable by a full file",
  "refused service_unavailable by a broken file",
  "refused service_unavailable after a broken file",
  "failed by a fault of the program",
  "late revoked_api_key",
  "late expired_api_key",
  "late account_disabled",
  "late plan_upgrade_required",
  "admitted after the plan ended",
  "admitted while the clock was behind",
  "admitted with a lag over the minute's boundary",
  "lease finished",
  "lease released",
  "lease ended too late",
  "lease ended twice",
  "lease expired",
  "crash between requests",
  "crash with requests in flight",
  "crash before the commit",
  "crash after the commit",
  "file left whole by a failed batch",
  "batch of several requests",
  "batch of several accounts",
  "batch of charges and lease ends",
  "batch over two months",
  "boundary of a minute",
  "boundary of a day",
  "boundary of a month",
  "boundary of a lease",
  "boundary of a start",
  "boundary of a key",
  "boundary of a plan",
  "obeyed rate_limited",
  "obeyed monthly_quota_exceeded",
  "obeyed snapshot_busy",
  "obeyed snapshot_capacity",
  "obeyed snapshot_daily_limit",
  "obeyed changes_busy",
  "obeyed changes_capacity",
  "obeyed waiting_limit",
  "day begun",
  "day read to the end",
  "day torn",
  "day left by its client",
  "day cut at its deadline",
  "day refused to the Free plan",
  "day refused a place",
  "changes begun",
  "empty changes begun",
  "changes read to the end",
  "changes torn",
  "changes left by its client",
  "changes cut at its deadline",
  "stream of a key that died meanwhile",
  "stream that could not begin in time",
  "client gone before the read",
  "generation answered at once",
  "wait begun",
  "wait ended by a publication",
  "wait over",
  "wait refused to its key",
  "wait refused to its plan",
  "wait answered by the end of the service",
  "publication that wakes nobody",
  "service ended",
  "clock accepted",
  "plan purchased anew",
  "plan extended",
  "purchase refused",
  "key rotated",
  "key revoked",
  "key made",
  "liveness of every account",
] as const;

export type OutcomeClass = (typeof outcomeClasses)[number];

/** Counts how often a run reached each class of outcome. */
export class Counts<Outcome extends string> {
  readonly #counts = new Map<Outcome, number>();
  readonly #all: readonly Outcome[];

  constructor(all: readonly Outcome[]) {
    this.#all = all;
  }

  add(outcome: Outcome, times = 1): void {
    this.#counts.set(outcome, this.of(outcome) + times);
  }

  of(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }

  addAll(other: Counts<Outcome>): void {
    for (const outcome of this.#all) this.add(outcome, other.of(outcome));
  }

  /** Classes seen fewer than `least` times. */
  below(least: number): string[] {
    return this.#all.filter((outcome) => this.of(outcome) < least).map((outcome) => `${outcome}: ${this.of(outcome)}`);
  }

  lines(): string[] {
    return this.#all.map((outcome) => `${String(this.of(outcome)).padStart(9)}  ${outcome}`);
  }
}

export class OutcomeCounts extends Counts<OutcomeClass> {
  constructor() {
    super(outcomeClasses);
  }
}
