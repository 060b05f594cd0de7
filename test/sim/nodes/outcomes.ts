/** Every class of outcome that a run of nodes can reach. */
export const nodesOutcomes = [
  "admitted free",
  "admitted paid",
  "admitted usage",
  "admitted export",
  "admitted day",
  "admitted changes",
  "admitted wait",
  "refused insufficient_scope",
  "refused invalid_api_key",
  "refused expired_api_key",
  "refused revoked_api_key",
  "refused account_disabled",
  "refused plan_upgrade_required",
  "refused rate_limited by its own count",
  "refused rate_limited by the count of all",
  "refused monthly_quota_exceeded",
  "refused monthly_quota_exceeded of an export",
  "refused snapshot_busy",
  "refused snapshot_capacity",
  "refused snapshot_daily_limit",
  "refused changes_busy",
  "refused changes_capacity",
  "refused waiting_limit",
  "refused service_unavailable before its key was seen",
  "refused service_unavailable by a batch that was not written",
  "refused service_unavailable while another commit is in doubt",
  "refused service_unavailable for want of the standby",
  "late revoked_api_key",
  "late account_disabled",
  "late plan_upgrade_required",
  "admitted by what was kept of its caller",
  "looked up again because what was kept has changed",
  "answered although the commit's answer was lost",
  "answered after a late commit",
  "answered when a doubt was over",
  "batch of several requests",
  "batch of several accounts",
  "batch of charges and lease ends",
  "lock of another node waited for",
  "lease finished",
  "lease released",
  "lease ended too late",
  "lease expired",
  "lease of a dead node",
  "place left",
  "place ended too late",
  "place of a dead node",
  "node killed before the commit",
  "node killed after the commit",
  "node killed between requests",
  "node apart",
  "commit in doubt",
  "connection cut",
  "connection ended by the server",
  "statement failed",
  "commit undone",
  "database restarted",
  "clock of a node apart",
  "time passed while a batch waits",
  "boundary of a minute",
  "boundary of a month",
  "boundary of a lease",
  "boundary of a start",
  "boundary of a key",
  "boundary of a plan",
  "key made",
  "key rotated",
  "key revoked",
  "plan changed",
  "plan purchased",
  "account disabled or enabled",
  "operator refused",
] as const;

export type NodesOutcome = (typeof nodesOutcomes)[number];

/** How often each class was reached. */
export class NodesOutcomeCounts {
  readonly #counts = new Map<NodesOutcome, number>();

  add(outcome: NodesOutcome, times = 1): void {
    this.#counts.set(outcome, this.of(outcome) + times);
  }

  of(outcome: NodesOutcome): number {
    return this.#counts.get(outcome) ?? 0;
  }

  addAll(other: NodesOutcomeCounts): void {
    for (const outcome of nodesOutcomes) this.add(outcome, other.of(outcome));
  }

  /** Classes seen fewer than `least` times. */
  below(least: number): string[] {
    return nodesOutcomes.filter((one) => this.of(one) < least).map((one) => `${one}: ${this.of(one)}`);
  }

  lines(): string[] {
    return nodesOutcomes.map((outcome) => `${String(this.of(outcome)).padStart(9)}  ${outcome}`);
  }
}
