import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { DemoMarket, demoFeeds, factsOf } from "../../../src/demo/market.ts";
import type { FeedBefore } from "../../../src/import/quotes/compared-books.ts";
import { guardFeed } from "../../../src/import/quotes/guards.ts";
import { ItemNames } from "../../../src/import/quotes/name-index.ts";
import { Refusals } from "../../../src/import/quotes/observation.ts";
import { openWriter } from "../../../src/store/database.ts";
import { readItems } from "../../../src/store/write/catalog.ts";
import { QuoteLevels } from "../../../src/store/write/quote-levels.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import type { Book } from "../../../src/wire/quotes.ts";
import { temporaryFolder } from "../../support/files.ts";
import { demoFile } from "../../support/kept-files.ts";
import { describeLong } from "../../support/size.ts";

const days = 365;
const listed = { length: 0, [Symbol.iterator]: () => [][Symbol.iterator]() };

describeLong("guards on the demo's year", function () {
  this.timeout(300_000);

  it("accept the quotes of each feed day after day", () => {
    const path = join(temporaryFolder(), "demo.db");
    copyFileSync(demoFile().path, path);
    const database = openWriter(path, 0);
    const names = new ItemNames();
    let judged = 0;
    try {
      const market = new DemoMarket([...readItems(database).values()], Date.UTC(2026, 8, 1, 12));
      for (const feed of demoFeeds) {
        let before: FeedBefore = { items: null, itemCount: null };
        for (let ago = days; ago >= 0; ago -= 1) {
          const quotes = Array.from(market.quotes(feed), ([itemId, now]): [number, Book] => [
            itemId,
            market.quotesSince(itemId, now, market.step(itemId, feed, 24 * ago), feed),
          ]);
          const body = bodyOf(
            quotes.sort(([one], [other]) => one - other),
            factsOf(feed, false),
          );
          const at = market.lastHour * hourMs - ago * dayMs;
          const { findings, levels } = guardFeed(database, { name: feed.feed }, { ...body, names }, at, { before });
          const unusual = findings.filter(({ verdict, guard }) => verdict === "broken" || guard === "week_price");
          expect(unusual.filter(({ verdict }) => verdict !== "not_judged")).to.deep.equal([]);
          new QuoteLevels(database).record(levels!.hour, levels!.sides, levels!.restarted);
          before = { items: body.joined.items, itemCount: body.joined.items.size };
          judged += 1;
        }
      }
    } finally {
      database.$client.close();
    }
    expect(judged).to.equal(demoFeeds.length * (days + 1));
  });
});

function bodyOf(quotes: readonly [number, Book][], facts: ReturnType<typeof factsOf>) {
  const items = Object.assign(new Map(quotes), { append: () => undefined });
  const read = { observations: listed, references: listed, refusals: new Refusals(), absent: 0 };
  const counts = { asks: quotes.length, bids: 0, derived: [], derivedQuotes: new Map(), refusedNames: [] };
  return {
    reading: { facts, ...read, savedAt: null, isUnfinished: false },
    joined: { items, itemsWithoutQuote: new Set<number>(), ...counts },
  };
}
