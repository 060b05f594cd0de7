import type { MirrorFacts, Reports } from "../../values/event-facts.ts";
import type { StorageFailureFacts } from "../../values/failure/storage-failure.ts";

/** The events of a mirror, one function each. */
export type MirrorEvents = Reports<MirrorFacts> & {
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
