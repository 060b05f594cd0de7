import type { OwnerReads } from "../../access/owners/owner-reads.ts";
import type { OwnerWriter } from "../../access/owners/owner-writer.ts";
import type { Events } from "../../events.ts";
import type { Clock } from "../../values/clock.ts";
import type { Guard } from "./guard.ts";
import type { PasswordTries } from "./password-attempts.ts";

/** What the pages are built on. */
export type DashboardParts = {
  /** Writes, in a thread of its own. */
  readonly writer: OwnerWriter;
  /** Reads, at once, on a read-only handle. */
  readonly reads: OwnerReads;
  readonly guard: Guard;
  /** All ways to try a password. */
  readonly tries: PasswordTries;
  readonly events: Events;
  readonly clock: Clock;
};
