import type { Count } from "../ops/observer.ts";
import type { Log } from "./log.ts";

// Events of what runs by itself beside the requests: each function makes the records of one kind of job.

type FeedName = { feed: string };
type VerifiedBy = { verified_by: "body" | "not_modified" };

/** Makes the events of the mirror. A source is named by its feed: an address may hold a secret. */
export function mirrorEvents(log: Log, count: Count) {
  return {
    feedVerified(facts: FeedName & { items: number; refused: number; bytes: number; not_judged?: string }) {
      count("feeds_verified");
      log.info(facts, "feed verified: new content");
    },
    feedUnchanged(facts: FeedName & VerifiedBy) {
      count("feeds_unchanged");
      log.debug(facts, "feed verified: unchanged");
    },
    feedFailed(facts: FeedName & { reason: string; failures: number; retry_ms: number }) {
      count("feeds_failed");
      log.warn(facts, "feed failed; what is published stays");
    },
    feedFrozen(facts: FeedName & { unchanged_ms: number }) {
      count("feeds_frozen");
      log.warn(facts, "feed frozen: its source answers and says nothing new");
    },
    feedBehind(facts: FeedName & { saved_at: string; behind_ms: number }) {
      count("feeds_behind");
      log.warn(facts, "feed behind: its source answers with content that it saved long ago");
    },
    guardAccepted(facts: FeedName & { guard: string; finding: string }) {
      count("guards_accepted");
      log.warn(facts, "guard broken by a body that an operator accepted");
    },
    feedLagging(facts: FeedName & { late_ms: number }) {
      count("feeds_lagging");
      log.warn(facts, "feed polled late: the mirror does not keep up");
    },
    frameRecorded(facts: FeedName & VerifiedBy & { hour: string; items: number; quotes: number; hold_ms_max: number }) {
      count("frames_recorded");
      log.info(facts, "frame recorded");
    },
    frameDropped(facts: FeedName & { hour: string; reason: string }) {
      count("frames_dropped");
      log.warn(facts, "frame dropped: its hour may be missing in histories");
    },
    generationPublished(facts: {
      feeds: string;
      generation: string;
      items: number;
      too_large: number;
      hold_ms_max: number;
    }) {
      count("generations_published");
      log.info(facts, "generation published");
    },
    publicationPostponed(facts: { feeds: string; wait_ms: number }) {
      count("publications_postponed");
      log.debug(facts, "publication postponed: the last one was too recent");
    },
    daysFinalized(facts: { days: number; rows: number; index_levels: number }) {
      count("days_settled");
      log.info(facts, "days finalized");
    },
    mirrorWaiting(facts: { retry_ms: number }) {
      count("mirror_waits");
      log.info(facts, "mirror waits: another import is writing");
    },
    mirrorFailed(facts: { reason: string; retry_ms: number }) {
      count("mirror_failures");
      log.error(facts, "mirror failed; it tries again");
    },
    mirrorDied(facts: { reason: string; restart_ms: number }) {
      count("mirror_deaths");
      log.error(facts, "mirror died; it is started again");
    },
  };
}

/** Makes the events of the calculation of returns. */
export function roiEvents(log: Log, count: Count) {
  return {
    roiCalculated(facts: {
      generation: string | null;
      published: number;
      unchanged: number;
      withheld: number;
      without_point: number;
      duration_ms: number;
      hold_ms: number;
    }) {
      count("roi_runs");
      log.info(facts, "returns of openables calculated");
    },
    roiSkipped(facts: { openable: string; valuation_mode: string; reason: string }) {
      count("roi_skips");
      log.warn(facts, "openable not calculated; what is published of it stays");
    },
    roiWaiting(facts: { retry_ms: number }) {
      count("roi_waits");
      log.info(facts, "calculation of returns waits: another one is running");
    },
    roiFailed(facts: { reason: string; retry_ms: number }) {
      count("roi_failures");
      log.error(facts, "calculation of returns failed; what is published stays");
    },
  };
}

/** Makes the events of sealing releases. */
export function releaseEvents(log: Log, count: Count) {
  return {
    releaseSealed(facts: {
      release: number;
      generation: string | null;
      chunks: number;
      new_chunks: number;
      new_bytes: number;
      manifest_bytes: number;
      pruned: number;
      duration_ms: number;
    }) {
      count("releases_sealed");
      log.info(facts, "release sealed");
    },
    releaseFailed(facts: { reason: string; retry_ms: number }) {
      count("release_failures");
      log.error(facts, "release not sealed; the last one stays");
    },
  };
}

/** Makes the events of taking releases. */
export function followEvents(log: Log, count: Count) {
  return {
    releaseTaken(facts: {
      release: number;
      generation: string | null;
      chunks: number;
      fetched_chunks: number;
      fetched_bytes: number;
      is_chained: boolean;
      duration_ms: number;
      swap_ms: number;
    }) {
      count("releases_taken");
      log.info(facts, "release taken");
    },
    releaseRefused(facts: { kind: string; reason: string; retry_ms: number }) {
      count("releases_refused");
      log.error(facts, "release not taken; the last one is served");
    },
    releaseStale(facts: { release: number; age_hours: number }) {
      count("releases_stale");
      log.warn(facts, "release stale: its publisher has sealed nothing newer");
    },
  };
}

/** Makes the events of the valuation of portfolios. */
export function valuationEvents(log: Log, count: Count) {
  return {
    portfoliosValued(facts: { portfolios: number; days: number; incomplete: number; refused: number; late: number }) {
      count("valuations");
      log.info(facts, "portfolios valued");
    },
    valuationFailed(facts: { reason: string; retry_ms: number }) {
      count("valuation_failures");
      log.error(facts, "valuation of portfolios failed; what is stored stays");
    },
  };
}
