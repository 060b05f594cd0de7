import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { expect } from "chai";
import { Accounts } from "../../../src/access/accounts.ts";
import { Credentials } from "../../../src/access/credentials.ts";
import { Keys } from "../../../src/access/keys.ts";
import { LedgerTransactions } from "../../../src/access/ledger/transactions.ts";
import { UsageReader } from "../../../src/access/usage.ts";
import { CatalogStore, itemIdMax } from "../../../src/store/catalog.ts";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { type Database, openReader, openWriter } from "../../../src/store/database.ts";
import { refuseUnlessOurs } from "../../../src/store/file.ts";
import { GenerationsStore } from "../../../src/store/generations.ts";
import { MarketSnapshotStore } from "../../../src/store/market-snapshot.ts";
import { MarketStateStore } from "../../../src/store/market-state.ts";
import { ProvidersStore } from "../../../src/store/providers.ts";
import { QuotesStore } from "../../../src/store/quotes.ts";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { LeaseStore } from "../../../src/store/write/leases.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { QuoteWorld, worldAt } from "../../import/quotes/quote-world.ts";
import { Random } from "../../sim/random.ts";

const flipsWanted = 200;
const itemCount = 12;

describe("checking a file", function () {
  this.timeout(60_000);
  let world: QuoteWorld;
  let secrets: string[];
  let accountIds: string[];

  beforeEach(async () => {
    world = new QuoteWorld(
      Array.from({ length: itemCount }, (_, index) => ({
        marketHashName: `Item ${index >> 1}`,
        phase: index % 2 ? "Ruby" : null,
        nameRu: "Вещь",
      })),
    );
    for (const amount of [120, 130]) {
      world.now += 60_000;
      await world.import(world.body(feedOf(amount), ".ndjson"), { adapter: "canonical" });
    }
    ({ secrets, accountIds } = addAccess(world.path));
  });
  afterEach(() => world.destroy());

  it("the check of a sound file finds no fault and reports every part", () => {
    const { facts, faults } = checkDatabase(world.path);
    expect(faults).to.deep.equal([]);
    expect(facts.map((fact) => fact.split(":")[0])).to.include.members([
      "pages",
      "tables",
      "generations",
      "catalog",
      "ledger",
    ]);
    expect(facts.join("\n"))
      .to.match(/g2 is published and whole: 12 items/)
      .and.to.match(/6 charged units/)
      .and.to.match(/1 export leases are reserved/);
  });

  const lies: Record<string, { sql: string; description: RegExp }> = {
    "another price": {
      sql: `UPDATE generation_quotes SET quotes = replace(quotes, '"amount":135', '"amount":136'), best_ask_cents = best_ask_cents + (best_ask_cents = 135)`,
      description: /do not have its digest/,
    },
    "an item out of the catalog that its generation still quotes": {
      sql: "UPDATE items SET in_catalog = 0 WHERE item_id = 3",
      description: /g2 do not have its digest(.|\n)*g2 states 12 items and has 11/,
    },
    "another digest of what exports leave out": {
      sql: "UPDATE generations SET rest_digest = zeroblob(32) WHERE state = 'published'",
      description: /that are of no item in the catalog do not have its second digest/,
    },
    "another best ask": {
      sql: "UPDATE generation_quotes SET best_ask_cents = best_ask_cents + 1",
      description: /12 items of g2 whose best ask/,
    },
    "another amount beside the times": {
      sql: `UPDATE generation_quotes SET observed = replace(observed, '"amount":135', '"amount":136')`,
      description: /1 items of g2 whose best ask or times/,
    },
    "an item count": {
      sql: "UPDATE generations SET items = items + 1 WHERE state = 'published'",
      description: /g2 states 13 items and has 12/,
    },
    "a missing quote": {
      sql: "DELETE FROM generation_quotes WHERE quote_key & 2147483647 = 3",
      description: /g2 states 12 items and has 11/,
    },
    "another current generation": {
      sql: "UPDATE market_state SET current_generation_id = 1",
      description: /g1 is the current generation, g2 the published one/,
    },
    "another slug": {
      sql: "UPDATE items SET slug = 'else' WHERE item_id = 4",
      description: /1 items whose stored detail .* such as 4/,
    },
    "an item without detail": {
      sql: "DELETE FROM item_details WHERE item_id = 4",
      description: /1 items whose stored detail .* such as 4/,
    },
    "another search text": {
      sql: "UPDATE items SET search_text = 'else' WHERE item_id = 4",
      description: /1 items whose search text .* such as 4/,
    },
    "a unit that was not charged": {
      sql: "UPDATE usage_months SET used = used + 1",
      description: /2 stated|4 stated|5 stated|7 stated|sum is not the number/,
    },
    "a charged unit that is gone": {
      sql: "DELETE FROM usage_events WHERE request_id = (SELECT min(request_id) FROM usage_events)",
      description: /sum is not the number/,
    },
    "an export that nobody paid for": {
      sql: "INSERT INTO snapshot_leases SELECT 'free', 'nobody', 8, 'reserved', admitted_at, expires_at, NULL FROM snapshot_leases LIMIT 1",
      description: /without the unit that paid/,
    },
    "a key of no account": {
      sql: "PRAGMA foreign_keys = OFF; UPDATE api_keys SET account_id = 'acc_none'",
      description: /a row of api_keys names none of accounts/,
    },
  };
  for (const [what, { sql, description }] of Object.entries(lies)) {
    it(`the check finds ${what} written behind the program's back`, () => {
      const client = new SqliteDatabase(world.path);
      client.exec(sql);
      client.close();
      expect(checkDatabase(world.path).faults.join("\n")).to.match(description);
    });
  }

  it("the check names the remains of an unfinished import and counts no fault", () => {
    const client = new SqliteDatabase(world.path);
    client.exec(
      "INSERT INTO generations (generation_id, state, created_at) VALUES (3, 'staging', 1); INSERT INTO generation_quotes (quote_key, quotes) VALUES ((3 << 31) + 1, 'half')",
    );
    client.close();
    const { facts, faults } = checkDatabase(world.path);
    expect(faults).to.deep.equal([]);
    expect(facts.join("\n")).to.include("g3 is staging with 1 items left; the next import removes it");
  });

  it(`the check finds every one of ${flipsWanted} random single-bit flips that change any answer`, () => {
    makeDense(world.path);
    const bytes = readFileSync(world.path);
    const truth = answersOf(world.path, secrets, accountIds);
    expect(truth).to.not.match(/error (SQLITE|undefined)|^error/);
    const random = new Random(20260115);
    const missed: string[] = [];
    let changing = 0;
    let tried = 0;
    const file = openSync(world.path, "r+");
    try {
      for (; changing < flipsWanted; tried += 1) {
        const offset = random.between(0, bytes.length - 1);
        const bit = random.between(0, 7);
        writeSync(file, Buffer.of(bytes[offset]! ^ (1 << bit)), 0, 1, offset);
        if (answersOf(world.path, secrets, accountIds) !== truth) {
          changing += 1;
          if (!isFound(world.path)) missed.push(`byte ${offset} bit ${bit}`);
        }
        writeSync(file, bytes, offset, 1, offset);
      }
    } finally {
      closeSync(file);
    }
    process.stdout.write(`      ${tried} flips, ${changing} of them changed an answer\n`);
    expect(missed).to.deep.equal([]);
    expect(isFound(world.path)).to.equal(false);
  });
});

/** What `db check` does: refuses the file, or finds faults in it. */
function isFound(path: string): boolean {
  try {
    refuseUnlessOurs(path);
    return checkDatabase(path).faults.length > 0;
  } catch {
    return true;
  }
}

/** All answers to clients as one text; a failed read is its error. */
function answersOf(path: string, secrets: readonly string[], accountIds: readonly string[]): string {
  let database: Database | undefined;
  try {
    database = openReader(path);
    return JSON.stringify(readsOf(database, secrets, accountIds).map(reported));
  } catch (error) {
    return reported(() => {
      throw error;
    }) as string;
  } finally {
    database?.$client.close();
  }
}

function readsOf(database: Database, secrets: readonly string[], accountIds: readonly string[]): (() => unknown)[] {
  const at = worldAt + 3_600_000;
  const state = new MarketStateStore(database);
  const catalog = new CatalogStore(database);
  const credentials = new Credentials(database);
  const usage = new UsageReader(database);
  const quotes = new QuotesStore(database);
  const providers = new ProvidersStore(database);
  const leases = new LeaseStore(database);
  const range = { after: 0, upTo: itemIdMax, limit: 1000 };
  const page = { generationId: 2, after: 0, upTo: itemIdMax, recordBytesMax: 262_144 };
  const ids = Array.from({ length: itemCount + 1 }, (_, index) => index + 1);
  return [
    () => [new GenerationsStore(database).current(), state.availability(), state.cursorKey().toString("hex")],
    ...[null, "item 3"].map((q) => () => [catalog.items({ ...range, q }), catalog.pricedItems({ ...range, q })]),
    () => catalog.searchTexts(0, 1000),
    ...ids.map((itemId) => () => catalog.detail(itemId)),
    () => quotes.ofItems(ids),
    () => providers.page("", 100),
    () => new MarketSnapshotStore(database).page(page).lines?.toString(),
    ...secrets.map((secret) => () => credentials.identify(`Bearer ${secret}`, at)),
    ...accountIds.map((accountId) => () => usage.read({ accountId, plan: "quant", planEndsAt: null }, at)),
    () => leases.live(),
  ];
}

function reported(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return `error ${(error as { code?: string }).code}`;
  }
}

/** Small pages without a log: most of the bits then mean something. */
function makeDense(path: string): void {
  const client = new SqliteDatabase(path);
  client.exec("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM");
  client.close();
}

function addAccess(path: string): { secrets: string[]; accountIds: string[] } {
  const database = openWriter(path, 1000);
  const parts = { database, clock: { now: () => worldAt, monotonicMs: () => 0 }, ids: systemIds() };
  const ledger = new LedgerTransactions(database);
  const people = (["builder", "trader", "quant"] as const).map((plan, index) => {
    const { accountId } = new Accounts(parts).create(`Account ${index}`);
    if (index > 0) new Accounts(parts).purchase(accountId, plan);
    else new Accounts(parts).setPlan(accountId, plan, null);
    const { key, secret } = new Keys(parts).create(accountId, "key", 30);
    const charge = (kind: "charge" | "reserve", at: number) =>
      ledger.commit([
        {
          kind,
          requestId: parts.ids.requestId(at),
          accountId,
          keyId: key.keyId,
          operation: "getItem",
          plan: "free",
          at,
        },
      ]);
    charge("charge", worldAt + index);
    if (index < 2) charge("reserve", worldAt + index);
    if (index === 0) charge("charge", worldAt + 200_000);
    return { accountId, secret, key };
  });
  new Keys(parts).revoke(people[1]!.key.keyId);
  new Accounts(parts).disable(people[2]!.accountId);
  database.$client.close();
  return { secrets: people.map(({ secret }) => secret), accountIds: people.map(({ accountId }) => accountId) };
}

/** A feed of two providers; one of them has times. */
function feedOf(amount: number): string {
  const head = {
    format: "itemtape-feed",
    version: 1,
    feed: "hall",
    currency: "USD",
    providers: ["hall", "row"].map((provider) => ({ provider, name: provider.toUpperCase(), kind: "cash" })),
  };
  const lines = Array.from({ length: itemCount }, (_, index) => ({
    item_id: index + 1,
    provider: index % 3 ? "hall" : "row",
    side: "ask",
    amount: amount + index,
    ...(index % 2 ? { observed_at: "2026-09-01T11:30:00.000Z" } : {}),
  }));
  return [head, ...lines, { end: true, quotes: itemCount }].map((line) => `${JSON.stringify(line)}\n`).join("");
}
