import type { Schema } from "../../../src/contract/types.ts";
import { Catalog } from "../../../src/domain/catalog.ts";
import { DailyHistory } from "../../../src/domain/daily-history.ts";
import type { HistoryQuery } from "../../../src/domain/history-request.ts";
import { HourlyHistory } from "../../../src/domain/hourly-history.ts";
import { Reference } from "../../../src/domain/reference.ts";
import { SearchIndex } from "../../../src/domain/search-index.ts";
import { CatalogStore } from "../../../src/store/catalog.ts";
import { DailyPricesStore } from "../../../src/store/daily-prices.ts";
import { openReader } from "../../../src/store/database.ts";
import { FramesStore } from "../../../src/store/frames.ts";
import { MarketStateStore } from "../../../src/store/market-state.ts";
import { ProvidersStore } from "../../../src/store/providers.ts";
import { SharedReadTransaction } from "../../../src/store/shared-read.ts";
import { dayMs, dayText, hourMs } from "../../../src/values/calendar.ts";
import { type GrowingRead, type objectReads, ofTenth, type ReadName } from "./names.ts";
import { dailyOfRows, hourlyOfRows, hourlyOfSegments, writeHourlyRows } from "./object-pages.ts";
import { dailyEvery, dailyProvider, firstDay, pageRows, today, windowDays } from "./recorded.ts";

/** A file with a recorded history, and how many items it has. */
export type HistoryFile = { database: string; items: number };

/** The text of one answer's data; `place` is any whole number, and stands for an item. */
export type Read = (place: number) => string;

const at = today * dayMs + 12 * hourMs;
const listLimit = 100;
const rowTableItemsMax = 300;
/** Neighbours in an order of places are no neighbours in the file. */
const stride = 7919;

/** Every measured read. `rowTable` is where the table of the row peer is made. */
export function openReads(files: { all: HistoryFile; tenth: HistoryFile; rowTable: string }) {
  const all = openFile(files.all);
  const tenth = openFile(files.tenth);
  writeHourlyRows(files.rowTable, all.rowTablePages());
  const rows = hourlyOfRows(files.rowTable);
  const reads = {
    ...all.reads,
    ...all.objectReads,
    "hourly page, objects of a row table": (place: number) => rows.page(all.hourlyQuery(all.rowTableItem(place))),
    ...Object.fromEntries(Object.entries(tenth.reads).map(([name, read]) => [ofTenth(name as GrowingRead), read])),
  } as Record<ReadName, Read>;
  return {
    reads,
    /** Throws unless the pages of objects are the service's own, byte for byte. */
    refuseOtherPages(): void {
      const pairs: [string, string][] = [
        [reads["hourly page"](0), reads["hourly page, objects of the same segments"](0)],
        [all.hourlyPage(all.rowTableItem(1)), reads["hourly page, objects of a row table"](1)],
        [reads["daily window"](0), reads["daily window, objects"](0)],
      ];
      for (const [own, other] of pairs) {
        if (own !== other)
          throw new Error(`two reads of one page differ:\n${own.slice(0, 400)}\n${other.slice(0, 400)}`);
      }
    },
    close(): void {
      rows.close();
      all.close();
      tenth.close();
    },
  };
}

/** The reads of the service on one file, built on the floors that `compose` builds them on. */
function openFile({ database: path, items }: HistoryFile) {
  const database = openReader(path);
  const turn = new SharedReadTransaction(database);
  const state = new MarketStateStore(database);
  const providers = new ProvidersStore(database);
  const store = new CatalogStore(database, turn);
  const frames = new FramesStore(database, turn);
  const reference = new Reference({ state, providers });
  const { cursors } = reference;
  const catalog = new Catalog({ store, state, index: new SearchIndex({ catalog: store, state }) });
  const hourly = new HourlyHistory({ catalog: store, frames, providers, cursors });
  const daily = new DailyHistory({ catalog: store, prices: new DailyPricesStore(database, turn), frames, cursors });
  const dates = (from: number, to: number) => ({ from: dayText(from), to: dayText(to) });
  const hourlyQuery = (itemId: number): HistoryQuery =>
    hourly.prepare({ item_id: itemId, ...dates(firstDay, today - 1), limit: pageRows }, { at, reference });
  const dailyQuery = (itemId: number): HistoryQuery =>
    daily.prepare(
      { item_id: itemId, provider: dailyProvider, ...dates(today - windowDays, today - 1), limit: windowDays },
      { at, reference, caller: { plan: "quant" } },
    );
  // The last item of the catalog has no history.
  const item = (place: number) => 1 + ((place * stride) % (items - 1));
  const yearItems = Math.ceil((items - 1) / dailyEvery);
  const yearItem = (place: number) => 1 + ((place * stride) % yearItems) * dailyEvery;
  const hourlyPage = (itemId: number) => hourly.read(hourlyQuery(itemId), at).data.json;
  const hourlyObjects = hourlyOfSegments(frames);
  const dailyObjects = dailyOfRows(database);
  const rowTableItems = Math.min(rowTableItemsMax, items - 1);
  const rowTableItem = (place: number) => item(place % rowTableItems);
  const reads: Record<GrowingRead, Read> = {
    "hourly page": (place) => hourlyPage(item(place)),
    "daily window": (place) => daily.read(dailyQuery(yearItem(place)), at).data.json,
    "point read": (place) => catalog.item(item(place)).data.json,
    "list page": (place) => {
      const query = catalog.prepareList({ cursor: item(place) % Math.max(1, items - listLimit), limit: listLimit });
      return JSON.stringify(catalog.list(query, true));
    },
  };
  return {
    reads,
    objectReads: {
      "hourly page, objects of the same segments": (place) => hourlyObjects(hourlyQuery(item(place))),
      "daily window, objects": (place) => dailyObjects(dailyQuery(yearItem(place)), at),
    } satisfies Partial<Record<(typeof objectReads)[number], Read>>,
    hourlyQuery,
    hourlyPage,
    rowTableItem,
    *rowTablePages() {
      const window = { from: firstDay, to: today - 1 };
      for (let place = 0; place < rowTableItems; place += 1) {
        const itemId = rowTableItem(place);
        const text = hourlyObjects({ ...hourlyQuery(itemId), window, limit: 2 * pageRows });
        yield { itemId, rows: JSON.parse(text) as Schema<"HourlyPrice">[] };
      }
    },
    close: () => void database.$client.close(),
  };
}
