/**
 * One answered request. `operation` is null for a page or an unknown path. `status` is null if the client disconnected before a response.
 */
export type RequestFigures = {
  operation: string | null;
  status: number | null;
  code: string | null;
  duration_ms: number;
};

/** One ended export. `outcome` is the log's, or `not_begun` if nothing was sent. */
type ExportFigures = { outcome: string; items: number; bytes: number };

/**
 * One batch of the ledger. `charged`: operation of each charged unit. `duration_ms`: from the request to the ledger's thread to its reply.
 * `failure`: kind of the failure that refused the batch, else null.
 */
export type BatchFigures = {
  requests: number;
  charged: readonly string[];
  duration_ms: number;
  failure: string | null;
  settled?: "charged" | "undone";
};

/** Receives figures beside the log. They never identify an account, a key or an item. */
export type Observer = {
  requestAnswered(figures: RequestFigures): void;
  exportStarted(): void;
  exportEnded(figures: ExportFigures): void;
  batchAnswered(figures: BatchFigures): void;
};

/** Kinds of events of the write-ahead log, counted in `checkpoints_…`. */
export const checkpointKinds = ["done", "failed", "held_back", "caught_up"] as const;

/** Names of the counters in `itemtape_events_total`. They start at 0. */
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
  "releases_expired",
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

export type CounterName =
  | (typeof eventNames)[number]
  | `checkpoints_${(typeof checkpointKinds)[number]}`
  | `stream_${string}`
  | "log_lines_dropped"
  | "requests";

/** Counts an event; `times` defaults to 1. */
export type Count = (name: CounterName, times?: number) => void;
