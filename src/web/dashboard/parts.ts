import type { OwnerPortfolios } from "../../access/owners/owner-portfolios.ts";
import type { ReadsOwners } from "../../access/owners/owner-reads.ts";
import type { OwnerWriter } from "../../access/owners/owner-writer.ts";
import type { UsageCache } from "../../access/owners/usage-cache.ts";
import type { RefusedRequests } from "../../access/refused-requests.ts";
import type { Schema } from "../../contract/types.ts";
import type { Events } from "../../log/events.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { PageReads } from "./page-reads.ts";
import type { PasswordAttempts } from "./password-attempts.ts";
import type { SessionGuard } from "./session-guard.ts";

/** Parts that the pages share. */
export type DashboardParts = {
  /** Writes in a separate thread. */
  readonly writer: OwnerWriter;
  /** Reads synchronously from a read-only handle, or asynchronously from PostgreSQL. */
  readonly reads: ReadsOwners;
  /** Counts units by day in another thread. */
  readonly usage: UsageCache;
  /** Values portfolios and imports into them in a third thread. */
  readonly portfolios: OwnerPortfolios;
  /** Returns the items that a typed text may mean, best first. */
  readonly suggest: (text: string) => Promise<Pick<Schema<"CatalogItem">, "market_hash_name" | "phase">[]>;
  /** Counts refused requests per account since the server started. */
  readonly refused: RefusedRequests;
  /** Decides whether a visitor may read a demo. */
  readonly pageReads: PageReads;
  readonly guard: SessionGuard;
  /** Limits all password attempts. */
  readonly attempts: PasswordAttempts;
  readonly events: Events;
  readonly clock: Clock;
  /** Whether the server values portfolios once a day. */
  readonly isValued: boolean;
};
