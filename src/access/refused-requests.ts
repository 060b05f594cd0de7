/** Refused requests of an account, as far as this process has seen them: since `since` (UTC ms), by code. */
export type RefusedCounts = { since: number; byCode: Readonly<Record<string, number>> };

/** Maximum accounts that are counted; the one without a refusal for the longest goes first. */
const accountsMax = 10_000;

/**
 * Counts the requests that were refused to each account, in memory: they cost nothing, so no ledger has them. What is counted begins
 * with the process.
 */
export class RefusedRequests {
  readonly #since: number;
  readonly #accounts = new Map<string, Map<string, number>>();

  /** `since`: now, UTC ms. */
  constructor(since: number) {
    this.#since = since;
  }

  /** Counts a refusal with this code of the contract. */
  add(accountId: string, code: string): void {
    const counts = this.#accounts.get(accountId) ?? new Map<string, number>();
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, counts);
    counts.set(code, (counts.get(code) ?? 0) + 1);
    if (this.#accounts.size <= accountsMax) return;
    const [oldest = ""] = this.#accounts.keys();
    this.#accounts.delete(oldest);
  }

  /** Returns what was counted of an account, the most frequent code first. */
  of(accountId: string): RefusedCounts {
    const counts = [...(this.#accounts.get(accountId) ?? [])].sort(([, a], [, b]) => b - a);
    return { since: this.#since, byCode: Object.fromEntries(counts) };
  }
}
