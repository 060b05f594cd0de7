import { setImmediate as nextTurn } from "node:timers/promises";
import { FramesStore } from "../../../src/store/frames.ts";
import { dayMs, dayText, hourMs } from "../../../src/values/calendar.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { openDomain } from "../domain.ts";
import { firstDay } from "./market.ts";
import { dailyOfRows, hourlyOfRows, hourlyOfSegments } from "./object-pages.ts";
import { dailyEvery, dailyProvider, pageRows, today, windowDays } from "./recorded.ts";

/** A file with a recorded history, how many items it has and keys of its accounts. */
export type HistoryFile = { database: string; items: number; keys: readonly string[] };
export type HistoryFiles = Record<"all" | "tenth", HistoryFile>;

/** Returns the text of one answer's data; `place` is any whole number, and stands for an item. */
export type PageRead = (place: number) => string;

const at = today * dayMs + 12 * hourMs;
const listLimit = 100;
const rowTableItemsMax = 300;
/** Neighbours in an order of places are no neighbours in the file. */
const stride = 7919;
let nextPlace = 0;

/**
 * Opens every read, in an order in which those that are compared are neighbours. The caller closes the files by ending.
 * @throws Error if a page of objects is not the service's own, byte for byte.
 */
export function openPageReads({ all, tenth }: HistoryFiles): Readonly<Record<string, PageRead>> {
  const [own, ownOfTenth] = [openReads(all), openReads(tenth)];
  const rowTableItems = Math.min(rowTableItemsMax, all.items - 1);
  const pageOfRows = hourlyOfRows(rowTableItems);
  const pairs = [
    [own.hourly(0), own.hourlyObjects(0)],
    [own.hourly(0), pageOfRows(own.hourlyQuery(1))],
    [own.daily(0), own.dailyObjects(0)],
  ];
  if (pairs.some(([page, objects]) => page !== objects)) throw new Error("a page of objects is not the service's own");
  return {
    "hourly page": own.hourly,
    "hourly page, objects of the same segments": own.hourlyObjects,
    "hourly page, objects of a row table": (place) => pageOfRows(own.hourlyQuery(1 + (place % rowTableItems))),
    "hourly page, a tenth of the items": ownOfTenth.hourly,
    "daily window, objects": own.dailyObjects,
    "daily window": own.daily,
    "daily window, a tenth of the items": ownOfTenth.daily,
    "point read": own.point,
    "point read, a tenth of the items": ownOfTenth.point,
    "list page": own.list,
    "list page, a tenth of the items": ownOfTenth.list,
  };
}

/** Reads other items for so long, to the bytes that would be sent: a text of pieces costs what it costs to join them. */
export async function measurePageRead(page: PageRead, seconds: number) {
  let [count, bytes, tookMs] = [0, 0, 0];
  const startedMs = systemClock.monotonicMs();
  const cpuBefore = process.cpuUsage();
  do {
    bytes += Buffer.from(page(nextPlace)).length;
    count += 1;
    nextPlace += 1;
    await nextTurn();
    tookMs = systemClock.monotonicMs() - startedMs;
  } while (tookMs < seconds * 1000);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { "CPU µs": (user + system) / count, µs: (tookMs * 1000) / count, KB: bytes / 1000 / count };
}

/** Opens the reads of the service on one file, and those that make objects of it. */
function openReads({ database: path, items }: HistoryFile) {
  const { database, domain } = openDomain(path);
  const { reference, hourlyHistory, dailyHistory, catalog } = domain;
  const objectsOfSegments = hourlyOfSegments(new FramesStore(database));
  const objectsOfRows = dailyOfRows(database);
  // The last item of the catalog has no history.
  const item = (place: number) => 1 + ((place * stride) % (items - 1));
  const hourlyQuery = (itemId: number) => {
    const window = { from: dayText(firstDay), to: dayText(today - 1), limit: pageRows };
    return hourlyHistory.prepare({ item_id: itemId, ...window }, { at, reference });
  };
  const dailyQuery = (place: number) => {
    const itemId = 1 + ((place * stride) % Math.ceil((items - 1) / dailyEvery)) * dailyEvery;
    const window = { from: dayText(today - windowDays), to: dayText(today - 1), limit: windowDays };
    const params = { item_id: itemId, provider: dailyProvider, ...window };
    return dailyHistory.prepare(params, { at, reference, caller: { plan: "quant" } });
  };
  return {
    hourlyQuery,
    hourly: (place: number) => hourlyHistory.read(hourlyQuery(item(place)), at).data.json,
    hourlyObjects: (place: number) => objectsOfSegments(hourlyQuery(item(place))),
    daily: (place: number) => dailyHistory.read(dailyQuery(place), at).data.json,
    dailyObjects: (place: number) => objectsOfRows(dailyQuery(place), at),
    point: (place: number) => catalog.item(item(place)).data.json,
    list: (place: number) => {
      const cursor = item(place) % Math.max(1, items - listLimit);
      return JSON.stringify(catalog.list(catalog.prepareList({ cursor, limit: listLimit }), true));
    },
  };
}
