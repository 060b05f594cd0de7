import { rmSync } from "node:fs";
import { join } from "node:path";
import { accounts, apiKeys } from "../../db/schema/access.ts";
import { Admissions } from "../../src/access/admission.ts";
import { Credentials, composeKey, hashKey } from "../../src/access/credentials.ts";
import { GroupCommitLedger } from "../../src/access/ledger/group-commit.ts";
import { plans } from "../../src/access/plans.ts";
import { RateLimiter } from "../../src/access/rate-limiter.ts";
import { ApiHandler } from "../../src/api/api-handler.ts";
import { ConcurrencyLimiter } from "../../src/api/concurrency-limiter.ts";
import type { OperationTable } from "../../src/api/operations.ts";
import { createHttpServer, type HttpServer, type ServerOptions } from "../../src/api/server.ts";
import { StreamScheduler } from "../../src/api/streams.ts";
import { type Wiring, wireOperations } from "../../src/api/wiring.ts";
import { loadContract } from "../../src/contract/document.ts";
import type { Reference } from "../../src/domain/reference.ts";
import { createEvents } from "../../src/log/events.ts";
import { type Database, openReader } from "../../src/store/database.ts";
import { systemIds } from "../../src/values/ids.ts";
import { createPages } from "../../src/web/pages.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";

/** The instant of a request, unless a test moves it. */
export const worldAt = Date.UTC(2026, 0, 15, 12);

export type World = {
  port: number;
  /** The database file. */
  path: string;
  server: HttpServer;
  wiring: Wiring;
  counters: Map<string, number>;
  concurrency: ConcurrencyLimiter;
  scheduler: StreamScheduler;
  /** The instant of the next requests. */
  time: { now: number };
  /** A project key of a Quant account that no minute limit stops. */
  key: string;
  /** A personal token without `market:read`. */
  token: string;
  /** Units that the account's month holds on disk. */
  used(): number;
  close(): Promise<void>;
};

/** The real server, access layer and ledger over a new file. Only `table` is the test's. */
export async function openWorld(table: OperationTable, options: Partial<ServerOptions> = {}): Promise<World> {
  const folder = temporaryFolder();
  const path = join(folder, "test.db");
  const key = composeKey("project", "A".repeat(30));
  const token = composeKey("personal", "B".repeat(30));
  newDatabase(path, (database) => fill(database, { key, token }));
  const reader = openReader(path);
  const ledger = await GroupCommitLedger.open(path);
  const time = { now: worldAt };
  const clock = { now: () => time.now, monotonicMs: () => performance.now() };
  const events = createEvents("silent");
  const concurrency = new ConcurrencyLimiter();
  const scheduler = new StreamScheduler();
  const unlimited = { ...plans, quant: { ...plans.quant, requestsPerMinute: 100_000 } };
  const credentials = new Credentials(reader);
  const parts = {
    credentials,
    admissions: new Admissions({ ledger, limiter: new RateLimiter(), clock, plans: unlimited }),
    reference: {} as Reference,
    scheduler,
    concurrency,
    clock,
    marketClock: clock,
    events,
  };
  const contract = loadContract();
  const wiring = await wireOperations(table, new ApiHandler(parts));
  const server = createHttpServer(
    {
      apiHandler: wiring.apiHandler,
      pages: createPages(contract, events),
      concurrency,
      clock,
      ids: systemIds(),
      events,
    },
    options,
  );
  const port = await server.listen("127.0.0.1", 0);
  const usage = reader.$client.prepare("SELECT coalesce(sum(used), 0) FROM usage_months").pluck();
  return {
    port,
    path,
    server,
    wiring,
    counters: events.counters,
    concurrency,
    scheduler,
    time,
    key,
    token,
    used: () => usage.get() as number,
    async close() {
      await server.close({ drainMs: 0, interruptExports: () => void scheduler.interruptAll() });
      await ledger.close();
      reader.$client.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function fill(database: Database, keys: { key: string; token: string }): void {
  database
    .insert(accounts)
    .values({ accountId: "acct_http", name: "http", plan: "quant", planEndsAt: null, createdAt: worldAt })
    .run();
  for (const [kind, secret, scopes] of [
    ["project", keys.key, "market:read"],
    ["personal", keys.token, "portfolio:read"],
  ] as const) {
    database
      .insert(apiKeys)
      .values({
        keyId: `key_${kind}`,
        accountId: "acct_http",
        kind,
        name: kind,
        displayPrefix: secret.slice(0, 18),
        lastFour: secret.slice(-4),
        secretHash: hashKey(secret),
        scopes,
        createdAt: worldAt,
        expiresAt: worldAt + 86_400_000,
      })
      .run();
  }
}
