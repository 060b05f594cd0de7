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

const unchanged = "No. The same request will be refused again; correct it first.";
const stop = "No. Stop sending requests with this key.";
const afterWait =
  "Yes, after the seconds in Retry-After, a bounded number of times, with an overall timeout and jitter. Do not use further keys to get around a limit.";

/** Every code of the contract with its status, texts and advice. The problem pages show this table. */
export const problems = {
  malformed_request: badRequest({
    title: "Malformed request",
    detail: "the request is not valid HTTP",
    cause:
      "The bytes of the request are not valid HTTP, the URL is not soundly encoded, or a body came where none belongs.",
    fix: "Send HTTP/1.1 with one Host header, a path as target, UTF-8 percent-encoding and no body but on operations that take one.",
  }),
  invalid_parameter: badRequest({
    title: "Invalid parameter",
    detail: "a parameter is not valid",
    cause:
      "A path or query parameter has the wrong type, is out of bounds, is not known to the operation or is given twice.",
    fix: "The detail names the parameter and its rule. Integers are written in plain decimal digits without sign or leading zero.",
  }),
  invalid_body: badRequest({
    title: "Invalid request body",
    detail: "the request body is not valid",
    cause:
      "The body is missing, is not UTF-8 JSON sent as application/json, or does not follow the schema of the operation.",
    fix: "The detail names the property and its rule. Compare the body with the examples of the operation.",
  }),
  invalid_range: badRequest({
    title: "Invalid range",
    detail: "the range of dates is not valid",
    cause: "The first date lies after the last, a date lies in the future, or the exported day is not over yet.",
    fix: "Send UTC dates as YYYY-MM-DD with `from` not after `to` and `to` not after today. Export only days before today.",
  }),
  window_too_large: badRequest({
    title: "Window too large",
    detail: "the window spans too many days",
    cause: "The dates span more days than the operation reads at once.",
    fix: "Ask for consecutive windows, each within the documented maximum.",
  }),
  batch_limit_exceeded: badRequest({
    title: "Batch limit exceeded",
    detail: "the batch has too many entries",
    cause: "The batch names more entries than one request may.",
    fix: "Send at most 100 entries per request.",
  }),
  invalid_cursor: badRequest({
    title: "Invalid cursor",
    detail: "query parameter `after`: is not a cursor of this service",
    cause: "The cursor was not made by this server, or was altered.",
    fix: "Pass `meta.next_page` unchanged as `after`. Begin again without `after` if it is lost.",
  }),
  cursor_mismatch: badRequest({
    title: "Cursor mismatch",
    detail: "query parameter `after`: belongs to another operation or to other filters",
    cause:
      "The cursor is genuine, but it was made by another operation, or the filters, dates, item or mode beside it are not those of its first page.",
    fix: "Pass it only to the operation that made it. Keep the filters unchanged or leave them out; the cursor remembers them.",
  }),
  unknown_provider: badRequest({
    title: "Unknown provider",
    detail: "query parameter `provider`: no such provider, see GET /v1/providers",
    cause: "No marketplace has this slug.",
    fix: "Use an exact slug out of GET /v1/providers.",
  }),
  unknown_methodology_version: badRequest({
    title: "Unknown methodology version",
    detail: "query parameter `methodology_version`: no such version",
    cause: "Nothing was calculated by a methodology of this version.",
    fix: "Use a version that a row or a current calculation states, or leave the parameter out.",
  }),
  credential_in_url: badRequest({
    title: "Credential in the URL",
    detail: "the URL holds an API key; send it in the Authorization header only, and rotate this key",
    cause: "The URL holds something that looks like an API key. URLs end up in logs and histories.",
    fix: "Rotate the key, because it may have been recorded, and send the new one as Authorization: Bearer only.",
  }),
  invalid_api_key: unauthorized({
    title: "Invalid API key",
    detail: "header `Authorization`: needs a valid key as Bearer credential",
    cause: "No key was sent, or it is not a key of this service.",
    fix: "Send Authorization: Bearer followed by one space and the key, exactly as it was shown.",
  }),
  expired_api_key: unauthorized({
    title: "Expired API key",
    detail: "header `Authorization`: the key has expired; create a new one",
    cause: "Keys live for 7, 30 or 90 days; the time of this one is over.",
    fix: "Create a new key.",
  }),
  revoked_api_key: unauthorized({
    title: "Revoked API key",
    detail: "header `Authorization`: the key was revoked; create a new one",
    cause: "The owner of the account disabled this key for good.",
    fix: "Create a new key.",
  }),
  plan_upgrade_required: forbidden({
    title: "Plan upgrade required",
    detail: "this operation needs a paid plan",
    cause: "The account's plan does not include this operation, or not with these parameters.",
    fix: "Buy a plan that includes it, or keep to what the current plan reads. A prepaid plan ends after 30 days.",
  }),
  insufficient_scope: forbidden({
    title: "Insufficient scope",
    detail: "the key lacks the scope of this operation",
    cause: "The key is valid but was not given the scope of this operation.",
    fix: "Use a key with that scope; the WWW-Authenticate header names it. Project keys, made at /dashboard/keys/new, have market:read. Personal tokens, made at /dashboard/tokens/new, have portfolio:read.",
  }),
  account_disabled: forbidden({
    title: "Account disabled",
    detail: "the account of this key is disabled",
    cause: "The account that owns the key was disabled.",
    fix: "Ask the operator of the service, naming the account id.",
  }),
  item_not_found: notFound("Item not found", "path parameter `item_id`: no such item", "item", "GET /v1/items"),
  openable_not_found: notFound("Openable not found", "path parameter `slug`: no such openable", "openable", "its list"),
  index_not_found: notFound(
    "Index not found",
    "path parameter `index_id`: no such index",
    "index",
    "`GET /v1/indexes`",
  ),
  currency_not_found: notFound(
    "Currency not found",
    "path parameter `currency`: no such currency",
    "currency",
    "`GET /v1/exchange-rates`",
  ),
  portfolio_not_found: notFound(
    "Portfolio not found",
    "path parameter `portfolio_id`: no such portfolio",
    "portfolio that this token may read",
    "its list",
  ),
  generation_not_found: notFound(
    "Generation not found",
    "path parameter `generation`: no such generation",
    "generation, or the next one was published over 30 days ago",
    "the `generation` of quotes or of an export",
  ),
  changes_too_large: {
    status: 404,
    title: "Changes too large",
    detail: "more than half of an export has changed since",
    cause:
      "The changes since the named state have more than half of the bytes of an export. The read was admitted and costs its monthly unit.",
    fix: "Take an export with POST /v1/markets/snapshot and continue from its state.",
    retry: unchanged,
    retryAfterS: null,
  },
  day_not_found: notFound(
    "Day not found",
    "path parameter `date`: no such sealed day",
    "sealed day, or the hours of the day were removed from the server",
    "`GET /v1/history/days`",
  ),
  endpoint_not_found: {
    status: 404,
    title: "Endpoint not found",
    detail: "no operation answers this method and path",
    cause:
      "There is nothing at this path, or not with this method. With a wrong method, the Allow header names the right ones.",
    fix: "Compare method and path with /openapi.json. Paths have no trailing slash.",
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
    cause: "All keys of the account together have sent as many requests as the plan admits in a minute.",
    fix: "Spread the requests; X-RateLimit-Limit and X-RateLimit-Remaining tell the pace.",
  }),
  monthly_quota_exceeded: {
    ...tooMany({
      title: "Monthly quota exceeded",
      detail: "the account has used its requests of this UTC calendar month",
      cause: "The account has used all requests that its plan admits in a UTC calendar month.",
      fix: "Wait for the next month or change to a larger plan; neither further keys nor buying the same plan again reset the month.",
    }),
    retry: "Not in a loop. The month begins anew after the seconds in Retry-After.",
  },
  snapshot_busy: tooMany({
    title: "Export already running",
    detail: "the account already has an active export",
    cause: "An account runs one market export at a time, over all its keys.",
    fix: "Let the running export end. One that broke off frees its place by its deadline of two minutes at the latest.",
  }),
  snapshot_capacity: tooMany({
    title: "No export slot free",
    detail: refusalDetails.snapshot_capacity,
    cause: "The service runs a fixed number of market exports at once, and all places are taken.",
    fix: "Try again a little later.",
  }),
  snapshot_daily_limit: tooMany({
    title: "Export starts exhausted",
    detail: "the account has used its export starts of the last 24 hours",
    cause: "The plan admits a fixed number of export starts in any 24 hours.",
    fix: "Wait until the oldest start is 24 hours old; GET /v1/usage tells when the next one is free.",
  }),
  changes_busy: tooMany({
    title: "Changes already streaming",
    detail: refusalDetails.changes_busy,
    cause: "An account runs one stream of changes at a time, over all its keys.",
    fix: "Let the running stream end. One that broke off frees its place by its deadline of two minutes at the latest.",
  }),
  changes_capacity: tooMany({
    title: "No slot for changes free",
    detail: refusalDetails.changes_capacity,
    cause: "The service runs a fixed number of streams of changes at once, and all places are taken.",
    fix: "Try again a little later.",
  }),
  waiting_limit: tooMany({
    title: "Too many waiting requests",
    detail: refusalDetails.waiting_limit,
    cause: "All keys of the account together have as many requests waiting for the next generation as an account may.",
    fix: "Let one of them end. One request that waits is enough for a program.",
  }),
  snapshot_unavailable: unavailable(30, {
    title: "Market export unavailable",
    detail: "no generation of quotes is published",
    cause: "There is no published generation of quotes to export. Nothing was streamed.",
    fix: "Watch market_snapshot in GET /v1/status.",
  }),
  data_unavailable: unavailable(30, {
    title: "Data unavailable",
    detail: "no generation of quotes is published",
    cause: "The data that this operation reads has not been published yet.",
    fix: "Watch market_snapshot in GET /v1/status.",
  }),
  service_unavailable: unavailable(1, {
    title: "Service unavailable",
    detail: "the service cannot answer now; retry after the stated time",
    cause:
      "The service is overloaded, is shutting down, or met something unexpected that its operator can look up by request_id.",
    fix: "Retry with backoff. If it goes on, tell the operator the request_id.",
  }),
} as const satisfies Record<ErrorCode, ProblemEntry>;

/** Codes of the `error` record that ends an interrupted export after HTTP 200. They have pages but are never a status. */
export const streamProblems = {
  snapshot_changed: {
    title: "Export changed",
    cause: "A new generation of quotes was published while the export ran. No `end` record follows.",
    fix: "Discard the partial data.",
    retry: "Yes, the whole export, after a pause and a bounded number of times. This start counts.",
  },
  snapshot_interrupted: {
    title: "Export interrupted",
    cause:
      "The export failed, met its deadline of two minutes, or the service is shutting down. No `end` record follows.",
    fix: "Discard the partial data. If it was the deadline, read the stream faster.",
    retry: "Yes, the whole export, after a pause and a bounded number of times. This start counts.",
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
    cause: `There is no such ${noun}. The read was admitted and costs its monthly unit.`,
    fix: `Take the identifier from ${where}.`,
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
