import { readFileSync } from "node:fs";
import { Accounts } from "../access/accounts.ts";
import { Keys } from "../access/keys.ts";
import { Owners } from "../access/owners/owners.ts";
import { buildCatalog } from "../import/catalog/build-catalog.ts";
import { importCatalog } from "../import/catalog/catalog-import.ts";
import { cs2LibPools } from "../import/pools/cs2-lib-pools.ts";
import { importQuotesAtOnce } from "../import/quotes/quote-import.ts";
import { type Database, setCacheKib, writeTransaction } from "../store/database.ts";
import { createDatabase } from "../store/file.ts";
import { markDemo } from "../store/write/demo-mark.ts";
import { dayMs } from "../values/calendar.ts";
import { type Ids, systemIds } from "../values/ids.ts";
import { type DemoBody, demoBodies } from "./feeds.ts";
import { createDemoHistory } from "./history.ts";
import { createDemoOpenables } from "./openables.ts";
import { createDemoPortfolios, transferDemoPortfolios } from "./portfolios.ts";

/** The login of the Builder account's owner. */
export const demoLogin = "demo";

/** The secrets of the demo accounts, which nothing can show again. */
export type DemoKeys = {
  builder: string;
  free: string;
  /** Personal tokens of the two accounts. Of what the first one selects, a portfolio is deleted and another transferred. */
  builderToken: string;
  freeToken: string;
  /** The secret of the one-time link that sets the password of the Builder account's owner. */
  ownerInvite: string;
};

/**
 * Fills a new file with the demo world: real item names, made-up prices and providers, a Builder and a Free account with
 * portfolios. A pure function of `anchorAt` (UTC ms) and `ids`; item ids depend on neither.
 */
function createDemoWorld(database: Database, anchorAt: number, ids: Ids): DemoKeys {
  const { items, english, russian } = JSON.parse(
    readFileSync(new URL("../../db/demo-catalog.json", import.meta.url), "utf8"),
  );
  const document = (value: unknown) => ({ file: "db/demo-catalog.json", value });
  const catalog = buildCatalog({
    cs2Lib: { items: document(items), english: document(english), russian: document(russian) },
    csgoApi: null,
  });
  importCatalog(database, catalog.variants, anchorAt - 30 * dayMs);
  const bodies = demoBodies(catalog.variants, anchorAt);
  const lastAt = bodies.at(-1)!.at;
  const early = bodies.filter(({ at }) => at < lastAt);
  const late = bodies.filter(({ at }) => at === lastAt);
  for (const body of early) publishBody(database, body, false);
  createDemoHistory(database, anchorAt, late);
  for (const body of late) publishBody(database, body, true);
  const drafts = cs2LibPools({ items: document(items), english: document(english) });
  createDemoOpenables(database, drafts, { anchorAt, receivedAt: lastAt });
  markDemo(database, anchorAt);
  return createDemoAccounts(database, anchorAt, ids);
}

function publishBody(database: Database, { adapter, feed, at, text }: DemoBody, recordFrame: boolean): void {
  const clock = { now: () => at, monotonicMs: () => 0 };
  const body = { name: `demo feed ${feed}`, bytes: Buffer.from(text) };
  importQuotesAtOnce(database, body, { adapter, recordFrame }, { clock });
}

/**
 * Makes a demo file at `path`. Returns the secrets, which `ids` draws. Accounts, portfolios, lots and transactions have the same ids
 * in each demo, so that the contract's examples and the code samples name things that are there.
 */
export function createDemoFile(path: string, anchorAt: number, ids: Ids = systemIds()): DemoKeys {
  let keys: DemoKeys | undefined;
  createDatabase(path, (database) => {
    // One transaction: a page that changes many times is written once.
    setCacheKib(database, 64 * 1024);
    keys = writeTransaction(database, () => createDemoWorld(database, anchorAt, withFixedHandles(ids)));
  });
  return keys!;
}

/** Returns ids whose handles are counted. A secret that is drawn counts as well, as in the recorded examples. */
function withFixedHandles(ids: Ids): Ids {
  let calls = 0;
  return {
    requestId: ids.requestId,
    handle: (prefix) => {
      calls += 1;
      return prefix + `demo${calls.toString(36)}`.padStart(20, "0");
    },
    secret: (length) => {
      calls += 1;
      return ids.secret(length);
    },
  };
}

function createDemoAccounts(database: Database, at: number, ids: Ids): DemoKeys {
  const parts = { database, ids, clock: { now: () => at, monotonicMs: () => 0 } };
  const accounts = new Accounts(parts);
  const keys = new Keys(parts);
  const builder = accounts.create("Demo Builder");
  accounts.purchase(builder.accountId, "builder");
  const free = accounts.create("Demo Free");
  const key = (accountId: string) => keys.create(accountId, "demo", 90).secret;
  const projectKeys = { builder: key(builder.accountId), free: key(free.accountId) };
  const accountIds = { builder: builder.accountId, free: free.accountId };
  const selected = createDemoPortfolios(database, { anchorAt: at, ids, accountIds });
  const token = (owner: "builder" | "free") =>
    keys.createPersonal(accountIds[owner], "demo portfolios", 90, selected[owner], true).secret;
  const tokens = { builderToken: token("builder"), freeToken: token("free") };
  transferDemoPortfolios(database, { anchorAt: at, accountIds });
  const { token: ownerInvite } = new Owners(parts).invite(builder.accountId, demoLogin);
  return { ...projectKeys, ...tokens, ownerInvite };
}
