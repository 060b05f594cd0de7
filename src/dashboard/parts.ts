import type { OwnerReads } from "../access/owner-reads.ts";
import type { Events } from "../events.ts";
import type { Clock } from "../values/clock.ts";
import type { Desk } from "./desk.ts";
import type { Guard } from "./guard.ts";
import type { PasswordTries } from "./password-tries.ts";

/** What the pages are built on. */
export type DashboardParts = {
  /** Writes, in a thread of its own. */
  readonly desk: Desk;
  /** Reads, at once, on a read-only handle. */
  readonly reads: OwnerReads;
  readonly guard: Guard;
  /** All ways to try a password. */
  readonly tries: PasswordTries;
  readonly events: Events;
  readonly clock: Clock;
};
