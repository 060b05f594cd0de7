import { openReads, PostgresCredentialReads, readCursorKey, readUsage } from "../store/postgres/access-reads.ts";
import { otherSchema, withClient } from "../store/postgres/connection.ts";
import { PostgresPortfolios } from "../store/postgres/portfolios.ts";
import { type Clock, systemClock } from "../values/time/clock.ts";
import type { Identifies } from "./credentials.ts";
import { GroupCommitLedger } from "./ledger/group-commit.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { PostgresWriter, type PrivateStoreFigures } from "./ledger/postgres-writer.ts";
import type { LedgerOptions } from "./ledger/transactions.ts";
import { RemoteOwners } from "./owners/remote-owners.ts";
import { RemoteCredentials } from "./remote-credentials.ts";
import { type ReadsUsage, RemoteUsage } from "./usage.ts";

/** Longest statement of a start. */
const startStatementMs = 30_000;

type NameOf = ConstructorParameters<typeof PostgresPortfolios>[1];

/** All that belongs to somebody, in a PostgreSQL database that many nodes share. */
export type RemoteAccess = {
  readonly ledger: Ledger;
  readonly credentials: Identifies;
  readonly usage: ReadsUsage;
  /** Key of the cursors, so that each node takes those of another. */
  readonly cursorKey: Buffer;
  /** What to tell of a database whose schema is that of the release before or after; null: nothing. */
  readonly otherRelease: string | null;
  portfolios(nameOf: NameOf): PostgresPortfolios;
  readonly owners: RemoteOwners;
  /** How its connection for charges is. */
  status(): PrivateStoreFigures;
  /** Lets go of the connections for reads; the ledger has its own end. */
  close(): Promise<void>;
};

/**
 * Connects to the private database at `url`. `onBatch` null: nobody wants to know of batches.
 * @throws {OperatorError} when it cannot be reached, is not ours or would lose what it has answered.
 */
export async function openRemoteAccess(
  url: string,
  onBatch: ConstructorParameters<typeof GroupCommitLedger>[1] = null,
  options: LedgerOptions = {},
  clock: Pick<Clock, "monotonicMs"> = systemClock,
): Promise<RemoteAccess> {
  const writer = await PostgresWriter.start(url, options);
  const ledger = new GroupCommitLedger(writer, onBatch);
  const [cursorKey, otherRelease] = await withClient(
    url,
    async (client) => [await readCursorKey(client), await otherSchema(client)] as const,
    { statementMs: startStatementMs },
  ).catch(async (error) => {
    // A connection that is left behind would keep the process from ending.
    await ledger.close();
    throw error;
  });
  const pool = openReads(url);
  const usage = new RemoteUsage((accountId) => readUsage(pool, accountId));
  return {
    ledger,
    credentials: new RemoteCredentials(new PostgresCredentialReads(pool), clock),
    cursorKey,
    otherRelease,
    usage,
    owners: new RemoteOwners(pool, usage),
    status: () => writer.status,
    portfolios: (nameOf) => new PostgresPortfolios(pool, nameOf),
    close: () => pool.end(),
  };
}
