import type { FollowEvents } from "./jobs/follow/follower.ts";
import type { MirrorThreadEvents } from "./jobs/mirror/mirror-thread.ts";
import type { ReleaseEvents } from "./jobs/releases/release-schedule.ts";
import type { RoiEvents } from "./jobs/roi/schedule.ts";
import type { ValuationEvents } from "./jobs/valuation/schedule.ts";
import type { Log } from "./log.ts";
import type { Count } from "./ops/observer.ts";

// Events of what runs by itself beside the requests: each function makes the records of one kind of job.

/** Makes the events of the mirror. A source is named by its feed: an address may hold a secret. */
export function mirrorEvents(log: Log, count: Count): Omit<MirrorThreadEvents, "storageErred"> {
  return {
    feedVerified(facts) {
      count("feeds_verified");
      log.info(facts, "feed verified: new content");
    },
    feedUnchanged(facts) {
      count("feeds_unchanged");
      log.debug(facts, "feed verified: unchanged");
    },
    feedFailed(facts) {
      count("feeds_failed");
      log.warn(facts, "feed failed; what is published stays");
    },
    feedFrozen(facts) {
      count("feeds_frozen");
      log.warn(facts, "feed frozen: its source answers and says nothing new");
    },
    feedBehind(facts) {
      count("feeds_behind");
      log.warn(facts, "feed behind: its source answers with content that it saved long ago");
    },
    guardAccepted(facts) {
      count("guards_accepted");
      log.warn(facts, "guard broken by a body that an operator accepted");
    },
    feedLagging(facts) {
      count("feeds_lagging");
      log.warn(facts, "feed polled late: the mirror does not keep up");
    },
    frameRecorded(facts) {
      count("frames_recorded");
      log.info(facts, "frame recorded");
    },
    generationPublished(facts) {
      count("generations_published");
      log.info(facts, "generation published");
    },
    publicationPostponed(facts) {
      count("publications_postponed");
      log.debug(facts, "publication postponed: the last one was too recent");
    },
    daysFinalized(facts) {
      count("days_settled");
      log.info(facts, "days finalized");
    },
    mirrorWaiting(facts) {
      count("mirror_waits");
      log.info(facts, "mirror waits: another import is writing");
    },
    mirrorFailed(facts) {
      count("mirror_failures");
      log.error(facts, "mirror failed; it tries again");
    },
    mirrorDied(facts) {
      count("mirror_deaths");
      log.error(facts, "mirror died; it is started again");
    },
  };
}

/** Makes the events of the calculation of returns. */
export function roiEvents(log: Log, count: Count): Omit<RoiEvents, "storageErredIf"> {
  return {
    roiCalculated(facts) {
      count("roi_runs");
      log.info(facts, "returns of openables calculated");
    },
    roiSkipped(facts) {
      count("roi_skips");
      log.warn(facts, "openable not calculated; what is published of it stays");
    },
    roiWaiting(facts) {
      count("roi_waits");
      log.info(facts, "calculation of returns waits: another one is running");
    },
    roiFailed(facts) {
      count("roi_failures");
      log.error(facts, "calculation of returns failed; what is published stays");
    },
  };
}

/** Makes the events of sealing releases. */
export function releaseEvents(log: Log, count: Count): ReleaseEvents {
  return {
    releaseSealed(facts) {
      count("releases_sealed");
      log.info(facts, "release sealed");
    },
    releaseFailed(facts) {
      count("release_failures");
      log.error(facts, "release not sealed; the last one stays");
    },
  };
}

/** Makes the events of taking releases. */
export function followEvents(log: Log, count: Count): FollowEvents {
  return {
    releaseTaken(facts) {
      count("releases_taken");
      log.info(facts, "release taken");
    },
    releaseRefused(facts) {
      count("releases_refused");
      log.error(facts, "release not taken; the last one is served");
    },
    releaseStale(facts) {
      count("releases_stale");
      log.warn(facts, "release stale: its publisher has sealed nothing newer");
    },
  };
}

/** Makes the events of the valuation of portfolios. */
export function valuationEvents(log: Log, count: Count): Omit<ValuationEvents, "storageErredIf"> {
  return {
    portfoliosValued(facts) {
      count("valuations");
      log.info(facts, "portfolios valued");
    },
    valuationFailed(facts) {
      count("valuation_failures");
      log.error(facts, "valuation of portfolios failed; what is stored stays");
    },
  };
}
