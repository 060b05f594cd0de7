import { Counter, Histogram, type Registry } from "prom-client";
import { loadContract } from "../contract/document.ts";
import { secondMs } from "../values/time/calendar.ts";
import type { Observer } from "./observer.ts";

/** Upper bounds in seconds, from a read in memory to the longest export. */
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
/** Upper bounds in seconds, from a disk with a battery to a failing disk. */
const commitSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Upper bounds in requests. The last one is the maximum of a commit. */
const batchRequests = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/** Label of requests without an operation or without a response. */
const none = "none";

/** Creates the metrics of requests, charges and exports in `registry`, and returns their observer. `codes`: codes of all problems. */
export function createTrafficMetrics(registry: Registry, codes: readonly string[]): Observer {
  return { ...requestMetrics(registry, codes), ...ledgerMetrics(registry), ...exportMetrics(registry) };
}

function requestMetrics(registry: Registry, codes: readonly string[]): Pick<Observer, "requestAnswered"> {
  const registers = [registry];
  const answered = new Counter({
    name: "itemtape_requests_total",
    help: "Requests by operation and status. Operation `none`: a page, or a path that no operation has. Status `none`: the client went away before an answer.",
    labelNames: ["operation", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "itemtape_request_duration_seconds",
    help: "Time from the head of a request to the last byte of its answer, the wait for its client included.",
    labelNames: ["operation"],
    buckets: requestSeconds,
    registers,
  });
  const help = "Requests that were answered with a problem, by code.";
  const refused = counterOf(registry, "itemtape_refusals_total", help, { code: [...codes] });
  return {
    requestAnswered({ operation, status, code, duration_ms }) {
      const labels = { operation: operation ?? none };
      answered.inc({ ...labels, status: status ?? none });
      seconds.observe(labels, duration_ms / secondMs);
      if (code !== null) refused.inc({ code });
    },
  };
}

function ledgerMetrics(registry: Registry): Pick<Observer, "batchAnswered"> {
  const registers = [registry];
  const charges = counterOf(registry, "itemtape_charges_total", "Units charged, by operation.", {
    operation: [...loadContract().operations.keys()],
  });
  const batches = new Histogram({
    name: "itemtape_ledger_batch_requests",
    help: "Requests of one commit of the ledger.",
    buckets: batchRequests,
    registers,
  });
  const seconds = new Histogram({
    name: "itemtape_ledger_commit_duration_seconds",
    help: "Time of one commit of the ledger, from handing a batch to its thread to the answer.",
    buckets: commitSeconds,
    registers,
  });
  const failures = counterOf(
    registry,
    "itemtape_ledger_commit_failures_total",
    "Failed commits of the ledger; their batches were not charged. Kind `refused`: the file is busy, the disk or the write-ahead log is full.",
    { kind: ["refused", "fatal", "unexpected"] },
  );
  const settled = counterOf(
    registry,
    "itemtape_ledger_batches_settled_total",
    "Batches that were refused because of an uncertain commit, by its outcome. `charged`: the commit was done and its charges stay.",
    { outcome: ["charged", "undone"] },
  );
  return {
    batchAnswered({ requests, charged, duration_ms, failure, settled: outcome }) {
      for (const [operation, units] of tally(charged)) charges.inc({ operation }, units);
      if (outcome !== undefined) {
        settled.inc({ outcome });
        return;
      }
      batches.observe(requests);
      seconds.observe(duration_ms / secondMs);
      if (failure !== null) failures.inc({ kind: failure });
    },
  };
}

/** Adds a counter with at most one label. `labels` contains the label's values that start at 0. */
function counterOf(registry: Registry, name: string, help: string, labels: Record<string, string[]> = {}): Counter {
  const counter = new Counter({ name, help, labelNames: Object.keys(labels), registers: [registry] });
  for (const [label, values] of Object.entries(labels)) for (const value of values) counter.inc({ [label]: value }, 0);
  return counter;
}

/** Returns the count of each name, so that each operation needs one call of the library per batch. */
function tally(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function exportMetrics(registry: Registry): Pick<Observer, "exportStarted" | "exportEnded"> {
  const started = counterOf(registry, "itemtape_exports_started_total", "Exports that were admitted.");
  const help = "Exports that ended, by outcome. `not_begun`: the client got a problem instead of the first byte.";
  const ended = counterOf(registry, "itemtape_exports_ended_total", help, {
    outcome: ["complete", "disconnected", "snapshot_changed", "snapshot_interrupted", "not_begun"],
  });
  const items = counterOf(registry, "itemtape_export_items_total", "Item records of ended exports.");
  const bytes = counterOf(registry, "itemtape_export_bytes_total", "Bytes of ended exports, as they were sent.");
  return {
    exportStarted: () => started.inc(),
    exportEnded(figures) {
      ended.inc({ outcome: figures.outcome });
      items.inc(figures.items);
      bytes.inc(figures.bytes);
    },
  };
}
