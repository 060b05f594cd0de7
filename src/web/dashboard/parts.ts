import type { OwnerPortfolios } from "../../access/owners/owner-portfolios.ts";
import type { ReadsOwners } from "../../access/owners/owner-reads.ts";
import type { OwnerWriter } from "../../access/owners/owner-writer.ts";
import type { UsageCache } from "../../access/owners/usage-cache.ts";
import type { RefusedRequests } from "../../access/refused-requests.ts";
import type { Events } from "../../log/events.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { PageReads } from "./page-reads.ts";
import type { PasswordAttempts } from "./password-attempts.ts";
import type { SessionGuard } from "./session-guard.ts";

/** Parts that the pages are built on. */
export type DashboardParts = {
  /** Writes, in a thread of its own. */
  readonly writer: OwnerWriter;
  /** Reads: at once on a read-only handle of the file, or over a connection. */
  readonly reads: ReadsOwners;
  /** Counts units by day, in another thread. */
  readonly usage: UsageCache;
  /** Values and fills portfolios, in a third thread. */
  readonly portfolios: OwnerPortfolios;
  /** Counts what was refused to each account since the server started. */
  readonly refused: RefusedRequests;
  /** Knows whether a visitor may look around. */
  readonly pageReads: PageReads;
  readonly guard: SessionGuard;
  /** Bounds all attempts at passwords. */
  readonly attempts: PasswordAttempts;
  readonly events: Events;
  readonly clock: Clock;
  /** The server values portfolios once a day. */
  readonly isValued: boolean;
};
