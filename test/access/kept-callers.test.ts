import { expect } from "chai";
import type { Pool } from "pg";
import { Accounts } from "../../src/access/accounts.ts";
import { Keys } from "../../src/access/keys.ts";
import { NodesCredentials } from "../../src/access/nodes/credentials.ts";
import { openReads, PostgresCredentialReads } from "../../src/store/postgres/access-reads.ts";
import { type Whose, workOnAccounts } from "../../src/store/postgres/account-work.ts";
import { openClient } from "../../src/store/postgres/connection.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { needPostgres, sharedPostgres } from "../support/postgres.ts";

describe("callers that a node keeps", () => {
  let url: string;
  let pool: Pool;
  let nowMs: number;
  const clock = { monotonicMs: () => nowMs };

  before(async function () {
    needPostgres(this);
    url = await (await sharedPostgres()).database();
    pool = openReads(url);
  });
  beforeEach(() => {
    nowMs = 1000;
  });
  after(() => pool?.end());

  /** What an operator's command does with the keys. */
  const operate = async <T>(whose: Whose, work: (keys: Keys, accounts: Accounts) => T): Promise<T> => {
    const client = await openClient(url);
    try {
      return await workOnAccounts(client, whose, (database) => {
        const parts = { database, clock: systemClock, ids: systemIds() };
        return work(new Keys(parts), new Accounts(parts));
      });
    } finally {
      await client.end();
    }
  };
  const makeKeys = (count: number) =>
    operate([], (keys, accounts) =>
      Array.from({ length: count }, () => {
        const { key, secret } = keys.create(accounts.create("kept").accountId, "key", 30);
        return { ...key, authorization: `Bearer ${secret}` };
      }),
    );
  const node = (callersMax?: number) => new NodesCredentials(new PostgresCredentialReads(pool), clock, callersMax);

  it("a node keeps so many callers and no more: whose key was asked for longest ago goes first", async () => {
    const credentials = node(2);
    const [one, two, three] = await makeKeys(3);
    for (const { authorization } of [one!, two!, one!, three!]) await credentials.identify(authorization);
    const kept = [one, two, three].map((key) => credentials.cached(key!.authorization)?.keyId ?? null);
    expect(kept).to.deep.equal([one!.keyId, null, three!.keyId]);
  });
});
