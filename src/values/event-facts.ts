// Facts of the events that the program reports: the fields of their log lines, listed one by one, so that no header, query string or secret
// gets into a line. A source is named by its feed, because an address may hold a secret.

type Account = { account_id: string };
type Feed = { feed: string };
type VerifiedBy = { verified_by: "body" | "not_modified" };
type Retried = { reason: string; retry_ms: number };
type ReleaseFigures = { release: number; generation: string | null; chunks: number; duration_ms: number };

/** The process, its connections and people. An account is named by its id, or not at all: the log has neither logins nor addresses. */
type ProcessFacts = {
  malformedRequest: { request_id: string; reason: string };
  listening: { address: string; port: number; release: string };
  draining: { signal: string; drain_ms: number };
  stopped: { clean: boolean; duration_ms: number };
  signInSucceeded: Account;
  /** `account_id` null: nobody was signed in yet, and the login is not looked up. */
  signInFailed: { account_id: string | null; reason: "invalid_credentials" | "account_disabled" };
  /** `password` ended every session but the one that it was changed in, `link` every session. */
  passwordSet: Account & { by: "link" | "password" };
  signedOutEverywhere: Account;
  /** The served contract was asked for by a host other than loopback, and no public address is set. */
  documentWithoutBase: Record<string, never>;
  /** The thread of the mirror ended by itself. It is started again. */
  mirrorDied: { reason: string; restart_ms: number };
};

type GuardFacts = {
  came?: number;
  changed?: number;
  went?: number;
  moves?: string;
  named?: string;
  not_judged?: string;
};

/** The mirror. */
export type MirrorFacts = {
  /**
   * A body with other content than before was taken in; `refused` are prices in it that were left out. `came`, `changed`, `went`: its quotes
   * beside the last accepted ones, and `moves` the largest changes. `named`: what guards found unusual. `not_judged`: which guards could not
   * judge it and why. Those without anything to say are left out.
   */
  feedVerified: Feed & { items: number; refused: number; bytes: number } & GuardFacts;
  feedUnchanged: Feed & VerifiedBy;
  /** A poll gave nothing that can be used, or what came cannot be written: what is published stays. */
  feedFailed: Feed & Retried & { failures: number };
  /** The source answers and has been unchanged for very long. */
  feedFrozen: Feed & { unchanged_ms: number };
  /** The source's own save time lies far behind the check. */
  feedBehind: Feed & { saved_at: string; behind_ms: number };
  /** A body broke a guard that an operator had accepted a breach of. */
  guardAccepted: Feed & { guard: string; finding: string };
  /** A poll began much later than it was due. */
  feedLagging: Feed & { late_ms: number };
  frameRecorded: Feed & VerifiedBy & { hour: string; items: number; quotes: number; hold_ms_max: number };
  /** A frame is not recorded. A later check within its hour queues another one. */
  frameDropped: Feed & { hour: string; reason: string };
  /** `too_large`: items left out, because their record would be too large. */
  generationPublished: { feeds: string; generation: string; items: number; too_large: number; hold_ms_max: number };
  /** A change is postponed, because the last publication was so recent. */
  publicationPostponed: { feeds: string; wait_ms: number };
  daysFinalized: { days: number; rows: number; index_levels: number; corrected_levels: number };
  /** Another import is writing; what the mirror has waits. */
  mirrorWaiting: { retry_ms: number };
  /** Something other than one feed failed; it is tried again. */
  mirrorFailed: Retried;
};

/** The calculation of returns. */
export type RoiFacts = {
  roiCalculated: {
    generation: string | null;
    published: number;
    unchanged: number;
    withheld: number;
    without_point: number;
    duration_ms: number;
    hold_ms: number;
  };
  /** A pool was left out. What is published of it stays. */
  roiSkipped: { openable: string; valuation_mode: string; reason: string };
  /** Another process holds the roi lock. */
  roiWaiting: { retry_ms: number };
  roiFailed: Retried;
};

/** Sealing releases. */
export type SealFacts = {
  releaseSealed: ReleaseFigures & { new_chunks: number; new_bytes: number; manifest_bytes: number; pruned: number };
  /** A release could not be made. The last one stays as it is. */
  releaseFailed: Retried;
};

/** Following the releases of another server. */
export type FollowFacts = {
  releaseTaken: ReleaseFigures & {
    fetched_chunks: number;
    fetched_bytes: number;
    is_chained: boolean;
    swap_ms: number;
  };
  /** What is served stays. */
  releaseRefused: Retried & { kind: string };
  releaseStale: { release: number; age_hours: number };
};

/** The valuation of portfolios. */
export type ValuationFacts = {
  /** `late`: portfolios with a day that waits because no price of it has come yet. */
  portfoliosValued: { portfolios: number; days: number; incomplete: number; refused: number; late: number };
  valuationFailed: Retried;
};

/** Facts by the name of their event. */
export type EventFacts = ProcessFacts & MirrorFacts & RoiFacts & SealFacts & FollowFacts & ValuationFacts;

/** One function for each event, which reports its facts. */
export type Reports<Facts> = { [Name in keyof Facts]: (facts: Facts[Name]) => void };

/** Reports an error if it means that storage failed. */
export type ReportsStorage = { storageErredIf(error: unknown): void };
