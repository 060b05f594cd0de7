// Compares the file with the data in the program, apart from the checks of the file alone.
import { shippedFacts } from "../../import/catalog/shipped-catalog.ts";
import type { Database } from "../../store/database.ts";
import { MarketStateStore } from "../../store/read/market-state.ts";
import { readSources } from "../../store/write/catalog.ts";
import { isDemo } from "../../store/write/demo-mark.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { type Finding, ok, warning } from "./finding.ts";

const newerList =
  "`npm install --no-save @ianlucas/cs2-lib@7` and `npx itemtape import catalog @ianlucas/cs2-lib` import a newer list";
const shippedAgain =
  "run `npx itemtape import catalog shipped`, and name the other lists of this file in the same command";
/** Share of a body's unmatched prices above which the catalog counts as old, in millionths. */
const unjoinedPpmMax = 100_000;

/** Compares the catalog with the shipped list, and reports the share of each feed's last prices without a matching item. */
export function checkCatalog(database: Database): Finding {
  const check = "catalog";
  const sources = readSources(database);
  if (sources.length === 0) return warning(check, "it has no items", "run `npx itemtape import catalog shipped`");
  const rowIds = sources.flatMap(({ sourceKey }) => /^cs2-lib:(\d+)$/.exec(sourceKey)?.[1] ?? []).map(Number);
  const newest = rowIds.reduce((most, id) => Math.max(most, id), -1);
  const { name, version, published, lastId } = shippedFacts();
  const list = `the shipped list of ${published} (${name} ${version})`;
  const shares = unjoinedShares(database);
  const joined = shares.map(({ feed, ppm }) => `${(ppm / 10_000).toFixed(1)} % of ${feed}'s last prices match no item`);
  const isOlder = newest !== -1 && newest < lastId && !isDemo(database);
  const order =
    newest === -1 ? "of other sources than " : newest > lastId ? "newer than " : isOlder ? "older than " : "of ";
  const found = [`its items are ${order}${list}`, ...joined].join("; ");
  if (isOlder) return warning(check, found, shippedAgain);
  if (shares.some(({ ppm }) => ppm > unjoinedPpmMax)) return warning(check, found, newerList);
  return ok(check, `${found}; ${newerList}`);
}

function unjoinedShares(database: Database): { feed: string; ppm: number }[] {
  const writer = new FeedWriter(database);
  const feeds = new MarketStateStore(database).feeds().filter(({ isDropped }) => !isDropped);
  return feeds.flatMap(({ feed }) => {
    const joined = writer.joinedPpm(feed);
    return joined === null || joined === 1_000_000 ? [] : [{ feed, ppm: 1_000_000 - joined }];
  });
}
