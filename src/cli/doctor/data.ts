import { basename } from "node:path";
import { ownerName } from "../../access/accounts.ts";
import { endingKey } from "../../access/keys.ts";
import { clockRegressionMax } from "../../access/ledger/months.ts";
import { liveDatabase } from "../../config/config.ts";
import { comparedMin } from "../../import/guards/findings.ts";
import { countMonth } from "../../store/check/month.ts";
import { closeDatabase, type Database, openReader, readTransaction, withoutNewLog } from "../../store/database.ts";
import { refuseUnlessValid } from "../../store/file/file.ts";
import { isLocked } from "../../store/file/lock.ts";
import { linksOf } from "../../store/file/names.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import { AccountReads } from "../../store/read/accounts.ts";
import { LedgerClockReads } from "../../store/read/credentials.ts";
import { GenerationsStore } from "../../store/read/generations.ts";
import { type FeedState, MarketStateStore } from "../../store/read/market-state.ts";
import { AccountStore } from "../../store/write/accounts.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { plural } from "../../values/text/counted.ts";
import { hourMs, monthBounds, utcMonth } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import { roundAge } from "../../values/time/time-text.ts";
import { checkCatalog } from "./catalog.ts";
import { type Finding, failed, failedBy, notRun, ok, warning } from "./finding.ts";

/** Names of the checks that read the file's data. */
const dataChecks = ["clock", "catalog", "feeds", "ledger"] as const;

const namesMax = 5;
/** Hours without a change after which a source counts as stuck. */
const stillHours = 24;

/** Checks the database file at `path`, read-only. `feedHoursMax`: age at which a feed's last verification counts as old. */
export function checkFile(path: string, feedHoursMax: number, now: number): Finding[] {
  try {
    return inFile(path, (database, schema) => {
      const since = toTimestamp(new MarketStateStore(database).availability().knownSince);
      const file = `${path} is an Itemtape database of this release, schema ${schema}, with its past since ${since}`;
      return [ok("file", file), ...lookInto(database, feedHoursMax, now)];
    });
  } catch (error) {
    const cause = "the file cannot be used";
    return [failedBy("file", error), ...dataChecks.map((check) => notRun(check, cause))];
  }
}

/**
 * Opens the database file at `path` for `work`, and changes nothing beside it.
 * @throws {StoreRefusal} when the file cannot be used.
 */
export function inFile<Result>(path: string, work: (database: Database, schema: number) => Result): Result {
  // Opening a file with a second name would tidy its folder.
  if (linksOf(path) > 1) throw new StoreRefusal("linked", path);
  const removeNewLog = withoutNewLog(path);
  try {
    const schema = refuseUnlessValid(path, { mayBeReadable: true });
    const database = openReader(path);
    try {
      return work(database, schema);
    } finally {
      closeDatabase(database);
    }
  } finally {
    removeNewLog();
  }
}

/** Finds the processes that use the file. */
export function checkServer(path: string): Finding {
  const others = (["mirror", "import", "roi"] as const).filter((purpose) => isLocked(path, purpose));
  const beside = others.length === 0 ? "" : `; also running: ${others.join(", ")}`;
  if (isLocked(path, "serve")) return ok("server", `a server is running on the file${beside}`);
  // A live file that is only served gets no new prices.
  const command = basename(path) === basename(liveDatabase) ? "start --live" : "serve";
  return warning("server", `no server is running on the file${beside}`, `start one with \`npx itemtape ${command}\``);
}

function lookInto(database: Database, feedHoursMax: number, now: number): Finding[] {
  const looks = {
    clock: () => checkClock(database, now),
    catalog: () => checkCatalog(database),
    feeds: () => checkFeeds(database, feedHoursMax, now),
    ledger: () => checkLedger(database, now),
    keys: () => checkOwnerKeys(database, now),
  } satisfies Record<(typeof dataChecks)[number] | "keys", () => Finding | null>;
  return Object.entries(looks).flatMap(([check, look]) => {
    try {
      return look() ?? [];
    } catch (error) {
      return failed(check, `cannot be read (${(error as Error).message})`, "run `npx itemtape db check`");
    }
  });
}

/** Reports the expiry of the last key of the account created by `start --live`. Returns null without such an account. */
function checkOwnerKeys(database: Database, now: number): Finding | null {
  const owner = new AccountReads(database).list(now, utcMonth(now)).find(({ name }) => name === ownerName);
  if (owner === undefined) return null;
  const ending = endingKey(new AccountStore(database).keys(owner.accountId), now);
  if (ending === null) return ok("keys", `the keys of ${ownerName} end in more than 14 days`);
  const has = ending.expiresAt <= now ? "ended" : "ends";
  const found = `the last key of ${ownerName} ${has} on ${toTimestamp(ending.expiresAt).slice(0, 10)}`;
  return warning("keys", found, "make a new one: `npx itemtape keys create owner --days 90`");
}

function checkClock(database: Database, now: number): Finding {
  const seenAt = new LedgerClockReads(database).highWater();
  const machine = `the machine's clock shows ${toTimestamp(now)}`;
  if (seenAt <= now) return ok("clock", `${machine}, not before the ledger's latest time`);
  const found = `${machine}, ${roundAge(seenAt - now)} before the ledger's latest time`;
  const fix = "set the machine's clock; if it is right, run `npx itemtape db clock --accept`";
  if (seenAt - now > clockRegressionMax) return failed("clock", `${found}: charges are refused`, fix);
  return warning("clock", found, fix);
}

function checkFeeds(database: Database, hoursMax: number, now: number): Finding {
  const check = "feeds";
  const feeds = new MarketStateStore(database).feeds().filter(({ isDropped }) => !isDropped);
  const generation = new GenerationsStore(database).current();
  const fix = "import quotes, or run a mirror: `npx itemtape serve --mirror`";
  if (generation === null || feeds.length === 0) return warning(check, "no prices are published yet", fix);
  const checkedAt = (feed: (typeof feeds)[number]) => feed.checkedAt ?? Number.NEGATIVE_INFINITY;
  const oldest = feeds.reduce((one, other) => (checkedAt(other) < checkedAt(one) ? other : one));
  const stale = feeds.filter((feed) => now - checkedAt(feed) >= hoursMax * hourMs);
  const still = feeds.filter(standsStill);
  const age = (at: number | null) => (at === null ? "never" : `${roundAge(Math.max(0, now - at))} ago`);
  if (stale.length === 0 && still.length > 0) {
    const each = still.map((feed) => {
      const saved = feed.savedAt === null ? "" : `, saved ${age(feed.savedAt)}`;
      return `${feed.feed} (checked ${age(feed.checkedAt)}, nothing new since ${age(feed.unchangedSince)}${saved})`;
    });
    const named = `${each.slice(0, namesMax).join(", ")}${still.length > namesMax ? " and others" : ""}`;
    const found = `the sources of ${still.length} of ${plural(feeds.length, "feed")} have not changed for ${stillHours} h or more: ${named}`;
    return warning(check, found, "check the source, or name another in the mirror's configuration");
  }
  if (stale.length === 0) {
    const saves = feeds.flatMap(({ feed, savedAt }) => (savedAt === null ? [] : [{ feed, savedAt }]));
    const [save] = saves.sort((one, other) => one.savedAt - other.savedAt);
    const saved = save === undefined ? "" : `, the oldest saved ${age(save.savedAt)} (${save.feed})`;
    const published = `generation ${generation.generationId} published ${age(generation.ingestedAt)}`;
    const uncompared = uncomparedText(database, feeds) + unconfirmedText(feeds, now);
    return ok(
      check,
      `${plural(feeds.length, "feed")}, the oldest checked ${age(oldest.checkedAt)}${saved}; ${published}${uncompared}`,
    );
  }
  const named = stale
    .slice(0, namesMax)
    .map((feed) => `${feed.feed} (checked ${age(feed.checkedAt)}, published ${age(feed.ingestedAt)})`);
  const more = stale.length > namesMax ? " and others" : "";
  return failed(
    check,
    `${stale.length} of ${plural(feeds.length, "feed")} are older than ${hoursMax} h: ${named.join(", ")}${more}`,
    fix,
  );
}

/** Returns whether a source was polled a day or more after its last change or save time. */
function standsStill({ checkedAt, savedAt, unchangedSince }: FeedState): boolean {
  const oldest = Math.min(unchangedSince ?? Number.POSITIVE_INFINITY, savedAt ?? Number.POSITIVE_INFINITY);
  return checkedAt !== null && checkedAt - oldest >= stillHours * hourMs;
}

/** Names the feeds with too few items for guards that compare a body with the previous one. */
function uncomparedText(database: Database, feeds: readonly { feed: string }[]): string {
  const store = new FeedWriter(database);
  const small = feeds.map(({ feed }) => feed).filter((feed) => (store.itemCount(feed) ?? 0) < comparedMin);
  if (small.length === 0) return "";
  const more = small.length > namesMax ? " and others" : "";
  return `; guards that compare judge no feed of fewer than ${comparedMin} items: ${small.slice(0, namesMax).join(", ")}${more}`;
}

/** Names new feeds without confirmation by another provider. */
function unconfirmedText(feeds: readonly FeedState[], now: number): string {
  const names = feeds.filter(({ unconfirmedUntil }) => (unconfirmedUntil ?? 0) > now).map(({ feed }) => feed);
  if (names.length === 0) return "";
  const more = names.length > namesMax ? " and others" : "";
  return `; no other source confirms the prices of ${names.slice(0, namesMax).join(", ")}${more}`;
}

function checkLedger(database: Database, now: number): Finding {
  const month = utcMonth(Math.max(now, new LedgerClockReads(database).highWater()));
  const chunks = <T>(read: () => T) => readTransaction(database, read);
  const { units, accounts, differing, lastAt } = countMonth(database, chunks, month, monthBounds(month).startsAt, now);
  if (differing.length > 0) {
    const found = `${plural(differing.length, "account")} of ${month} with another sum than their charged units`;
    return failed(
      "ledger",
      `${found}, such as ${differing.slice(0, namesMax).join(", ")}`,
      "run `npx itemtape db check`",
    );
  }
  const last = lastAt === null ? "nothing was charged yet" : `the last charge was at ${toTimestamp(lastAt)}`;
  return ok(
    "ledger",
    `${last}; ${plural(units, "unit")} of ${plural(accounts, "account")} agree with their sums of ${month}`,
  );
}
