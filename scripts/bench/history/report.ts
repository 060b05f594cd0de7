import { table } from "../../support/table.ts";
import { median, medianRatio, spread } from "../statistics.ts";
import type { ChargeFigures } from "./charger.ts";
import { httpReads } from "./http-rounds.ts";
import { type ReadName, readNames } from "./names.ts";
import type { FrameResults, FrameWithCharges, HistoryResults } from "./rounds.ts";

/** What a read is compared with: the service's own page of the same kind. */
const ownPage: Partial<Record<ReadName, ReadName>> = {
  "hourly page, objects of the same segments": "hourly page",
  "hourly page, objects of a row table": "hourly page",
  "daily window, objects": "daily window",
  "hourly page, a tenth of the items": "hourly page",
  "daily window, a tenth of the items": "daily window",
  "point read, a tenth of the items": "point read",
  "list page, a tenth of the items": "list page",
};

/** The figures of recorded histories as tables for a person. */
export function historyTables({ reads, http, frames, storage }: HistoryResults): string[] {
  const rows = readNames.map((name) => {
    const { cpuUs, wallUs, bytes } = reads[name];
    const own = ownPage[name];
    return [
      name,
      median(cpuUs).toFixed(1),
      median(wallUs).toFixed(1),
      (median(bytes) / 1000).toFixed(1),
      own === undefined ? "" : medianRatio(cpuUs, reads[own].cpuUs).toFixed(2),
      `${(100 * spread(cpuUs)).toFixed(0)} %`,
    ];
  });
  const overHttp = httpReads.map((name) => [
    name,
    median(http[name].requestsPerS).toFixed(0),
    median(http[name].cpuUs).toFixed(0),
    `${(100 * spread(http[name].cpuUs)).toFixed(0)} %`,
  ]);
  return [
    "Histories in process: hourly pages of 1,000 rows of six providers, daily windows of 366 rows of one; items in no order",
    ...table([["read", "CPU µs", "µs", "KB", "÷ own", "spread"], ...rows]),
    "",
    "The same file over HTTP, full stack",
    ...table([["read", "req/s", "CPU µs/req", "spread"], ...overHttp]),
    "",
    ...frameTables(frames),
    "",
    `A stored hourly quote takes ${storage.bytesPerQuote.toFixed(2)} bytes: ${storage.items} items for ${storage.days} days, ` +
      `${storage.changePercent} % of the quotes change each hour`,
  ];
}

function frameTables({ quotes, idle, later, first, walBytes }: FrameResults): string[] {
  const middle = (of: (frame: FrameWithCharges) => number) => median(later.map(of));
  const rows = [
    frameRow(`late on a day (${later.length})`, middle, middle(chargesPerS)),
    frameRow("first of a day", (of) => of(first), chargesPerS(first)),
  ];
  return [
    `A frame of ${quotes} quotes beside charges; charges alone, between the frames: ${chargeCells(idle).join(" / ")} ms (p50 / p99 / longest)`,
    ...table([
      [
        "frame",
        "seconds",
        "locked s",
        "transactions",
        "lock ms, 9 of 10",
        "longest",
        "charge p50 ms",
        "p99",
        "longest",
        "charges/s",
      ],
      ...rows,
    ]),
    `its log, late on a day: ${(walBytes / 1e6).toFixed(1)} MB; refused charges: ${refused(...idle, ...later.map(({ charges }) => charges), first.charges)}`,
  ];
}

function frameRow(name: string, pick: (of: (frame: FrameWithCharges) => number) => number, rate: number): string[] {
  return [
    name,
    pick(({ seconds }) => seconds).toFixed(2),
    pick(({ lockSeconds }) => lockSeconds).toFixed(2),
    pick(({ transactions }) => transactions).toFixed(0),
    pick(({ holdMsMost }) => holdMsMost).toFixed(1),
    pick(({ lockHeldMsMax }) => lockHeldMsMax).toFixed(1),
    pick(({ charges }) => charges.p50Ms).toFixed(2),
    pick(({ charges }) => charges.p99Ms).toFixed(2),
    pick(({ charges }) => charges.maxMs).toFixed(1),
    rate.toFixed(0),
  ];
}

function chargeCells(idle: readonly ChargeFigures[]): string[] {
  const middle = (of: (charges: ChargeFigures) => number) => median(idle.map(of));
  return [
    middle(({ p50Ms }) => p50Ms).toFixed(2),
    middle(({ p99Ms }) => p99Ms).toFixed(2),
    middle(({ maxMs }) => maxMs).toFixed(1),
  ];
}

function chargesPerS({ charges, seconds }: FrameWithCharges): number {
  return charges.charges / seconds;
}

function refused(...all: readonly ChargeFigures[]): number {
  return all.reduce((sum, { refused: count }) => sum + count, 0);
}
