import { openReads, PostgresCredentialReads, readCursorKey, readUsage } from "../../store/postgres/access-reads.ts";
import { otherSchema, withClient } from "../../store/postgres/connection.ts";
import { PostgresPortfolios } from "../../store/postgres/portfolios.ts";
import { type Clock, systemClock } from "../../values/time/clock.ts";
import type { AdmissionParts } from "../admission.ts";
import type { ReadsUsage } from "../usage.ts";
import { NodesAdmissions } from "./admissions.ts";
import { NodesCredentials } from "./credentials.ts";
import type { NodesOptions } from "./decisions.ts";
import { NodesLedger } from "./ledger.ts";
import { NodesOwners } from "./owners.ts";
import { PostgresWriter, type PrivateStoreFigures } from "./postgres-writer.ts";
import { NodesUsage } from "./usage.ts";

/** Longest statement of a start. */
const startStatementMs = 30_000;

type NameOf = ConstructorParameters<typeof PostgresPortfolios>[1];

/** All that belongs to somebody, in a PostgreSQL database that many nodes share. */
export type NodesAccess = {
  readonly ledger: NodesLedger;
  readonly credentials: NodesCredentials;
  readonly usage: ReadsUsage;
  /** Key of the cursors, so that each node takes those of another. */
  readonly cursorKey: Buffer;
  /** What to tell of a database whose schema is that of the release before or after; null: nothing. */
  readonly otherRelease: string | null;
  admissions(parts: Omit<AdmissionParts, "ledger">): NodesAdmissions;
  portfolios(nameOf: NameOf): PostgresPortfolios;
  readonly owners: NodesOwners;
  /** How its connection for charges is. */
  status(): PrivateStoreFigures;
  /** Lets go of the connections for reads; the ledger has its own end. */
  close(): Promise<void>;
};

/**
 * Connects to the private database at `url`. Pass null as `onBatch` to skip batch reports.
 * @throws {OperatorError} when it cannot be reached, is not ours or would lose what it has answered.
 */
export async function openNodesAccess(
  url: string,
  onBatch: ConstructorParameters<typeof NodesLedger>[1] = null,
  options: NodesOptions = {},
  clock: Pick<Clock, "monotonicMs"> = systemClock,
): Promise<NodesAccess> {
  const writer = await PostgresWriter.start(url, options);
  const ledger = new NodesLedger(writer, onBatch);
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
  const usage = new NodesUsage((accountId) => readUsage(pool, accountId));
  return {
    ledger,
    credentials: new NodesCredentials(new PostgresCredentialReads(pool), clock),
    cursorKey,
    otherRelease,
    usage,
    owners: new NodesOwners(pool, usage),
    status: () => writer.status,
    admissions: (parts) => new NodesAdmissions({ ...parts, ledger }),
    portfolios: (nameOf) => new PostgresPortfolios(pool, nameOf),
    close: () => pool.end(),
  };
}
