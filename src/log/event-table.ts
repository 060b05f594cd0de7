import type { CounterName } from "../ops/observer.ts";
import type { Log } from "./log.ts";

/** One kind of event: level and message of its line, the counter that it adds to, and the type of the line's other fields. */
type Row<Facts extends object> = { level: keyof Log; counter: CounterName | null; message: string; facts?: Facts };

type Account = { account_id: string };
type Feed = { feed: string };
type VerifiedBy = { verified_by: "body" | "not_modified" };
type Retried = { reason: string; retry_ms: number };
type ReleaseFigures = { release: number; generation: string | null; chunks: number; duration_ms: number };

function row<Facts extends object>(level: keyof Log, counter: CounterName | null, message: string): Row<Facts> {
  return { level, counter, message };
}

/** Events that write one line each. Their fields are listed one by one, so that no header, query string or secret gets into a line. */
export const eventTable = {
  // The process, its connections and people. An account is named by its id, or not at all: the log has neither logins nor addresses.
  malformedRequest: row<{ request_id: string; reason: string }>("debug", "malformed_requests", "malformed request"),
  listening: row<{ address: string; port: number; release: string }>("info", null, "listening"),
  draining: row<{ signal: string; drain_ms: number }>("info", null, "draining"),
  stopped: row<{ clean: boolean; duration_ms: number }>("info", null, "stopped"),
  signInSucceeded: row<Account>("info", "sign_ins", "signed in"),
  /** `account_id` null: nobody was signed in yet, and the login is not looked up. */
  signInFailed: row<{ account_id: string | null; reason: "invalid_credentials" | "account_disabled" }>(
    "warn",
    "sign_ins_failed",
    "sign-in failed",
  ),
  /** `password` ended every session but the one that it was changed in, `link` every session. */
  passwordSet: row<Account & { by: "link" | "password" }>("info", "passwords_set", "password set"),
  signedOutEverywhere: row<Account>("info", "sign_outs_everywhere", "signed out everywhere"),

  // The mirror. A source is named by its feed: an address may hold a secret.
  feedVerified: row<Feed & { items: number; refused: number; bytes: number; not_judged?: string }>(
    "info",
    "feeds_verified",
    "feed verified: new content",
  ),
  feedUnchanged: row<Feed & VerifiedBy>("debug", "feeds_unchanged", "feed verified: unchanged"),
  feedFailed: row<Feed & Retried & { failures: number }>(
    "warn",
    "feeds_failed",
    "feed failed; what is published stays",
  ),
  feedFrozen: row<Feed & { unchanged_ms: number }>(
    "warn",
    "feeds_frozen",
    "feed frozen: its source answers and says nothing new",
  ),
  feedBehind: row<Feed & { saved_at: string; behind_ms: number }>(
    "warn",
    "feeds_behind",
    "feed behind: its source answers with content that it saved long ago",
  ),
  guardAccepted: row<Feed & { guard: string; finding: string }>(
    "warn",
    "guards_accepted",
    "guard broken by a body that an operator accepted",
  ),
  feedLagging: row<Feed & { late_ms: number }>(
    "warn",
    "feeds_lagging",
    "feed polled late: the mirror does not keep up",
  ),
  frameRecorded: row<Feed & VerifiedBy & { hour: string; items: number; quotes: number; hold_ms_max: number }>(
    "info",
    "frames_recorded",
    "frame recorded",
  ),
  frameDropped: row<Feed & { hour: string; reason: string }>(
    "warn",
    "frames_dropped",
    "frame dropped: its hour may be missing in histories",
  ),
  generationPublished: row<{
    feeds: string;
    generation: string;
    items: number;
    too_large: number;
    hold_ms_max: number;
  }>("info", "generations_published", "generation published"),
  publicationPostponed: row<{ feeds: string; wait_ms: number }>(
    "debug",
    "publications_postponed",
    "publication postponed: the last one was too recent",
  ),
  daysFinalized: row<{ days: number; rows: number; index_levels: number }>("info", "days_settled", "days finalized"),
  mirrorWaiting: row<{ retry_ms: number }>("info", "mirror_waits", "mirror waits: another import is writing"),
  mirrorFailed: row<Retried>("error", "mirror_failures", "mirror failed; it tries again"),
  mirrorDied: row<{ reason: string; restart_ms: number }>("error", "mirror_deaths", "mirror died; it is started again"),

  // The calculation of returns.
  roiCalculated: row<{
    generation: string | null;
    published: number;
    unchanged: number;
    withheld: number;
    without_point: number;
    duration_ms: number;
    hold_ms: number;
  }>("info", "roi_runs", "returns of openables calculated"),
  roiSkipped: row<{ openable: string; valuation_mode: string; reason: string }>(
    "warn",
    "roi_skips",
    "openable not calculated; what is published of it stays",
  ),
  roiWaiting: row<{ retry_ms: number }>("info", "roi_waits", "calculation of returns waits: another one is running"),
  roiFailed: row<Retried>("error", "roi_failures", "calculation of returns failed; what is published stays"),

  // Sealing releases, and following those of another server.
  releaseSealed: row<
    ReleaseFigures & { new_chunks: number; new_bytes: number; manifest_bytes: number; pruned: number }
  >("info", "releases_sealed", "release sealed"),
  releaseFailed: row<Retried>("error", "release_failures", "release not sealed; the last one stays"),
  releaseTaken: row<
    ReleaseFigures & { fetched_chunks: number; fetched_bytes: number; is_chained: boolean; swap_ms: number }
  >("info", "releases_taken", "release taken"),
  releaseRefused: row<Retried & { kind: string }>(
    "error",
    "releases_refused",
    "release not taken; the last one is served",
  ),
  releaseStale: row<{ release: number; age_hours: number }>(
    "warn",
    "releases_stale",
    "release stale: its publisher has sealed nothing newer",
  ),

  // The valuation of portfolios.
  portfoliosValued: row<{ portfolios: number; days: number; incomplete: number; refused: number; late: number }>(
    "info",
    "valuations",
    "portfolios valued",
  ),
  valuationFailed: row<Retried>("error", "valuation_failures", "valuation of portfolios failed; what is stored stays"),
};

type Table = typeof eventTable;

/** One function per row of the table, which takes the facts of the event. */
export type TableEvents = {
  [Name in keyof Table]: (facts: Table[Name] extends Row<infer Facts> ? Facts : never) => void;
};
