import { table } from "../../support/table.ts";
import { median } from "../statistics.ts";
import { askers } from "./asker.ts";
import type { CompressionResults, LatencySeries } from "./rounds.ts";

/** What compression saves and costs as tables for a person. */
export function compressionTables({ answers, exports, reads }: CompressionResults): string[] {
  const rows = Object.entries(answers).map(([name, { plain, gzip }]) => [
    name,
    String(plain.bytes),
    String(gzip.bytes),
    share(gzip.bytes, plain.bytes),
    median(plain.cpuUs).toFixed(0),
    median(gzip.cpuUs).toFixed(0),
    median(plain.p50Ms).toFixed(2),
    median(gzip.p50Ms).toFixed(2),
  ]);
  const streams = (["plain", "gzip"] as const).map((coding) => [
    coding,
    (exports[coding].bytes / 1e6).toFixed(1),
    share(exports[coding].bytes, exports.plain.bytes),
    median(exports[coding].mbPerS).toFixed(0),
    median(exports[coding].cpuMsPerMb).toFixed(2),
  ]);
  const latencies: [string, LatencySeries][] = [
    ["idle", reads.idle],
    ["beside 8 exports", reads.plain],
    ["beside 8 compressed exports", reads.gzip],
  ];
  return [
    `Answers without and with gzip, ${askers} connections`,
    ...table([["answer", "bytes", "gzip", "", "CPU µs", "gzip", "p50 ms", "gzip"], ...rows]),
    "",
    "Export without and with gzip, one reader; MB of records, whatever was sent for them",
    ...table([["export", "MB sent", "", "MB/s", "CPU ms/MB"], ...streams]),
    "",
    ...table([
      ["point read", "p50 ms", "p99 ms"],
      ...latencies.map(([name, { p50Ms, p99Ms }]) => [name, median(p50Ms).toFixed(2), median(p99Ms).toFixed(2)]),
    ]),
  ];
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(0)} %`;
}
