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

/** Maximum duration of a statement during the start, ms. */
const startStatementMs = 30_000;

type NameOf = ConstructorParameters<typeof PostgresPortfolios>[1];

/** Accounts, keys, usage and portfolios in a PostgreSQL database that many nodes share. */
export type NodesAccess = {
  readonly ledger: NodesLedger;
  readonly credentials: NodesCredentials;
  readonly usage: ReadsUsage;
  /** Key that signs cursors. All nodes share it, so that each accepts the cursors of the others. */
  readonly cursorKey: Buffer;
  /** Warning that the database has the schema of the previous or next release, else null. */
  readonly otherRelease: string | null;
  admissions(parts: Omit<AdmissionParts, "ledger">): NodesAdmissions;
  portfolios(nameOf: NameOf): PostgresPortfolios;
  readonly owners: NodesOwners;
  /** Returns the state of the connection for charges. */
  status(): PrivateStoreFigures;
  /** Closes the connections for reads. The ledger closes its own. */
  close(): Promise<void>;
};

/**
 * Connects to the PostgreSQL database at `url`. Pass null as `onBatch` to skip batch reports.
 * @throws {OperatorError} when the database is unreachable, not of this program, or could lose acknowledged commits.
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
    // An open connection would keep the process from ending.
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
