import { systemChance } from "../../values/chance.ts";
import { systemClock } from "../../values/time/clock.ts";
import type { BodyReader } from "./body/body-reader.ts";
import { Mirror } from "./mirror.ts";
import type { FeedConfig } from "./mirror-config.ts";
import type { MirrorEvents } from "./mirror-events.ts";

/** The settings of a mirror; can be sent to another thread. */
export type MirrorSetup = { databasePath: string; feeds: readonly FeedConfig[]; publishEveryMs: number };

/** Creates a mirror with the system's time and chance. `reader`: reads its bodies in another process, for a server's sake. */
export function systemMirror(
  { feeds, ...setup }: MirrorSetup,
  events: MirrorEvents,
  signal: AbortSignal,
  reader?: BodyReader,
): Mirror {
  return new Mirror(feeds, { ...setup, events, signal, reader, clock: systemClock, chance: systemChance });
}
