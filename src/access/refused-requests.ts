/** Refused requests of an account that this process has counted since `since` (UTC ms), by code. */
export type RefusedCounts = { since: number; byCode: Readonly<Record<string, number>> };

/** Maximum counted accounts. The account with the oldest latest refusal is removed first. */
const accountsMax = 10_000;

/**
 * Counts the refused requests of each account in memory. They cost nothing, so the ledger does not contain them. Counts begin with the
 * process.
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

  /** Returns the counts of an account, the most frequent code first. */
  of(accountId: string): RefusedCounts {
    const counts = [...(this.#accounts.get(accountId) ?? [])].sort(([, a], [, b]) => b - a);
    return { since: this.#since, byCode: Object.fromEntries(counts) };
  }
}
