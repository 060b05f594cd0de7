import { expect } from "chai";
import type { Client } from "pg";
import { Accounts } from "../../src/access/accounts.ts";
import { Keys } from "../../src/access/keys.ts";
import { type AccountSelection, workOnAccounts } from "../../src/store/postgres/account-work.ts";
import { openClient } from "../../src/store/postgres/connection.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { hasPostgres, sharedPostgres } from "../support/postgres.ts";
import { skipForWant } from "../support/skip.ts";

const parts = { clock: systemClock, ids: systemIds() };

describe("account rows in PostgreSQL", () => {
  let client: Client;
  let other: Client;

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    const url = await (await sharedPostgres()).database();
    [client, other] = [await openClient(url), await openClient(url)];
  });
  after(async () => {
    await client?.end();
    await other?.end();
  });

  /** Adds an account with a key, as another command does. */
  async function addAccount(): Promise<void> {
    const { accountId } = await workOnAccounts(other, [], (database) =>
      new Accounts({ database, ...parts }).create("x"),
    );
    const whose: AccountSelection = { accountId };
    await workOnAccounts(other, whose, (database) => new Keys({ database, ...parts }).create(accountId, "key", 7));
  }

  it("are listed from one snapshot, without rows added meanwhile", async () => {
    await addAccount();
    const meddled = Object.create(client) as Client;
    let hasRead = false;
    meddled.query = (async (text: string, values?: unknown[]) => {
      const answer = await client.query(text, values);
      // The accounts were read, and their keys were not.
      if (!hasRead && text.includes("FROM itemtape.accounts")) {
        hasRead = true;
        await addAccount();
      }
      return answer;
    }) as Client["query"];
    const count = (whose: Client) =>
      workOnAccounts(whose, "all", ({ $client }) => {
        const rows = (table: string) => $client.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
        return [rows("accounts"), rows("api_keys"), rows("activity")];
      });
    expect(await count(meddled)).to.deep.equal([1, 1, 2]);
    expect(hasRead).to.equal(true);
    expect(await count(client)).to.deep.equal([2, 2, 4]);
  });
});
