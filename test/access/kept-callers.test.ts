import { expect } from "chai";
import type { Pool } from "pg";
import { Accounts } from "../../src/access/accounts.ts";
import { hashKey } from "../../src/access/credentials.ts";
import { Keys } from "../../src/access/keys.ts";
import { CallerChanged } from "../../src/access/nodes/admissions.ts";
import { type CachedCaller, NodesCredentials } from "../../src/access/nodes/credentials.ts";
import { openReads, PostgresCredentialReads } from "../../src/store/postgres/access-reads.ts";
import { type Whose, workOnAccounts } from "../../src/store/postgres/account-work.ts";
import { openClient } from "../../src/store/postgres/connection.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { hasPostgres, sharedPostgres } from "../support/postgres.ts";
import { skipForWant } from "../support/skip.ts";
import { useStores } from "./stores.ts";
import { failureOf, pointRead } from "./world.ts";

describe("callers that a node keeps", () => {
  let url: string;
  let pool: Pool;
  let nowMs: number;
  const open = useStores();
  const clock = { monotonicMs: () => nowMs };

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
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

  it("a caller is kept for less than five seconds from the moment in which its key was asked for", async () => {
    const credentials = node();
    const [one] = await makeKeys(1);
    expect(credentials.cached(one!.authorization)).to.equal(null);
    const asked = credentials.identify(one!.authorization);
    nowMs += 2000;
    const caller = await asked;
    nowMs = 5999;
    const secretHash = hashKey(one!.authorization.slice("Bearer ".length)).toString("hex");
    expect(credentials.cached(one!.authorization)).to.deep.equal({ ...caller, secretHash });
    nowMs = 6000;
    expect(credentials.cached(one!.authorization)).to.equal(null);
  });

  it("a caller whose key is refused is kept no more", async () => {
    const credentials = node();
    const [one] = await makeKeys(1);
    await credentials.identify(one!.authorization);
    await operate({ keyId: one!.keyId }, (keys) => keys.revoke(one!.keyId));
    const failure = await failureOf(() => credentials.identify(one!.authorization));
    expect(failure.code).to.equal("revoked_api_key");
    expect(credentials.cached(one!.authorization)).to.equal(null);
  });

  it("a node keeps so many callers and no more: whose key was asked for longest ago goes first", async () => {
    const credentials = node(2);
    const [one, two, three] = await makeKeys(3);
    for (const { authorization } of [one!, two!, one!, three!]) await credentials.identify(authorization);
    const kept = [one, two, three].map((key) => credentials.cached(key!.authorization)?.keyId ?? null);
    expect(kept).to.deep.equal([one!.keyId, null, three!.keyId]);
  });

  it("a request of a kept caller that has changed counts in no minute and costs nothing", async function () {
    const world = await open(this, "a private database");
    const person = await world.person("builder");
    const caller = await world.identify(person);
    await world.accounts.setPlan(person.accountId, "quant", null);
    const secretHash = hashKey(person.secret).toString("hex");
    const { at } = world.clock;
    const request = { requestId: world.ids.requestId(at), operation: "getItem", rule: pointRead, at };
    const failure = await world.admissions
      .admit({ ...request, caller: { ...caller, secretHash } as CachedCaller })
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(CallerChanged);
    expect([await world.attempts(person), await world.monthUsed(person)]).to.deep.equal([0, 0]);
    await world.admissions.admit({ ...request, caller: await world.identify(person) });
    expect([await world.attempts(person), await world.monthUsed(person)]).to.deep.equal([1, 1]);
    await world.close();
  });
});
