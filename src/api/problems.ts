import { refusalDetails } from "../access/refusals.ts";
import type { ErrorCode } from "../contract/types.ts";

export type ProblemEntry = {
  readonly status: number;
  readonly title: string;
  /** Default `detail`, if the refusal has no more exact one. */
  readonly detail: string;
  readonly cause: string;
  readonly fix: string;
  /** Advice about retrying the request, for the problem page. */
  readonly retry: string;
  /** Default seconds of `Retry-After`. Null omits the header. */
  readonly retryAfterS: number | null;
};

type Text = Omit<ProblemEntry, "status" | "retry" | "retryAfterS">;

const unchanged = "No. Correct the request first.";
const stop = "No. Stop using this key.";
const afterWait = "Yes, a few times, after the seconds in Retry-After plus jitter.";

/** Every code of the contract with its status, texts and advice. The problem pages show this table. */
export const problems = {
  malformed_request: badRequest({
    title: "Malformed request",
    detail: "the request is not valid HTTP",
    cause: "The request is not valid HTTP, is wrongly encoded, or must not have a body.",
    fix: "Send HTTP/1.1 with one Host header, a path as target and UTF-8 percent-encoding.",
  }),
  invalid_parameter: badRequest({
    title: "Invalid parameter",
    detail: "a parameter is not valid",
    cause: "A path or query parameter is ill-typed, out of bounds, unknown or repeated.",
    fix: "The detail names the parameter and its rule. Write integers without sign or leading zero.",
  }),
  invalid_body: badRequest({
    title: "Invalid request body",
    detail: "the request body is not valid",
    cause: "The body is missing, is not UTF-8 JSON sent as application/json, or violates the operation's schema.",
    fix: "The detail names the property and its rule.",
  }),
  invalid_range: badRequest({
    title: "Invalid range",
    detail: "the range of dates is not valid",
    cause: "The dates are in the wrong order or in the future.",
    fix: "Send UTC dates as YYYY-MM-DD, `from` not after `to`, none in the future. Export past days.",
  }),
  window_too_large: badRequest({
    title: "Window too large",
    detail: "the window spans too many days",
    cause: "The dates span more days than the operation allows.",
    fix: "Send consecutive windows within the documented maximum.",
  }),
  batch_limit_exceeded: badRequest({
    title: "Batch limit exceeded",
    detail: "the batch has too many entries",
    cause: "The batch has more than 100 entries.",
    fix: "Split the batch.",
  }),
  invalid_cursor: badRequest({
    title: "Invalid cursor",
    detail: "query parameter `after`: is not a cursor of this service",
    cause: "The cursor was altered or belongs to another service.",
    fix: "Pass `meta.next_page` unchanged as `after`, or start again without `after`.",
  }),
  cursor_mismatch: badRequest({
    title: "Cursor mismatch",
    detail: "query parameter `after`: belongs to another operation or to other filters",
    cause: "The cursor belongs to another operation, or to a first page with other filters, dates, item or mode.",
    fix: "Pass it only to its operation. Repeat the filters unchanged or omit them.",
  }),
  unknown_provider: badRequest({
    title: "Unknown provider",
    detail: "query parameter `provider`: no such provider, see GET /v1/providers",
    cause: "No marketplace has this slug.",
    fix: "Use a slug from GET /v1/providers.",
  }),
  unknown_methodology_version: badRequest({
    title: "Unknown methodology version",
    detail: "query parameter `methodology_version`: no such version",
    cause: "No calculation uses this version.",
    fix: "Use a version from a row or current calculation, or omit the parameter.",
  }),
  credential_in_url: badRequest({
    title: "Credential in the URL",
    detail: "the URL holds an API key; send it in the Authorization header only, and rotate this key",
    cause: "The URL contains something like an API key. Logs and histories record URLs.",
    fix: "Rotate the key and send the new one as Authorization: Bearer only.",
  }),
  invalid_api_key: unauthorized({
    title: "Invalid API key",
    detail: "header `Authorization`: needs a valid key as Bearer credential",
    cause: "The key is missing or unknown here.",
    fix: "Send Authorization: Bearer, one space and the exact key.",
  }),
  expired_api_key: unauthorized({
    title: "Expired API key",
    detail: "header `Authorization`: the key has expired; create a new one",
    cause: "The key's 7, 30 or 90 days have ended.",
    fix: "Create a new key.",
  }),
  revoked_api_key: unauthorized({
    title: "Revoked API key",
    detail: "header `Authorization`: the key was revoked; create a new one",
    cause: "The account's owner revoked this key permanently.",
    fix: "Create a new key.",
  }),
  plan_upgrade_required: forbidden({
    title: "Plan upgrade required",
    detail: "this operation needs a paid plan",
    cause: "The account's plan does not include this operation or these parameters.",
    fix: "Buy a plan that includes it. A prepaid plan ends after 30 days.",
  }),
  insufficient_scope: forbidden({
    title: "Insufficient scope",
    detail: "the key lacks the scope of this operation",
    cause: "The key is valid but lacks the operation's scope.",
    fix: "The WWW-Authenticate header names the scope. Project keys from /dashboard/keys/new have market:read. Personal tokens from /dashboard/tokens/new have portfolio:read.",
  }),
  account_disabled: forbidden({
    title: "Account disabled",
    detail: "the account of this key is disabled",
    cause: "The key's account was disabled.",
    fix: "Ask the operator and name the account id.",
  }),
  item_not_found: notFound(
    "Item not found",
    "path parameter `item_id`: no such item",
    "item does not exist",
    "GET /v1/items",
  ),
  openable_not_found: notFound(
    "Openable not found",
    "path parameter `slug`: no such openable",
    "openable does not exist",
    "its list",
  ),
  index_not_found: notFound(
    "Index not found",
    "path parameter `index_id`: no such index",
    "index does not exist",
    "`GET /v1/indexes`",
  ),
  currency_not_found: notFound(
    "Currency not found",
    "path parameter `currency`: no such currency",
    "currency does not exist",
    "`GET /v1/exchange-rates`",
  ),
  portfolio_not_found: notFound(
    "Portfolio not found",
    "path parameter `portfolio_id`: no such portfolio",
    "portfolio does not exist, or this token may not read it",
    "its list",
  ),
  generation_not_found: notFound(
    "Generation not found",
    "path parameter `generation`: no such generation",
    "generation does not exist, or the next one was published over 30 days ago",
    "the `generation` of quotes or of an export",
  ),
  changes_too_large: {
    status: 404,
    title: "Changes too large",
    detail: "more than half of an export has changed since",
    cause: "The changes have more than half the bytes of an export. The request costs its unit.",
    fix: "Export with POST /v1/markets/snapshot and continue from its state.",
    retry: unchanged,
    retryAfterS: null,
  },
  day_not_found: notFound(
    "Day not found",
    "path parameter `date`: no such sealed day",
    "day is not sealed, or its hours were removed",
    "`GET /v1/history/days`",
  ),
  endpoint_not_found: {
    status: 404,
    title: "Endpoint not found",
    detail: "no operation answers this method and path",
    cause: "The path does not exist or has other methods, which Allow names.",
    fix: "Compare them with /openapi.json. Paths have no trailing slash.",
    retry: unchanged,
    retryAfterS: null,
  },
  request_too_large: {
    status: 413,
    title: "Request too large",
    detail: "request body: must be at most 16384 bytes",
    cause: "The body is over 16 KiB.",
    fix: "Split the batch into smaller requests.",
    retry: unchanged,
    retryAfterS: null,
  },
  rate_limited: tooMany({
    title: "Rate limited",
    detail: "the account has used its requests of this minute",
    cause: "The account's keys have together sent the plan's requests of a minute.",
    fix: "Spread the requests as X-RateLimit-Limit and X-RateLimit-Remaining show.",
  }),
  monthly_quota_exceeded: {
    ...tooMany({
      title: "Monthly quota exceeded",
      detail: "the account has used its requests of this UTC calendar month",
      cause: "The account has used its plan's requests of the UTC calendar month.",
      fix: "Wait for the next month or buy a larger plan. More keys do not help.",
    }),
    retry: "Not in a loop. The next month starts after the seconds in Retry-After.",
  },
  snapshot_busy: tooMany({
    title: "Export already running",
    detail: "the account already has an active export",
    cause: "An account's keys can run one export at a time.",
    fix: "Let the running export end. A broken one ends within its deadline of two minutes.",
  }),
  snapshot_capacity: tooMany({
    title: "No export slot free",
    detail: refusalDetails.snapshot_capacity,
    cause: "All export slots of the service are in use.",
    fix: "Try again later.",
  }),
  snapshot_daily_limit: tooMany({
    title: "Export starts exhausted",
    detail: "the account has used its export starts of the last 24 hours",
    cause: "The account has used its plan's export starts of 24 hours.",
    fix: "Wait until the oldest start is 24 hours old. GET /v1/usage shows the time.",
  }),
  changes_busy: tooMany({
    title: "Changes already streaming",
    detail: refusalDetails.changes_busy,
    cause: "An account's keys can run one stream of changes at a time.",
    fix: "Let the running stream end. A broken one ends within its deadline of two minutes.",
  }),
  changes_capacity: tooMany({
    title: "No slot for changes free",
    detail: refusalDetails.changes_capacity,
    cause: "All slots of the service for streams of changes are in use.",
    fix: "Try again later.",
  }),
  waiting_limit: tooMany({
    title: "Too many waiting requests",
    detail: refusalDetails.waiting_limit,
    cause: "The account's keys have too many requests waiting for the next generation.",
    fix: "Let one end. A program needs one.",
  }),
  snapshot_unavailable: unavailable(30, {
    title: "Market export unavailable",
    detail: "no generation of quotes is published",
    cause: "No generation of quotes is published yet.",
    fix: "Watch market_snapshot in GET /v1/status.",
  }),
  data_unavailable: unavailable(30, {
    title: "Data unavailable",
    detail: "no generation of quotes is published",
    cause: "The operation's data is not published yet.",
    fix: "Watch market_snapshot in GET /v1/status.",
  }),
  service_unavailable: unavailable(1, {
    title: "Service unavailable",
    detail: "the service cannot answer now; retry after the stated time",
    cause: "The service is overloaded, stopping or faulty.",
    fix: "Retry with backoff. If it continues, send the operator the request_id.",
  }),
} as const satisfies Record<ErrorCode, ProblemEntry>;

/** Codes of the `error` record that ends an interrupted export after HTTP 200. They have pages but are never a status. */
export const streamProblems = {
  snapshot_changed: {
    title: "Export changed",
    cause: "A new generation was published during the export. No `end` record follows.",
    fix: "Discard the partial data.",
    retry: "Yes, the whole export, after a pause, a few times. This start counts.",
  },
  snapshot_interrupted: {
    title: "Export interrupted",
    cause:
      "The export failed, reached its deadline of two minutes, or the service is stopping. No `end` record follows.",
    fix: "Discard the partial data. After the deadline, read the stream faster.",
    retry: "Yes, the whole export, after a pause, a few times. This start counts.",
  },
} as const;

function badRequest(text: Text): ProblemEntry {
  return { status: 400, ...text, retry: unchanged, retryAfterS: null };
}

function unauthorized(text: Text): ProblemEntry {
  return { status: 401, ...text, retry: stop, retryAfterS: null };
}

function forbidden(text: Text): ProblemEntry {
  return { status: 403, ...text, retry: unchanged, retryAfterS: null };
}

function notFound(title: string, detail: string, noun: string, where: string): ProblemEntry {
  return {
    status: 404,
    title,
    detail,
    cause: `The ${noun}. The request costs its unit.`,
    fix: `Use an identifier from ${where}.`,
    retry: unchanged,
    retryAfterS: null,
  };
}

function tooMany(text: Text): ProblemEntry {
  return { status: 429, ...text, retry: afterWait, retryAfterS: 1 };
}

function unavailable(retryAfterS: number, text: Text): ProblemEntry {
  return { status: 503, ...text, retry: afterWait, retryAfterS };
}
