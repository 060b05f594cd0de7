import type { MirrorFacts, Reports } from "../../values/event-facts.ts";
import type { StorageFailureFacts } from "../../values/failure/storage-failure.ts";

/** The events of a mirror, one function each. */
export type MirrorEvents = Reports<MirrorFacts> & {
  /** Storage failed: the file cannot be read or written, or is damaged. */
  storageErred(facts: StorageFailureFacts): void;
};

export type MirrorEventName = keyof MirrorEvents;

/** An event of a mirror in another thread, which `relay` emits in this one. */
export type MirrorMessage = { event: MirrorEventName; facts: unknown };

/** Returns events that are sent as messages. */
export function sendingEvents(send: (message: MirrorMessage) => void): MirrorEvents {
  const get = (_: unknown, event: MirrorEventName) => (facts: unknown) => send({ event, facts });
  return new Proxy({}, { get }) as MirrorEvents;
}

/** Emits the event of a message. */
export function relay(message: MirrorMessage, events: MirrorEvents): void {
  (events[message.event] as (facts: unknown) => void)(message.facts);
}
