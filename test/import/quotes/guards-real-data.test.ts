import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readFeedFile } from "../../../src/import/feed-file.ts";
import { validateFeed } from "../../../src/import/quotes/accept-feed.ts";
import type { FeedBefore } from "../../../src/import/quotes/compared-books.ts";
import { ItemNames } from "../../../src/import/quotes/name-index.ts";
import { openWriter } from "../../../src/store/database.ts";
import { FeedWriter } from "../../../src/store/write/feeds.ts";
import { QuoteLevels } from "../../../src/store/write/quote-levels.ts";
import { realCatalogFile } from "../../support/kept-files.ts";
import { describeLong } from "../../support/size.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";
import { QuoteWorld } from "./quote-world.ts";

/** After the newest of the files. */
const now = Date.UTC(2026, 10, 1);

describeLong("guards on real market files", function () {
  this.timeout(900_000);
  let world: QuoteWorld;
  before(async function () {
    needRealData(this);
    world = new QuoteWorld(await realCatalogFile());
  });
  after(() => world?.destroy());

  it("accept all Steam files in order of time, and the Buff file", async () => {
    const database = openWriter(world.path, 0);
    const feeds = new FeedWriter(database);
    const names = new ItemNames();
    let judged = 0;
    let withoutShare = 0;
    const named: string[] = [];
    try {
      for (const [folder, adapter] of [
        ["steam/full", "steam"],
        ["steam/frames", "steam"],
        ["buff163", "buff"],
      ] as const) {
        database.$client.exec("DELETE FROM quote_levels");
        let before: FeedBefore = { items: null, itemCount: null };
        const files = readdirSync(join(realDataFolder, folder)).filter((name) => /^(latest|buff163)-.*gz$/.test(name));
        for (const file of files.sort()) {
          const body = await readFeedFile(join(realDataFolder, folder, file));
          const clock = { now: () => now, monotonicMs: () => 0 };
          const { reading, joined, guarded, summary } = validateFeed(
            database,
            body,
            { adapter, before, isDated: true },
            { clock, names },
          );
          for (const { guard, verdict } of summary.guards) {
            expect(verdict, `${file}: ${guard}`).to.not.equal("broken");
            if (verdict === "named") named.push(`${folder} ${guard}`);
          }
          before = { items: joined.items, itemCount: summary.items };
          // As the acceptance of a body does, so that the next one is compared with its share of joined prices.
          feeds.introduce(reading.facts);
          const { joinedPpm, levels } = guarded;
          if (joinedPpm !== null) feeds.recordJoined(reading.facts.feed, joinedPpm);
          if (levels !== null) new QuoteLevels(database).record(levels.hour, levels.sides, levels.restarted);
          judged += 1;
          if (summary.guards.some(({ guard }) => guard === "joined_share")) withoutShare += 1;
        }
      }
    } finally {
      database.$client.close();
    }
    expect(judged).to.equal(119);
    // Sweeps that began from nothing, and two pairs of files that are weeks apart.
    const expected = { "steam/full week_count": 3, "steam/frames week_count": 7, "steam/full price_jumps": 2 };
    const times = (name: string) => named.filter((other) => other === name).length;
    expect(Object.fromEntries([...new Set(named)].map((name) => [name, times(name)]))).to.deep.equal({
      ...expected,
      "steam/full twins": 2,
    });
    // The first one of each feed has no share before it.
    expect(withoutShare).to.equal(2);
  });
});
