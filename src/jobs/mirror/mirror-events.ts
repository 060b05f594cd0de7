import type { StorageFailureFacts } from "../../values/failure/storage-failure.ts";

type FeedName = { feed: string };
type VerifiedBy = { verified_by: "body" | "not_modified" };

/** The events of a mirror, one function each. Nothing in the facts is secret: no query of an address, no header. */
export type MirrorEvents = {
  /**
   * A body with other content than before was taken in; `refused` are prices in it that were left out. `not_judged`: which guards could not
   * judge it and why; left out: all of them did.
   */
  feedVerified(facts: FeedName & { items: number; refused: number; bytes: number; not_judged?: string }): void;
  feedUnchanged(facts: FeedName & VerifiedBy): void;
  /** A poll gave nothing that can be used, or what came cannot be written: what is published stays. */
  feedFailed(facts: FeedName & { reason: string; failures: number; retry_ms: number }): void;
  /** The source answers and has been unchanged for very long. */
  feedFrozen(facts: FeedName & { unchanged_ms: number }): void;
  /** The source's own save time lies far behind the check. */
  feedBehind(facts: FeedName & { saved_at: string; behind_ms: number }): void;
  /** A body broke a guard that an operator had accepted a breach of. */
  guardAccepted(facts: FeedName & { guard: string; finding: string }): void;
  /** A poll began much later than it was due. */
  feedLagging(facts: FeedName & { late_ms: number }): void;
  frameRecorded(
    facts: FeedName & VerifiedBy & { hour: string; items: number; quotes: number; hold_ms_max: number },
  ): void;
  /** A frame is not recorded. A later check within its hour queues another one. */
  frameDropped(facts: FeedName & { hour: string; reason: string }): void;
  /** `too_large`: items left out, because their record would be too large. */
  generationPublished(facts: {
    feeds: string;
    generation: string;
    items: number;
    too_large: number;
    hold_ms_max: number;
  }): void;
  /** A change is postponed, because the last publication was so recent. */
  publicationPostponed(facts: { feeds: string; wait_ms: number }): void;
  daysFinalized(facts: { days: number; rows: number; index_levels: number }): void;
  /** Another import is writing; what the mirror has waits. */
  mirrorWaiting(facts: { retry_ms: number }): void;
  /** Something other than one feed failed; it is tried again. */
  mirrorFailed(facts: { reason: string; retry_ms: number }): void;
  /** The file cannot be read or written, or is damaged. */
  storageErred(facts: StorageFailureFacts): void;
};

export type MirrorEventName = keyof MirrorEvents;

/** One event of a mirror in another thread, which `relay` emits on the other side. */
export type MirrorMessage = { event: MirrorEventName; facts: unknown };

/** Turns every event into a message. */
export function sendingEvents(send: (message: MirrorMessage) => void): MirrorEvents {
  const get = (_: unknown, event: MirrorEventName) => (facts: unknown) => send({ event, facts });
  return new Proxy({}, { get }) as MirrorEvents;
}

/** Emits the event that a message carries. */
export function relay(message: MirrorMessage, events: MirrorEvents): void {
  (events[message.event] as (facts: unknown) => void)(message.facts);
}
