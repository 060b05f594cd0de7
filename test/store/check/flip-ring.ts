import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import SqliteDatabase from "better-sqlite3";
import { Accounts } from "../../../src/access/accounts.ts";
import { Credentials } from "../../../src/access/credentials.ts";
import { Keys } from "../../../src/access/keys.ts";
import { LedgerTransactions } from "../../../src/access/ledger/transactions.ts";
import { UsageReader } from "../../../src/access/usage.ts";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { type Database, openReader, openWriter } from "../../../src/store/database.ts";
import { refuseUnlessValid } from "../../../src/store/file/file.ts";
import { CatalogStore, itemIdMax } from "../../../src/store/read/catalog.ts";
import { GenerationsStore } from "../../../src/store/read/generations.ts";
import { noFilter } from "../../../src/store/read/item-list.ts";
import { MarketSnapshotStore } from "../../../src/store/read/market-snapshot.ts";
import { MarketStateStore } from "../../../src/store/read/market-state.ts";
import { ProvidersStore } from "../../../src/store/read/providers.ts";
import { QuotesStore } from "../../../src/store/read/quotes.ts";
import { LeaseStore } from "../../../src/store/write/leases.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { QuoteWorld, worldAt } from "../../import/quotes/quote-world.ts";
import { Random } from "../../sim/random.ts";
import { feedText } from "../../support/bodies.ts";

const itemCount = 12;

export type FlipReport = {
  tried: number;
  /** Flips that changed a response. */
  changing: number;
  /** Flips that changed a response and were not found. Empty in a good run. */
  faults: string[];
};

/** A file of two publications with three accounts and their keys, units and leases. `destroy` removes it. */
export async function checkedWorld(): Promise<{ world: QuoteWorld; secrets: string[]; accountIds: string[] }> {
  const world = new QuoteWorld(
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
  return { world, ...addAccess(world.path) };
}

/** Flips random bits of a file, one at a time, until `flips` of them changed an answer. `db check` must find each of those. */
export async function flipRing({ flips = 200, seed = 20260115 } = {}): Promise<FlipReport> {
  const { world, secrets, accountIds } = await checkedWorld();
  const report: FlipReport = { tried: 0, changing: 0, faults: [] };
  try {
    makeDense(world.path);
    const bytes = readFileSync(world.path);
    const truth = answersOf(world.path, secrets, accountIds);
    if (/error (SQLITE|undefined)|^error/.test(truth)) report.faults.push("the file cannot be read before any flip");
    const random = new Random(seed);
    const file = openSync(world.path, "r+");
    try {
      for (; report.changing < flips; report.tried += 1) {
        const offset = random.between(0, bytes.length - 1);
        const bit = random.between(0, 7);
        writeSync(file, Buffer.of(bytes[offset]! ^ (1 << bit)), 0, 1, offset);
        if (answersOf(world.path, secrets, accountIds) !== truth) {
          report.changing += 1;
          if (!isFound(world.path)) report.faults.push(`seed ${seed}: byte ${offset} bit ${bit}`);
        }
        writeSync(file, bytes, offset, 1, offset);
      }
    } finally {
      closeSync(file);
    }
    if (isFound(world.path)) report.faults.push("the file as it was is found to be faulty");
    return report;
  } finally {
    world.destroy();
  }
}

/** Returns whether `db check` refuses the file or finds faults in it. */
function isFound(path: string): boolean {
  try {
    refuseUnlessValid(path);
    return checkDatabase(path).faults.length > 0;
  } catch {
    return true;
  }
}

/** All responses to clients as one text. A failed read is its error. */
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
  const { $client: file } = database;
  const state = new MarketStateStore(database);
  const catalog = new CatalogStore(database);
  const credentials = new Credentials(database);
  const usage = new UsageReader(database);
  const quotes = new QuotesStore(database);
  const providers = new ProvidersStore(database);
  const leases = new LeaseStore(database);
  const range = { ids: null, after: 0, limit: 1000 };
  const page = { after: 0, upTo: itemIdMax, recordBytesMax: 262_144 };
  const ids = Array.from({ length: itemCount + 1 }, (_, index) => index + 1);
  return [
    () => [new GenerationsStore(database).current(), state.availability(), state.cursorKey().toString("hex")],
    ...[noFilter, { ...noFilter, literals: ["item 3"] }].map((filter) => () => [
      catalog.items({ ...range, filter }),
      catalog.pricedItems({ ...range, filter }),
    ]),
    () => catalog.searched(0, 1000),
    ...ids.map((itemId) => () => catalog.detail(itemId)),
    () => quotes.published(),
    ...ids.map((itemId) => () => quotes.ofItem(itemId)),
    ...["best_asks", "quotes", "quote_urls"].map((table) => () => file.prepare(`SELECT * FROM ${table}`).all()),
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

/** A feed of two providers. The quotes of one share a time, the other's have separate times or none. Some have pages. */
function feedOf(amount: number): string {
  const lines = Array.from({ length: itemCount }, (_, index) => {
    const provider = index % 3 ? "hall" : "row";
    const quote = {
      item_id: index + 1,
      provider,
      amount: amount + index,
      ...(index % 2 || provider === "row" ? { observed_at: "2026-09-01T11:30:00.000Z" } : {}),
      ...(index % 2 ? { quantity: index, url: `https://${provider}.example/${index}` } : {}),
    };
    return ["ask", ...(index % 4 ? [] : ["bid"])].map((side) => ({ ...quote, side }));
  });
  return feedText("hall", ["hall", "row"], lines.flat());
}
