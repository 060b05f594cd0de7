// Fields of the log lines of all events. They are listed one by one, so that no header, query string or secret reaches a line. A source is
// named by its feed, because its address may contain a secret.

type Account = { account_id: string };
type Feed = { feed: string };
type VerifiedBy = { verified_by: "body" | "not_modified" };
type Retried = { reason: string; retry_ms: number };
type ReleaseFigures = { release: number; generation: string | null; chunks: number; duration_ms: number };

/** Events of the process, its connections and users. Log lines contain account ids, but no logins or addresses. */
type ProcessFacts = {
  malformedRequest: { request_id: string; reason: string };
  listening: { address: string; port: number; release: string };
  draining: { signal: string; drain_ms: number };
  stopped: { clean: boolean; duration_ms: number };
  signInSucceeded: Account;
  /** `account_id` is null if the user was not signed in: the login is not looked up. */
  signInFailed: { account_id: string | null; reason: "invalid_credentials" | "account_disabled" };
  /** `password` ended all other sessions, `link` ended every session. */
  passwordSet: Account & { by: "link" | "password" };
  signedOutEverywhere: Account;
  /** A host other than loopback requested the contract, and no public address is configured. */
  documentWithoutBase: Record<string, never>;
  /** The mirror's thread ended unexpectedly. It is started again. */
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

/** Events of the mirror. */
export type MirrorFacts = {
  /**
   * A body with new content was accepted. `refused` counts rejected prices. `came`, `changed` and `went` compare its quotes with the last
   * accepted body; `moves` lists the largest changes. `named` lists unusual findings of guards. `not_judged` lists the guards that could
   * not judge the body, with reasons. Empty fields are omitted.
   */
  feedVerified: Feed & { items: number; refused: number; bytes: number } & GuardFacts;
  feedUnchanged: Feed & VerifiedBy;
  /** A poll failed, or its body could not be written. Published data stays unchanged. */
  feedFailed: Feed & Retried & { failures: number };
  /** The source answers, but its content has not changed for a long time. */
  feedFrozen: Feed & { unchanged_ms: number };
  /** The save time of the source is far behind the time of the check. */
  feedBehind: Feed & { saved_at: string; behind_ms: number };
  /** A body failed a guard, but an operator had accepted this failure. */
  guardAccepted: Feed & { guard: string; finding: string };
  /** A poll started much later than scheduled. */
  feedLagging: Feed & { late_ms: number };
  frameRecorded: Feed & VerifiedBy & { hour: string; items: number; quotes: number; hold_ms_max: number };
  /** A frame was not recorded. A later check in the same hour queues another. */
  frameDropped: Feed & { hour: string; reason: string };
  /** `too_large` counts the items that were omitted because their record is too large. */
  generationPublished: { feeds: string; generation: string; items: number; too_large: number; hold_ms_max: number };
  /** A change is postponed because the last publication was too recent. */
  publicationPostponed: { feeds: string; wait_ms: number };
  daysFinalized: { days: number; rows: number; index_levels: number; corrected_levels: number };
  /** Another import holds the lock; the mirror's changes wait. */
  mirrorWaiting: { retry_ms: number };
  /** The mirror failed for a reason that concerns more than one feed. It retries. */
  mirrorFailed: Retried;
};

/** Events of the ROI calculation. */
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
  /** A pool was skipped. Its published results stay. */
  roiSkipped: { openable: string; valuation_mode: string; reason: string };
  roiWaiting: { retry_ms: number };
  roiFailed: Retried;
};

/** Events of the terms of sources. */
type TermsFacts = {
  /** A mapping forbids passing on the prices of a provider, but the operator has set `redistribution` to `set`. */
  termsConflicted: Feed & { provider: string; set: string };
};

/** Events of sealing releases. */
export type SealFacts = {
  releaseSealed: ReleaseFigures & { new_chunks: number; new_bytes: number; manifest_bytes: number; pruned: number };
  /** Sealing a release failed. The last release stays. */
  releaseFailed: Retried;
};

/** Events of following the releases of another server. */
export type FollowFacts = {
  releaseTaken: ReleaseFigures & {
    fetched_chunks: number;
    fetched_bytes: number;
    /** Bytes of pages that were written. */
    written_bytes: number;
    swap_ms: number;
  };
  /** A release was refused. The server keeps serving the last one. */
  releaseRefused: Retried & { kind: string };
  releaseStale: { release: number; age_hours: number };
  /** The signed metadata have expired. Nothing newer is taken. */
  releaseExpired: { release: number; expired_at: string };
};

/** Events of the valuation of portfolios. */
export type ValuationFacts = {
  /** `late` counts portfolios with a day that waits for its first price. */
  portfoliosValued: { portfolios: number; days: number; incomplete: number; refused: number; late: number };
  valuationFailed: Retried;
};

/** Facts of each event, by event name. */
export type EventFacts = ProcessFacts & MirrorFacts & RoiFacts & TermsFacts & SealFacts & FollowFacts & ValuationFacts;

/** One reporting function per event. */
export type Reports<Facts> = { [Name in keyof Facts]: (facts: Facts[Name]) => void };

/** Reports `error` if it is a storage failure. */
export type ReportsStorage = { reportIfStorageFailure(error: unknown): void };
