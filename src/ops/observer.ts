/** One answered request. `operation` null: a page, or a path that no operation has; `status` null: its client went away before an answer. */
export type RequestFigures = {
  operation: string | null;
  status: number | null;
  code: string | null;
  duration_ms: number;
};

/** One export that ended. `outcome` is that of the log, or `not_begun` where nothing of it was sent. */
type ExportFigures = { outcome: string; items: number; bytes: number };

/**
 * One batch of the ledger's requests. `charged`: the operation of each unit that was charged; `duration_ms`: from handing it to the
 * ledger's thread to its answer; `failure`: the kind of the failure that refused it whole, else null.
 */
export type BatchFigures = {
  requests: number;
  charged: readonly string[];
  duration_ms: number;
  failure: string | null;
  settled?: "charged" | "undone";
};

/** Receives figures as they happen, beside the log. Nothing in them names an account, a key or an item. */
export type Observer = {
  requestAnswered(figures: RequestFigures): void;
  exportStarted(): void;
  exportEnded(figures: ExportFigures): void;
  batchAnswered(figures: BatchFigures): void;
};

/** Kinds of what happens to the write-ahead log, which `checkpoints_…` counts. */
export const checkpointKinds = ["done", "failed", "held_back", "caught_up"] as const;

/** Names of the counters that `itemtape_events_total` shows, from the start on as 0. */
export const eventNames = [
  "connections_cut",
  "connections_dropped",
  "crashes",
  "days_settled",
  "feeds_behind",
  "feeds_failed",
  "feeds_frozen",
  "feeds_lagging",
  "feeds_unchanged",
  "feeds_verified",
  "frames_dropped",
  "frames_recorded",
  "generations_published",
  "guards_accepted",
  "internal_errors",
  "malformed_requests",
  "mirror_deaths",
  "mirror_failures",
  "mirror_waits",
  "passwords_set",
  "publications_postponed",
  "release_failures",
  "releases_refused",
  "releases_sealed",
  "releases_stale",
  "releases_taken",
  "requests_shed",
  "roi_failures",
  "roi_runs",
  "roi_skips",
  "roi_waits",
  "second_names",
  "sign_ins",
  "sign_ins_failed",
  "sign_ins_throttled",
  "sign_outs_everywhere",
  "storage_errors",
  "storage_failures",
  "valuation_failures",
  "valuations",
  "warnings",
] as const;

/** Names of all counters. */
export type CounterName =
  | (typeof eventNames)[number]
  | `checkpoints_${(typeof checkpointKinds)[number]}`
  | `stream_${string}`
  | "log_lines_dropped"
  | "requests";

/** Counts an event; `times` is 1 where it is left out. */
export type Count = (name: CounterName, times?: number) => void;
