import { systemChance } from "../../values/chance.ts";
import { systemClock } from "../../values/time/clock.ts";
import type { BodyReader } from "./body/body-reader.ts";
import { Mirror } from "./mirror.ts";
import type { FeedConfig } from "./mirror-config.ts";
import type { MirrorEvents } from "./mirror-events.ts";

/** The settings of a mirror. They can be sent to another thread. */
export type MirrorSetup = { databasePath: string; feeds: readonly FeedConfig[]; publishEveryMs: number };

/** Creates a mirror with the system's clock and randomness. With `reader` a separate process reads the bodies, to protect a server. */
export function systemMirror(
  { feeds, ...setup }: MirrorSetup,
  events: MirrorEvents,
  signal: AbortSignal,
  reader?: BodyReader,
): Mirror {
  return new Mirror(feeds, { ...setup, events, signal, reader, clock: systemClock, chance: systemChance });
}
