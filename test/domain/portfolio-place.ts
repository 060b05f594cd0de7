import { getTableName } from "drizzle-orm";
import type { Context } from "mocha";
import type { Client, Pool } from "pg";
import { openReads } from "../../src/store/postgres/access-reads.ts";
import { openClient } from "../../src/store/postgres/connection.ts";
import { importPrivate, privateTables } from "../../src/store/postgres/copy.ts";
import { PostgresPortfolios } from "../../src/store/postgres/portfolios.ts";
import { type PortfolioReads, PortfoliosStore } from "../../src/store/read/portfolios.ts";
import type { MaybePromise } from "../../src/values/maybe-promise.ts";
import type { MarketFile } from "../support/market-file.ts";
import { hasPostgres, sharedPostgres } from "../support/postgres.ts";
import { skipForWant } from "../support/skip.ts";

/** Rows of tests name accounts that are not there. */
const emptied = `SET session_replication_role = replica;
  ${privateTables.map((table) => `DELETE FROM itemtape.${getTableName(table)};`).join(" ")}`;

/** The store of portfolios: the file that a test fills, or PostgreSQL with the same rows. */
export type PortfolioPlace = {
  readonly store: PortfolioReads;
  /** Reads the current contents of the file. */
  read<T>(work: () => MaybePromise<T>): Promise<T>;
};

/** Opens portfolios in the file itself, with synchronous reads. */
export function portfoliosInFile(file: MarketFile): PortfolioPlace {
  return {
    store: new PortfoliosStore(file.reader),
    async read(work) {
      const soon = work();
      if (soon instanceof Promise) throw new Error("the file is read at once");
      return soon;
    },
  };
}

/** Returns a function that opens portfolios in one PostgreSQL database for the tests of the enclosing block. */
export function usePrivatePortfolios(): (test: Context, file: MarketFile) => Promise<PortfolioPlace> {
  let parts: { client: Client; pool: Pool } | null = null;
  after(async () => {
    await parts?.pool.end();
    await parts?.client.end();
    parts = null;
  });
  return async (test, file) => {
    if (!hasPostgres()) skipForWant(test, "PostgreSQL is not installed");
    if (parts === null) {
      const url = await (await sharedPostgres()).database();
      parts = { client: await openClient(url), pool: openReads(url) };
    }
    const { client, pool } = parts;
    const { $client } = file.writer;
    const named = file.reader.$client.prepare<[number], { marketHashName: string; phase: string | null }>(
      "SELECT market_hash_name AS marketHashName, phase FROM items WHERE item_id = ?",
    );
    const changesOf = $client.prepare<[], number>("SELECT total_changes()").pluck();
    let copied: number | undefined;
    return {
      store: new PostgresPortfolios(pool, (itemId) => named.get(itemId) ?? null),
      async read(work) {
        const changes = changesOf.get()!;
        if (changes !== copied) {
          await client.query(emptied);
          await importPrivate(file.writer, client);
          copied = changes;
        }
        return work();
      },
    };
  };
}
