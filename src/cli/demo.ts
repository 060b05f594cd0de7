import { readFileSync } from "node:fs";
import { marketState } from "../../db/schema/reference.ts";
import { createAccount, purchasePlan } from "../access/accounts.ts";
import { createKey } from "../access/keys.ts";
import { databaseCatalog, importCatalog } from "../ingest/catalog-import.ts";
import { buildCatalog } from "../ingest/catalog-sources/catalog.ts";
import { demoBodies } from "../ingest/demo-feeds.ts";
import { importQuotesAtOnce } from "../ingest/quote-import.ts";
import type { Database } from "../store/database.ts";
import { dayMs } from "../values/calendar.ts";
import type { Ids } from "../values/ids.ts";

/** The secrets of the demo accounts, which nothing can show again. */
export type DemoKeys = { builder: string; free: string };

/**
 * Fills a new file with the demo world: real item names, made-up prices and providers, a Builder and a Free account. A pure
 * function of `anchorAt` (UTC ms) and `ids`; item ids depend on neither.
 */
export function fillDemo(database: Database, anchorAt: number, ids: Ids): DemoKeys {
  const { items, english, russian } = JSON.parse(
    readFileSync(new URL("../../db/demo-catalog.json", import.meta.url), "utf8"),
  );
  const document = (value: unknown) => ({ file: "db/demo-catalog.json", value });
  const catalog = buildCatalog({
    cs2Lib: { items: document(items), english: document(english), russian: document(russian) },
    csgoApi: null,
  });
  importCatalog(database, catalog.variants, anchorAt - 30 * dayMs);
  for (const { adapter, feed, at, text } of demoBodies(catalog.variants, anchorAt)) {
    const clock = { now: () => at, monotonicMs: () => 0 };
    importQuotesAtOnce(
      database,
      { name: `demo feed ${feed}`, bytes: Buffer.from(text) },
      { adapter },
      { clock, catalog: databaseCatalog },
    );
  }
  database.update(marketState).set({ demoAnchorAt: anchorAt }).run();
  return createDemoAccounts(database, anchorAt, ids);
}

function createDemoAccounts(database: Database, at: number, ids: Ids): DemoKeys {
  const builder = createAccount(database, { name: "Demo Builder", at, ids });
  purchasePlan(database, { accountId: builder.accountId, plan: "builder", at });
  const free = createAccount(database, { name: "Demo Free", at, ids });
  const key = (accountId: string) => createKey(database, { accountId, name: "demo", days: 90, at, ids }).secret;
  return { builder: key(builder.accountId), free: key(free.accountId) };
}
