// Made from src/client and openapi.yaml by `npm run generate`; edit those instead.
// @ts-self-types="./itemtape.d.ts"

// src/client/errors.ts
var ItemtapeError = class extends Error {
  name = "ItemtapeError";
  code;
  status;
  detail;
  requestId;
  retryAfterMs;
  problem;
  attempts;
  constructor(message, facts) {
    super(message);
    this.code = facts.problem?.code ?? null;
    this.status = facts.status;
    this.detail = facts.problem?.detail ?? null;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.problem = facts.problem;
    this.attempts = facts.attempts;
  }
};
var TransportError = class extends Error {
  name = "TransportError";
  reason;
  attempts;
  requestId;
  constructor(reason, message, facts = {}) {
    super(message, causeOf(facts.cause));
    this.reason = reason;
    this.attempts = facts.attempts ?? 0;
    this.requestId = facts.requestId ?? null;
  }
};
function causeOf(cause) {
  return cause === void 0 || cause === null ? void 0 : { cause };
}
var ExportError = class extends Error {
  name = "ExportError";
  reason;
  requestId;
  line;
  constructor(reason, message, facts = {}) {
    super(message, causeOf(facts.cause));
    this.reason = reason;
    this.requestId = facts.requestId ?? null;
    this.line = facts.line ?? 0;
  }
};

// generated/client-operations.ts
var contractVersion = "0.1.0";
var clientOperations = {
  getStatus: {
    method: "GET",
    path: "/v1/status",
    pathParams: {},
    queryParams: {},
    bodyFields: null,
    required: [],
    isProtected: false,
    paging: null,
    isStream: false
  },
  listContractChanges: {
    method: "GET",
    path: "/v1/changelog",
    pathParams: {},
    queryParams: { limit: "integer", after: "string" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  listProviders: {
    method: "GET",
    path: "/v1/providers",
    pathParams: {},
    queryParams: { limit: "integer", after: "string" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  listItems: {
    method: "GET",
    path: "/v1/items",
    pathParams: {},
    queryParams: { cursor: "integer", limit: "integer", q: "string", item_type: "string", rarity: "string", weapon: "string", wear: "string", phase: "string", stat_counter: "boolean", souvenir: "boolean", provider: "string", ask_min: "integer", ask_max: "integer", item_ids: "integer[]" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: "cursor",
    isStream: false
  },
  resolveItemNames: {
    method: "POST",
    path: "/v1/items/resolve",
    pathParams: {},
    queryParams: {},
    bodyFields: { names: "string[]" },
    required: ["names"],
    isProtected: true,
    paging: null,
    isStream: false
  },
  getItem: {
    method: "GET",
    path: "/v1/items/{item_id}",
    pathParams: { item_id: "integer" },
    queryParams: {},
    bodyFields: null,
    required: ["item_id"],
    isProtected: true,
    paging: null,
    isStream: false
  },
  getMarketPrices: {
    method: "GET",
    path: "/v1/items/{item_id}/markets",
    pathParams: { item_id: "integer" },
    queryParams: { provider: "string" },
    bodyFields: null,
    required: ["item_id"],
    isProtected: true,
    paging: null,
    isStream: false
  },
  getDailyPriceHistory: {
    method: "GET",
    path: "/v1/items/{item_id}/history",
    pathParams: { item_id: "integer" },
    queryParams: { provider: "string", side: "string", from: "string", to: "string", known_at: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: ["item_id"],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  getHourlyPriceHistory: {
    method: "GET",
    path: "/v1/items/{item_id}/history/hourly",
    pathParams: { item_id: "integer" },
    queryParams: { side: "string", provider: "string", from: "string", to: "string", known_at: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: ["item_id"],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  listHistoryDays: {
    method: "GET",
    path: "/v1/history/days",
    pathParams: {},
    queryParams: { limit: "integer", after: "string" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  streamHistoryDay: {
    method: "POST",
    path: "/v1/history/days/{date}/export",
    pathParams: { date: "string" },
    queryParams: {},
    bodyFields: { resolution: "string", revision: "integer" },
    required: ["date", "resolution"],
    isProtected: true,
    paging: null,
    isStream: true
  },
  getMarketPricesBatch: {
    method: "POST",
    path: "/v1/markets/batch",
    pathParams: {},
    queryParams: {},
    bodyFields: { item_ids: "integer[]", provider: "string", side: "string" },
    required: ["item_ids"],
    isProtected: true,
    paging: null,
    isStream: false
  },
  getMarketPricesKnownAt: {
    method: "POST",
    path: "/v1/markets/known",
    pathParams: {},
    queryParams: {},
    bodyFields: { known_at: "string", item_ids: "integer[]", provider: "string", side: "string" },
    required: ["known_at", "item_ids"],
    isProtected: true,
    paging: null,
    isStream: false
  },
  streamMarketSnapshot: {
    method: "POST",
    path: "/v1/markets/snapshot",
    pathParams: {},
    queryParams: {},
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: null,
    isStream: true
  },
  streamMarketChanges: {
    method: "POST",
    path: "/v1/markets/changes",
    pathParams: {},
    queryParams: {},
    bodyFields: { generation: "string", identity_digest: "string" },
    required: ["generation", "identity_digest"],
    isProtected: true,
    paging: null,
    isStream: true
  },
  getCurrentGeneration: {
    method: "GET",
    path: "/v1/markets/generations/current",
    pathParams: {},
    queryParams: { after: "string", wait_seconds: "integer" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: null,
    isStream: false
  },
  getGeneration: {
    method: "GET",
    path: "/v1/markets/generations/{generation}",
    pathParams: { generation: "string" },
    queryParams: {},
    bodyFields: null,
    required: ["generation"],
    isProtected: true,
    paging: null,
    isStream: false
  },
  listIndexes: {
    method: "GET",
    path: "/v1/indexes",
    pathParams: {},
    queryParams: { limit: "integer", after: "string" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  getIndex: {
    method: "GET",
    path: "/v1/indexes/{index_id}",
    pathParams: { index_id: "string" },
    queryParams: {},
    bodyFields: null,
    required: ["index_id"],
    isProtected: true,
    paging: null,
    isStream: false
  },
  getIndexHistory: {
    method: "GET",
    path: "/v1/indexes/{index_id}/history",
    pathParams: { index_id: "string" },
    queryParams: { from: "string", to: "string", methodology_version: "string", known_at: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: ["index_id"],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  listIndexMembers: {
    method: "GET",
    path: "/v1/indexes/{index_id}/members",
    pathParams: { index_id: "string" },
    queryParams: { membership_version: "integer", limit: "integer", after: "string" },
    bodyFields: null,
    required: ["index_id"],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  listExchangeRates: {
    method: "GET",
    path: "/v1/exchange-rates",
    pathParams: {},
    queryParams: { currency: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  getExchangeRateHistory: {
    method: "GET",
    path: "/v1/exchange-rates/{currency}/history",
    pathParams: { currency: "string" },
    queryParams: { from: "string", to: "string", known_at: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: ["currency"],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  listOpenables: {
    method: "GET",
    path: "/v1/openables",
    pathParams: {},
    queryParams: { valuation_mode: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  getOpenable: {
    method: "GET",
    path: "/v1/openables/{slug}",
    pathParams: { slug: "string" },
    queryParams: { valuation_mode: "string" },
    bodyFields: null,
    required: ["slug"],
    isProtected: true,
    paging: null,
    isStream: false
  },
  getOpenableHistory: {
    method: "GET",
    path: "/v1/openables/{slug}/history",
    pathParams: { slug: "string" },
    queryParams: { from: "string", to: "string", granularity: "string", valuation_mode: "string", methodology_version: "string", known_at: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: ["slug"],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  listOpenableOutcomes: {
    method: "GET",
    path: "/v1/openables/{slug}/outcomes",
    pathParams: { slug: "string" },
    queryParams: { valuation_mode: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: ["slug"],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  listDataEvents: {
    method: "GET",
    path: "/v1/data-events",
    pathParams: {},
    queryParams: { kind: "string", feed: "string", provider: "string", from: "string", to: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  getUsage: {
    method: "GET",
    path: "/v1/usage",
    pathParams: {},
    queryParams: {},
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: null,
    isStream: false
  },
  listPortfolios: {
    method: "GET",
    path: "/v1/me/portfolios",
    pathParams: {},
    queryParams: { limit: "integer", after: "string" },
    bodyFields: null,
    required: [],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  getPortfolio: {
    method: "GET",
    path: "/v1/me/portfolios/{portfolio_id}",
    pathParams: { portfolio_id: "string" },
    queryParams: {},
    bodyFields: null,
    required: ["portfolio_id"],
    isProtected: true,
    paging: null,
    isStream: false
  },
  listPortfolioHoldings: {
    method: "GET",
    path: "/v1/me/portfolios/{portfolio_id}/holdings",
    pathParams: { portfolio_id: "string" },
    queryParams: { limit: "integer", after: "string" },
    bodyFields: null,
    required: ["portfolio_id"],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  listPortfolioTransactions: {
    method: "GET",
    path: "/v1/me/portfolios/{portfolio_id}/transactions",
    pathParams: { portfolio_id: "string" },
    queryParams: { from: "string", to: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: ["portfolio_id"],
    isProtected: true,
    paging: "after",
    isStream: false
  },
  getPortfolioHistory: {
    method: "GET",
    path: "/v1/me/portfolios/{portfolio_id}/history",
    pathParams: { portfolio_id: "string" },
    queryParams: { from: "string", to: "string", limit: "integer", after: "string" },
    bodyFields: null,
    required: ["portfolio_id"],
    isProtected: true,
    paging: "after",
    isStream: false
  }
};

// src/values/text/display-text.ts
var displayCharsMax = 120;
var unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
function displayText(text2, charsMax = displayCharsMax) {
  const safe = text2.replace(unsafe, "?");
  return safe.length > charsMax ? `${safe.slice(0, charsMax)}…` : safe;
}

// src/client/redaction.ts
var replyCharsMax = 300;
var keyPattern = /itemtape_(?:live|pat)_[0-9A-Za-z]{6,}/;
function displayReply(text2, apiKey) {
  return displayText(withoutKey(text2, apiKey), replyCharsMax);
}
function withoutKey(text2, apiKey) {
  return apiKey === null ? text2 : text2.replaceAll(apiKey, "[key]");
}
function decompressionFault(error) {
  const { cause } = error;
  const code = String(cause?.code);
  return /^(?:Z_(?!BUF_ERROR$)|ERR__ERROR_)/.test(code) ? code : null;
}
function holdsKey(text2, apiKey) {
  return keyPattern.test(text2) || apiKey !== null && text2.includes(apiKey);
}

// src/values/time/backoff.ts
function backoffMs(failures, { firstMs: firstMs2, maxMs }) {
  return Math.min(maxMs, firstMs2 * 2 ** Math.min(failures - 1, 20));
}

// src/client/retry.ts
var firstMs = 500;
var exportRetry = { firstMs: 1e3, maxMs: 3e4 };
var jitterMsLeast = 250;
var jitterShare = 0.1;
var secondMs = 1e3;
var monthUsedUp = "monthly_quota_exceeded";
var datePatterns = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/
];
function waitMsFor(refused, attempt, leftMs, { policy, random }) {
  if (refused.status !== 429 && refused.status !== 503 || refused.code === monthUsedUp) return null;
  if (attempt >= policy.attemptsMax) return null;
  const askedMs = refused.retryAfterMs ?? 0;
  const leastMs = askedMs > 0 ? askedMs : backoffMs(attempt, { firstMs, maxMs: policy.waitMsMax });
  if (leastMs > policy.waitMsMax || leastMs >= leftMs) return null;
  const jitterMs = askedMs > 0 ? Math.max(jitterMsLeast, askedMs * jitterShare) : leastMs;
  return Math.floor(leastMs + random() * Math.min(jitterMs, (leftMs - leastMs) / 2));
}
function isUnavailable(error) {
  if (error instanceof ItemtapeError) return error.status >= 500 && error.code === null;
  return error instanceof TransportError && (error.reason === "unreachable" || error.reason === "timeout");
}
function pauseMsFor(attempt, random) {
  const leastMs = backoffMs(attempt, exportRetry);
  return Math.floor(leastMs + random() * leastMs);
}
function retryAfterMsOf(headers, nowMs) {
  const text2 = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text2)) return Math.min(Number(text2) * secondMs, Number.MAX_SAFE_INTEGER);
  const atMs = dateOf(text2);
  if (atMs === null) return null;
  return Math.max(0, atMs - (dateOf(headers.get("date") ?? "") ?? nowMs));
}
function dateOf(text2) {
  const form = datePatterns.findIndex((pattern) => pattern.test(text2));
  if (form === -1) return null;
  const atMs = Date.parse(form === 2 ? `${text2} GMT` : text2);
  return Number.isNaN(atMs) ? null : atMs;
}

// src/client/answer.ts
var bodyBytesMax = 32 * 1024 * 1024;
var problemBytesMax = 64 * 1024;
async function bodyOf({ address }, response, bytesMax = bodyBytesMax) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new TransportError("too_large", `${address}: the answer is larger than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return joined(chunks, bytes);
}
function joined(chunks, bytes) {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
async function rawAnswerOf(outgoing, response, attempts) {
  const { headers } = response;
  return {
    status: response.status === 304 ? 304 : 200,
    address: outgoing.address,
    body: await bodyOf(outgoing, response),
    etag: headers.get("etag"),
    allowance: allowanceOf(headers),
    requestId: headers.get("x-request-id"),
    attempts
  };
}
function listOf(outgoing, raw) {
  const answer = answerOf(outgoing, raw);
  if (Array.isArray(answer.data)) return answer;
  throw broken(outgoing, "`data` must be an array", { attempts: raw.attempts, requestId: answer.requestId });
}
function answerOf(outgoing, raw) {
  const { data, meta } = envelopeOf(outgoing, raw);
  const { request_id: requestId2 } = meta;
  if (typeof requestId2 !== "string") throw broken(outgoing, "`meta.request_id` is missing", raw);
  if (raw.requestId !== null && raw.requestId !== requestId2) {
    throw broken(outgoing, "X-Request-Id and `meta.request_id` name different requests", raw);
  }
  const { etag, allowance } = raw;
  return { status: 200, data, meta, etag, allowance, requestId: requestId2 };
}
function envelopeOf(outgoing, raw) {
  const whole = jsonOf(raw.body);
  if (whole === void 0) throw broken(outgoing, "it is not JSON in UTF-8", raw);
  const { data, meta } = isRecord(whole) ? whole : {};
  if (!isRecord(meta) || !(isRecord(data) || Array.isArray(data))) {
    throw broken(outgoing, "it must have `data` and `meta`", raw);
  }
  return { data, meta };
}
function refuseOther(outgoing, response, mediaType, apiKey) {
  const { status, headers } = response;
  if (status === 304 && outgoing.headers["if-none-match"] !== void 0) return;
  if (status !== 200) throw broken(outgoing, `HTTP ${status} is not in the contract`);
  const contentType = headers.get("content-type") ?? "";
  if ((contentType.split(";")[0] ?? "").trim().toLowerCase() !== mediaType) {
    throw broken(
      outgoing,
      `its content type is ${contentType === "" ? "absent" : displayReply(contentType, apiKey)}, not ${mediaType}`
    );
  }
}
function refuseRedirect({ address }, response, apiKey) {
  const isRedirect = response.type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(response.status);
  if (!isRedirect) return;
  const target = displayReply(response.headers.get("location") ?? "nowhere", apiKey);
  throw new TransportError("redirect", `${address}: redirects to ${target}, which is not followed`);
}
async function refusalOf(outgoing, response, facts) {
  const { status, headers } = response;
  const problem = problemOf(headers.get("content-type") ?? "", await problemBytes(outgoing, response), facts.apiKey);
  const explanation = problem === null ? "without a problem record" : `\`${problem.code}\`: ${displayReply(problem.detail ?? problem.title, facts.apiKey)}`;
  return new ItemtapeError(`${outgoing.address}: HTTP ${status}, ${explanation}`, {
    status,
    problem,
    requestId: problem?.request_id || headers.get("x-request-id"),
    retryAfterMs: retryAfterMsOf(headers, facts.nowMs),
    attempts: facts.attempts
  });
}
async function problemBytes(outgoing, response) {
  try {
    return await bodyOf(outgoing, response, problemBytesMax);
  } catch (error) {
    if (error instanceof TransportError && error.reason === "too_large") return new Uint8Array();
    throw error;
  }
}
function problemOf(mediaType, body, apiKey) {
  const whole = /\bjson\b/i.test(mediaType) ? jsonOf(body) : void 0;
  if (!isRecord(whole)) return null;
  const clean = (value) => typeof value === "string" ? withoutKey(value, apiKey).slice(0, 2e3) : void 0;
  const { code, request_id: sentId } = whole;
  if (typeof code !== "string" || !/^[a-z_]{1,200}$/.test(code) || holdsKey(code, null)) return null;
  const requestId2 = typeof sentId === "string" && /^req_[0-9a-z]{26}$/.test(sentId) ? sentId : clean(sentId) ?? "";
  const [title, type, detail] = [whole.title, whole.type, whole.detail].map(clean);
  return {
    type: type ?? `/problems/${code}`,
    title: title ?? code,
    status: typeof whole.status === "number" ? whole.status : 0,
    ...detail === void 0 ? {} : { detail },
    code,
    request_id: requestId2
  };
}
function allowanceOf(headers) {
  const number = (name) => {
    const text2 = headers.get(name) ?? "";
    return /^\d{1,15}$/.test(text2) ? Number(text2) : null;
  };
  return {
    limitPerMinute: number("x-ratelimit-limit"),
    remainingInMinute: number("x-ratelimit-remaining"),
    quotaRemaining: number("x-quota-remaining")
  };
}
function broken({ address, operationId }, why, { attempts, requestId: requestId2 } = {}) {
  return new TransportError("broken", `${address}: not an answer of ${operationId}: ${why}`, { attempts, requestId: requestId2 });
}
function jsonOf(body) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return void 0;
  }
}
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/client/options.ts
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var isPauseMs = (value) => Number.isInteger(value) && Number(value) >= 1e3 && Number(value) <= 864e5;
var aFunction = [(value) => typeof value === "function", "a function"];
var anObject = [isObject, "an object"];
var anything = [() => true, ""];
var signal = [(value) => value instanceof AbortSignal, "an AbortSignal"];
var list = { signal, retry: anObject };
var stream = { ...list, streamMs: anything, onProgress: aFunction };
var kinds = {
  "the client": {
    baseUrl: anything,
    apiKey: anything,
    userAgent: anything,
    retry: anObject,
    onRetry: aFunction,
    fetch: aFunction,
    parts: anObject
  },
  parts: { clock: anObject, random: aFunction, wait: aFunction },
  "a call": {
    ...list,
    ifNoneMatch: [(value) => value === null || typeof value === "string", "the `etag` of an answer"]
  },
  "a list": list,
  "a stream": stream,
  "a copy": {
    ...stream,
    since: [(value) => value === null || isObject(value), "a market"],
    pauseMs: [isPauseMs, "a whole number of ms from 1000 to 86400000"],
    refusals: [(value) => value === "wait" || value === "throw", '"wait" or "throw"']
  },
  "an export": {
    ...stream,
    attempts: anything,
    digest: [(value) => value === "check" || value === "skip", '"check" or "skip"']
  }
};
function checkOptions(kind, options) {
  const known = kinds[kind];
  if (!isObject(options)) throw new TypeError(`${kind}: the options must be an object`);
  for (const [name, value] of Object.entries(options)) {
    const check2 = Object.hasOwn(known, name) ? known[name] : void 0;
    if (check2 === void 0)
      throw new TypeError(`${kind} has no option ${name}; it has ${Object.keys(known).join(", ")}`);
    if (value !== void 0 && !check2[0](value)) throw new TypeError(`${name}: must be ${check2[1]}`);
  }
}

// src/client/paging.ts
var cursorCharactersMax = 512;
var itemIdMax = 2147483647;
var Pager = class {
  #operationId;
  #paging;
  #seen = /* @__PURE__ */ new Set();
  #cursor;
  constructor(operationId, params) {
    const paging = Object.hasOwn(clientOperations, operationId) ? clientOperations[operationId].paging : null;
    if (paging === null) throw new TypeError(`${operationId}: has no pages`);
    this.#operationId = operationId;
    this.#paging = paging;
    this.#cursor = typeof params.cursor === "number" ? params.cursor : -1;
    if (typeof params.after === "string") this.#seen.add(params.after);
  }
  next(meta) {
    return this.#paging === "cursor" ? this.#byCursor(meta) : this.#byAfter(meta);
  }
  #byCursor(meta) {
    const { next_cursor: cursor } = meta;
    if (cursor === null) return null;
    if (typeof cursor !== "number" || !Number.isInteger(cursor) || cursor < 0 || cursor > itemIdMax) {
      throw this.#broken("`meta.next_cursor` is neither an item id nor null");
    }
    if (cursor <= this.#cursor) throw this.#broken("`meta.next_cursor` does not advance");
    this.#cursor = cursor;
    return { cursor };
  }
  #byAfter(meta) {
    const { next_page: after } = meta;
    if (after === null) return null;
    if (typeof after !== "string" || after === "" || after.length > cursorCharactersMax) {
      throw this.#broken("`meta.next_page` is neither a cursor nor null");
    }
    if (this.#seen.has(after)) throw this.#broken("`meta.next_page` is repeated");
    this.#seen.add(after);
    return { after };
  }
  #broken(why) {
    return new TransportError("paging", `${this.#operationId}: the list does not end: ${why}`);
  }
};

// src/client/request.ts
var waitSecondsMax = 30;
function requestOf(settings, operationId, params, ifNoneMatch) {
  const operation = tableEntry(operationId);
  const given = Object.entries(params).filter(([, value]) => value !== void 0);
  check(settings, operationId, operation, given);
  const body = bodyOf2(operation, given);
  return {
    operationId,
    method: operation.method,
    address: addressOf(settings.base, operation, given),
    headers: {
      ...settings.apiKey === null || !operation.isProtected ? {} : { authorization: `Bearer ${settings.apiKey}` },
      accept: `${operation.isStream ? "application/x-ndjson" : "application/json"}, application/problem+json`,
      // A compressed market has a fifteenth of the size, and costs the service less. `fetch` decompresses it.
      ...operation.isStream ? { "accept-encoding": "gzip" } : {},
      "user-agent": settings.userAgent,
      ...body === null ? {} : { "content-type": "application/json" },
      ...ifNoneMatch === void 0 || ifNoneMatch === null ? {} : { "if-none-match": tagOf(ifNoneMatch) }
    },
    body,
    waitMs: "wait_seconds" in operation.queryParams ? waitMsOf(params.wait_seconds) : 0
  };
}
function tableEntry(operationId) {
  if (Object.hasOwn(clientOperations, operationId)) return clientOperations[operationId];
  throw new TypeError(`the contract has no operation ${operationId}`);
}
function check(settings, operationId, operation, given) {
  const missing = operation.required.find((name) => !given.some(([one]) => one === name));
  if (missing !== void 0) throw new TypeError(`${operationId}: the parameter \`${missing}\` is missing`);
  for (const [name, value] of given) {
    const kind = kindOf(operation, name);
    if (kind === null) throw new TypeError(`${operationId}: has no parameter \`${name}\``);
    if (!isOfKind(kind, value))
      throw new TypeError(`${operationId}: the parameter \`${name}\` must be ${kindDescriptions[kind]}`);
    if ([value].flat().some((one) => typeof one === "string" && holdsKey(one, settings.apiKey))) {
      const place = Array.isArray(value) ? "body" : "URL";
      throw new TypeError(
        `${operationId}: the parameter \`${name}\` contains an API key, which must never be in a ${place}`
      );
    }
  }
}
var kindDescriptions = {
  integer: "an integer",
  string: "a string of well-formed Unicode",
  boolean: "true or false",
  "integer[]": "a list of integers",
  "string[]": "a list of strings"
};
function kindOf({ pathParams, queryParams, bodyFields }, name) {
  const kinds2 = [pathParams, queryParams, bodyFields ?? {}].find((place) => Object.hasOwn(place, name));
  return kinds2?.[name] ?? null;
}
function isOfKind(kind, value) {
  if (kind === "integer[]") return Array.isArray(value) && [...value].every((one) => isOfKind("integer", one));
  if (kind === "string[]") return Array.isArray(value) && [...value].every((one) => isOfKind("string", one));
  if (kind === "integer") return Number.isSafeInteger(value);
  if (kind === "boolean") return typeof value === "boolean";
  return typeof value === "string" && !new RegExp("\\p{Cs}", "u").test(value);
}
function addressOf(base, operation, given) {
  const values = new Map(given);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => segmentOf(name, String(values.get(name))));
  const address = new URL(base);
  address.pathname = base.pathname.replace(/\/+$/, "") + path;
  address.search = given.filter(([name]) => Object.hasOwn(operation.queryParams, name)).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return address.href;
}
function segmentOf(name, value) {
  if (value === "" || value === "." || value === "..") {
    throw new TypeError(`the parameter \`${name}\` must be a name, not ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}
function waitMsOf(seconds) {
  return Math.min(Math.max(0, Number(seconds ?? 0)), waitSecondsMax) * 1e3;
}
function bodyOf2({ bodyFields }, given) {
  if (bodyFields === null) return null;
  return JSON.stringify(Object.fromEntries(given.filter(([name]) => Object.hasOwn(bodyFields, name))));
}
function tagOf(text2) {
  if (/^(?:W\/)?"[!#-~]{0,200}"$/.test(text2)) return text2;
  throw new TypeError("ifNoneMatch: must be the `etag` of an answer");
}

// src/values/chance.ts
var twoToThe32nd = 2 ** 32;
function systemChance() {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number / twoToThe32nd;
}

// src/values/time/clock.ts
var systemClock = { now: () => Date.now(), monotonicMs: () => performance.now() };

// src/client/settings.ts
var defaultBase = "http://127.0.0.1:8080";
var defaultPolicy = { attemptsMax: 5, totalMs: 9e4, answerMs: 3e4, waitMsMax: 6e4 };
var policyBounds = {
  attemptsMax: 100,
  totalMs: 864e5,
  answerMs: 864e5,
  waitMsMax: 864e5
};
var visible = /^[!-~]{1,200}$/;
var printable = /^[ -~]{1,200}$/;
function settingsOf(options) {
  checkOptions("the client", options);
  const { apiKey = null, userAgent = `itemtape-client/${contractVersion}`, fetch, onRetry, parts = {} } = options;
  checkOptions("parts", parts);
  if (apiKey !== null && !(typeof apiKey === "string" && visible.test(apiKey))) {
    throw new TypeError("apiKey: must be 1 to 200 visible ASCII characters");
  }
  if (!(typeof userAgent === "string" && printable.test(userAgent)))
    throw new TypeError("userAgent: must be 1 to 200 ASCII characters");
  return {
    base: baseOf(options.baseUrl ?? defaultBase, apiKey),
    apiKey,
    policy: policyOf(defaultPolicy, options.retry),
    onRetry: onRetry ?? (() => void 0),
    userAgent,
    // Looked up at each call, so that a later replacement of the global `fetch` is used.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    parts: {
      clock: parts.clock ?? systemClock,
      random: parts.random ?? systemChance,
      wait: parts.wait ?? wait
    }
  };
}
function policyOf(policy, changes) {
  const merged = { ...policy };
  for (const [name, value] of Object.entries(changes ?? {})) {
    if (value === void 0) continue;
    const max = Object.hasOwn(policyBounds, name) ? policyBounds[name] : void 0;
    if (max === void 0) throw new TypeError(`retry: has no setting ${name}`);
    if (!Number.isInteger(value) || value < 1 || value > max) {
      throw new TypeError(`retry.${name}: must be a whole number from 1 to ${max}`);
    }
    merged[name] = value;
  }
  return merged;
}
function baseOf(text2, apiKey) {
  const base = URL.canParse(text2) ? new URL(text2) : null;
  const isHttp = base?.protocol === "http:" || base?.protocol === "https:";
  if (base === null || !isHttp || `${base.username}${base.password}${base.search}${base.hash}` !== "") {
    throw new TypeError(
      `baseUrl: must be an http or https address such as ${defaultBase}, without user, query or fragment`
    );
  }
  if (holdsKey(base.href, apiKey)) throw new TypeError("baseUrl: contains an API key, which must never be in a URL");
  return base;
}
function wait(ms, signal2) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal2.reason);
    };
    const timer = setTimeout(() => {
      signal2.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal2.aborted) stop();
    else signal2.addEventListener("abort", stop, { once: true });
  });
}

// src/client/deadline.ts
var Deadline = class {
  #controller = new AbortController();
  #outer;
  #timer;
  constructor(outer) {
    outer?.throwIfAborted();
    this.#outer = outer;
    if (outer !== void 0) follow(outer, this.#controller);
  }
  get signal() {
    return this.#controller.signal;
  }
  within(ms, late) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(late()), Math.max(1, Math.ceil(ms)));
  }
  lift() {
    clearTimeout(this.#timer);
  }
  close(abort = false) {
    clearTimeout(this.#timer);
    if (this.#outer !== void 0) leave(this.#outer, this.#controller);
    if (abort) this.#controller.abort();
  }
};
var followersOf = /* @__PURE__ */ new WeakMap();
function follow(signal2, controller) {
  const present = followersOf.get(signal2);
  if (present !== void 0) {
    present.controllers.add(controller);
    return;
  }
  const controllers = /* @__PURE__ */ new Set([controller]);
  const onAbort = () => {
    for (const one of controllers) one.abort(signal2.reason);
  };
  followersOf.set(signal2, { controllers, onAbort });
  signal2.addEventListener("abort", onAbort, { once: true });
}
function leave(signal2, controller) {
  const followers = followersOf.get(signal2);
  if (followers === void 0 || !followers.controllers.delete(controller) || followers.controllers.size > 0) return;
  followersOf.delete(signal2);
  signal2.removeEventListener("abort", followers.onAbort);
}

// src/client/transport.ts
var secondMs2 = 1e3;
var Transport = class {
  #settings;
  constructor(settings) {
    this.#settings = settings;
  }
  async read(outgoing, options) {
    const { response, deadline, sending } = await this.open(outgoing, options, "application/json");
    try {
      return await rawAnswerOf(outgoing, response, sending.attempts);
    } catch (error) {
      throw this.#failureOf(outgoing, error, deadline, { sending, response });
    } finally {
      deadline.close();
    }
  }
  async open(outgoing, options, mediaType, mayRetry = () => true) {
    const { parts, onRetry, policy } = this.#settings;
    const { answerMs, totalMs, ...others } = policyOf(policy, options.retry);
    const { waitMs: heldMs } = outgoing;
    const sending = {
      policy: { ...others, answerMs: answerMs + heldMs, totalMs: totalMs + heldMs },
      startedMs: parts.clock.monotonicMs(),
      signal: options.signal,
      attempts: 0,
      refusal: null
    };
    for (let attempt = 1; ; attempt += 1) {
      const opened = await this.#attempt(outgoing, sending, mediaType);
      if (!(opened instanceof ItemtapeError)) return opened;
      const leftMs = this.#leftMs(sending);
      const waitMs2 = waitMsFor(opened, attempt, leftMs, { policy: sending.policy, random: parts.random });
      if (waitMs2 === null || !mayRetry(opened)) throw opened;
      const { operationId } = outgoing;
      onRetry({ operationId, status: opened.status, code: opened.code, waitMs: waitMs2, attempt });
      sending.refusal = opened;
      await this.wait(waitMs2, options.signal);
    }
  }
  async wait(ms, outer) {
    const deadline = new Deadline(outer);
    try {
      await this.#settings.parts.wait(ms, deadline.signal);
    } finally {
      deadline.close();
    }
    outer?.throwIfAborted();
  }
  #failureOf({ address }, error, deadline, { sending, response }) {
    const { signal: signal2 } = deadline;
    const failure = signal2.aborted ? signal2.reason : error;
    deadline.close(true);
    const { attempts, refusal } = sending;
    const requestId2 = response?.headers.get("x-request-id");
    if (failure instanceof TransportError) {
      const { reason, message: message2, cause: cause2 = refusal } = failure;
      return new TransportError(reason, message2, { cause: cause2, attempts, requestId: requestId2 });
    }
    if (signal2.reason === failure || failure instanceof ItemtapeError) return failure;
    const undone = decompressionFault(failure);
    if (undone !== null) {
      const message2 = `${address}: the answer cannot be decompressed (${undone})`;
      return new TransportError("broken", message2, { cause: failure, attempts, requestId: requestId2 });
    }
    const { name, cause } = failure;
    if (cause?.data !== void 0) delete cause.data;
    const why = displayReply(String(cause?.code ?? cause?.message ?? name), this.#settings.apiKey);
    const message = `${address}: the server cannot be reached or closed the connection (${why})`;
    return new TransportError("unreachable", message, { cause: failure, attempts, requestId: requestId2 });
  }
  async #attempt(outgoing, sending, mediaType) {
    const deadline = new Deadline(sending.signal);
    let response = null;
    try {
      this.#limit(outgoing, sending, deadline);
      sending.attempts += 1;
      response = await this.#fetch(outgoing, deadline.signal);
      const { apiKey } = this.#settings;
      refuseRedirect(outgoing, response, apiKey);
      if (response.status >= 400) {
        const nowMs = this.#settings.parts.clock.now();
        const refusal = await refusalOf(outgoing, response, { apiKey, nowMs, attempts: sending.attempts });
        deadline.close();
        return refusal;
      }
      refuseOther(outgoing, response, mediaType, apiKey);
      return { response, deadline, sending };
    } catch (error) {
      throw this.#failureOf(outgoing, error, deadline, { sending, response });
    }
  }
  #limit({ address }, sending, deadline) {
    const { answerMs, totalMs } = sending.policy;
    const leftMs = this.#leftMs(sending);
    const isTotal = leftMs < answerMs;
    const late = () => {
      const what = isTotal ? "the answer is incomplete" : "no complete answer";
      return new TransportError("timeout", `${address}: ${what} within ${(isTotal ? totalMs : answerMs) / secondMs2} s`);
    };
    if (leftMs < 1) throw late();
    deadline.within(Math.min(answerMs, leftMs), late);
  }
  #fetch({ address, method, headers, body }, signal2) {
    const { fetch } = this.#settings;
    return fetch(address, { method, headers: { ...headers }, body, redirect: "manual", signal: signal2 });
  }
  #leftMs({ policy, startedMs }) {
    return startedMs + policy.totalMs - this.#settings.parts.clock.monotonicMs();
  }
};

// src/client/calls.ts
var Calls = class {
  settings;
  transport;
  constructor(options = {}) {
    this.settings = settingsOf(options);
    this.transport = new Transport(this.settings);
  }
  async call(operationId, params = {}, options = {}) {
    checkOptions("a call", options);
    const outgoing = requestOf(this.settings, jsonOnly(operationId), { ...params }, options.ifNoneMatch);
    const raw = await this.transport.read(outgoing, options);
    if (raw.status === 200) return answerOf(outgoing, raw);
    const { etag, allowance, requestId: requestId2 } = raw;
    return { status: 304, data: null, meta: null, etag, allowance, requestId: requestId2 };
  }
  async read(operationId, params = {}, options = {}) {
    checkOptions("a call", options);
    const outgoing = requestOf(this.settings, jsonOnly(operationId), { ...params }, options.ifNoneMatch);
    return this.transport.read(outgoing, options);
  }
  async *pages(operationId, params = {}, options = {}) {
    checkOptions("a list", options);
    const pager = new Pager(operationId, { ...params });
    for (let next = {}; next !== null; ) {
      const outgoing = requestOf(this.settings, operationId, { ...params, ...next });
      const answer = listOf(outgoing, await this.transport.read(outgoing, options));
      next = pager.next(answer.meta);
      yield answer;
    }
  }
  stream(operationId, params, options = {}) {
    return this.transport.open(requestOf(this.settings, operationId, { ...params }), options, "application/x-ndjson");
  }
};
function jsonOnly(operationId) {
  const isStream = Object.hasOwn(clientOperations, operationId) && clientOperations[operationId].isStream;
  if (isStream) throw new TypeError(`${operationId}: use follow, exportMarket, exportDay or streamMarketUnverified`);
  return operationId;
}

// src/client/day-verifier.ts
import { createHash } from "node:crypto";

// src/client/lines.ts
import { Buffer } from "node:buffer";
var recordBytesMax = 256 * 1024;
var BrokenLine = class extends Error {
};
var lineFeed = 10;
var utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
var LineReader = class {
  #pending = [];
  #pendingBytes = 0;
  #lineNumber = 0;
  get line() {
    return this.#lineNumber;
  }
  get hasRest() {
    return this.#pendingBytes > 0;
  }
  *take(chunk) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
      this.#hold(chunk.subarray(from, to));
      from = to + 1;
      yield this.#line();
    }
    if (from < chunk.length) this.#hold(chunk.slice(from));
  }
  #hold(bytes) {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > recordBytesMax) {
      this.#lineNumber += 1;
      throw new BrokenLine(`a record is larger than ${recordBytesMax} bytes`);
    }
    this.#pending.push(bytes);
  }
  #line() {
    const [first, ...others] = this.#pending;
    const bytes = first !== void 0 && others.length === 0 ? first : Buffer.concat(this.#pending, this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#lineNumber += 1;
    try {
      return utf8.decode(bytes);
    } catch {
      throw new BrokenLine("a record is not UTF-8");
    }
  }
};

// src/client/records.ts
var integerMax = 2147483647;
var quotesMax = 3e3;
var integer = (min, max) => (value) => Number.isSafeInteger(value) && value >= min && value <= max;
var text = (pattern) => (value) => typeof value === "string" && pattern.test(value);
var characters = (max) => (value) => typeof value === "string" && value.length > 0 && (value.length <= max || [...value].length <= max);
var is = (...constants) => (value) => constants.includes(value);
var orNull = (check2) => (value) => value === null || check2(value);
var listOf2 = (check2, max) => (value) => Array.isArray(value) && value.length <= max && value.every(check2);
var requestId = text(/^req_[0-9a-z]{26}$/);
var generation = text(/^g[0-9]{1,15}$/);
var provider = text(/^[a-z0-9][a-z0-9-]{0,59}$/);
var positive = integer(1, Number.MAX_SAFE_INTEGER);
var sha256 = text(/^[0-9a-f]{64}$/);
var itemId = integer(1, integerMax);
var time = (value) => {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value)) return false;
  const atMs = Date.parse(value);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString() === value;
};
var httpsAddress = (value) => typeof value === "string" && value.length <= 2048 && /^https:\/\/[!-~]*$/.test(value);
var startShape = {
  type: is("start"),
  request_id: requestId,
  generation,
  generated_at: time,
  ingested_at: time,
  price_as_of: is(null),
  consistency: is("single_price_generation"),
  catalog_max_item_id: integer(0, integerMax)
};
var itemShape = {
  item_id: itemId,
  market_hash_name: characters(300),
  phase: orNull(characters(60)),
  availability: is("available", "missing"),
  asks: Array.isArray,
  bids: Array.isArray
};
var quoteShape = {
  provider,
  amount: positive,
  currency: is("USD"),
  minor_units: is(2),
  quantity: orNull(positive),
  url: orNull(httpsAddress),
  // Exports have no times of quotes.
  as_of: is(null)
};
var endShape = {
  type: is("end"),
  request_id: requestId,
  generation,
  items: integer(0, integerMax)
};
var errorShape = {
  type: is("error"),
  request_id: requestId,
  code: is("snapshot_interrupted", "snapshot_changed")
};
var stateShape = { generation, digest: sha256, identity_digest: sha256 };
var nested = (what, shape) => (value) => shaped(what, value, shape) === value;
var isState = nested("state", stateShape);
var changesStartShape = {
  type: is("start"),
  request_id: requestId,
  generated_at: time,
  ingested_at: time,
  from: isState,
  to: isState
};
var removedShape = { type: is("removed"), item_id: itemId };
var changesEndShape = {
  type: is("end"),
  request_id: requestId,
  to: isState,
  items: integer(0, integerMax),
  removed: integer(0, integerMax)
};
var wrapperShape = { type: is("item"), data: isRecord2 };
var hoursOfDay = 24;
var hour = integer(0, hoursOfDay - 1);
var byHour = (check2) => listOf2(check2, hoursOfDay);
var feed = characters(60);
var feedsMax = 200;
var date = (value) => time(`${value}T00:00:00.000Z`);
var hourRanges = (value) => {
  let next = 0;
  return byHour((range) => {
    const [first, last] = Array.isArray(range) && range.length === 2 ? range : [];
    const isRange = hour(first) && hour(last) && first >= next && last >= first;
    next = last + 1;
    return isRange;
  })(value);
};
var selectionShape = { provider, side: is("ask", "bid") };
var framesShape = {
  feed,
  hours: byHour(hour),
  ingested_at: byHour(time),
  checked_at: byHour(time),
  recorded_at: byHour(time)
};
var dayStartShape = {
  type: is("start"),
  request_id: requestId,
  date,
  revision: itemId,
  resolution: is("daily", "hourly"),
  generated_at: time,
  sealed_at: time,
  currency: is("USD"),
  minor_units: is(2),
  selection: orNull(nested("selection", selectionShape)),
  frames: listOf2(nested("entry of frames", framesShape), feedsMax)
};
var dailyShape = {
  item_id: itemId,
  ...selectionShape,
  amount: positive,
  low_amount: positive,
  high_amount: positive,
  observations: itemId,
  quantity: orNull(positive),
  source_observed_at: orNull(time),
  recorded_at: time
};
var dayQuotesShape = {
  item_id: itemId,
  ...selectionShape,
  feed,
  hours: hourRanges,
  amounts: byHour(positive),
  quantities: byHour(orNull(positive)),
  source_observed_at: byHour(orNull(time))
};
var dayMarkersShape = {
  item_id: itemId,
  side: selectionShape.side,
  hours: hourRanges,
  availability: byHour(is("quoted", "item_missing", "no_quote")),
  feeds: byHour(orNull(listOf2(feed, feedsMax)))
};
var dayEndShape = {
  type: is("end"),
  request_id: requestId,
  date,
  revision: itemId,
  rows: integer(0, Number.MAX_SAFE_INTEGER),
  digest: sha256
};
var exportShapes = { start: startShape, item: wrapperShape, end: endShape, error: errorShape };
var shapesOf = {
  export: exportShapes,
  changes: { ...exportShapes, start: changesStartShape, removed: removedShape, end: changesEndShape },
  day: {
    start: dayStartShape,
    daily: { type: is("daily"), data: nested("daily row", dailyShape) },
    quotes: { type: is("quotes"), data: nested("row of quotes", dayQuotesShape) },
    markers: { type: is("markers"), data: nested("row of markers", dayMarkersShape) },
    end: dayEndShape,
    error: errorShape
  }
};
function readRecord(line, stream2) {
  const value = parsed(line);
  const { type } = value;
  const shapes = shapesOf[stream2];
  const shape = typeof type === "string" && Object.hasOwn(shapes, type) ? shapes[type] : void 0;
  if (shape === void 0) throw new BrokenLine("a record of an unknown type");
  const record = shaped(String(type), value, shape);
  if (record.type === "item") checkItem(record.data);
  return record;
}
function parsed(line) {
  if (line === "") throw new BrokenLine("an empty line");
  if (!line.startsWith("{") || !line.endsWith("}")) throw new BrokenLine("a line that is not one JSON object");
  try {
    return JSON.parse(line);
  } catch {
    throw new BrokenLine("a line that is not one JSON object");
  }
}
function checkItem(item) {
  shaped("item", item, itemShape);
  for (const quotes of [item.asks, item.bids]) {
    if (quotes.length > quotesMax)
      throw new BrokenLine(`item ${item.item_id}: more than ${quotesMax} quotes on a side`);
    for (const quote of quotes) shaped("quote", quote, quoteShape);
  }
  if (item.availability === "missing" !== (item.asks.length + item.bids.length === 0)) {
    throw new BrokenLine(`item ${item.item_id}: its availability contradicts its quotes`);
  }
}
function shaped(what, value, shape) {
  if (!isRecord2(value)) throw new BrokenLine(`a ${what} that is not an object`);
  let known = 0;
  for (const key in shape) {
    if (!Object.hasOwn(value, key)) throw new BrokenLine(`${what}: \`${key}\` is missing`);
    if (!shape[key](value[key])) throw new BrokenLine(`${what}: \`${key}\` has an invalid value`);
    known += 1;
  }
  if (Object.keys(value).length !== known) throw new BrokenLine(`${what}: has an unknown key`);
  return value;
}
function isRecord2(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/client/day-verifier.ts
var DayVerifier = class {
  #address;
  #lines = new LineReader();
  #hash = createHash("sha256");
  #asked;
  #start = null;
  #rows = 0;
  #end = null;
  constructor(address, asked) {
    this.#address = address;
    this.#asked = asked;
  }
  get start() {
    return this.#start;
  }
  take(chunk) {
    const rows = [];
    try {
      for (const line of this.#lines.take(chunk)) {
        const row = this.#accept(line);
        if (row !== null) rows.push(row);
      }
    } catch (error) {
      throw error instanceof BrokenLine ? this.broken("malformed", error.message, error) : error;
    }
    return rows;
  }
  finish() {
    if (this.#start === null || this.#end === null) throw this.broken("truncated", "the stream ended before its end");
    if (this.#lines.hasRest) throw this.broken("malformed", "a line follows the end");
    const { rows, digest } = this.#end;
    if (rows !== this.#rows) throw this.broken("malformed", `the end counts ${rows} lines of ${this.#rows}`);
    if (digest !== this.#hash.digest("hex")) throw this.broken("digest", "the rows do not have the digest of the end");
    return { start: this.#start, end: this.#end };
  }
  broken(reason, why, cause) {
    const { line } = this.#lines;
    const message = `${this.#address}: the day is ${reason}, after ${line} lines: ${why}`;
    return new ExportError(reason, message, { requestId: this.#start?.request_id ?? null, line, cause });
  }
  #accept(line) {
    const record = readRecord(line, "day");
    if (this.#end !== null) throw this.broken("malformed", "a record follows the end");
    if (record.type === "error") {
      const isChanged2 = record.code === "snapshot_changed";
      throw this.broken(
        isChanged2 ? "changed" : "interrupted",
        isChanged2 ? "the day was sealed again" : "the service gave up"
      );
    }
    const { date: date2, resolution, revision: asked } = this.#asked;
    if (this.#start === null) {
      const isOfDay = record.type === "start" && record.date === date2 && record.resolution === resolution;
      if (!isOfDay || record.revision !== (asked ?? record.revision))
        throw this.broken("malformed", "the first record is not the start of this day");
      this.#start = record;
      return null;
    }
    if (record.type === "start") throw this.broken("malformed", "a second start");
    if (record.type === "end") {
      const { request_id, revision } = this.#start;
      if (record.request_id !== request_id || record.date !== date2 || record.revision !== revision)
        throw this.broken("malformed", "the end is of another export than the start");
      this.#end = record;
      return null;
    }
    if (record.type === "daily" !== (resolution === "daily"))
      throw this.broken("malformed", "a row of the other resolution");
    this.#rows += 1;
    this.#hash.update(`${line}
`);
    return record;
  }
};

// src/client/digest.ts
import { Buffer as Buffer2 } from "node:buffer";
import { createHash as createHash2 } from "node:crypto";
var PriceDigest = class {
  #hash = createHash2("sha256");
  #items = 0;
  #bytes = 0;
  add({ item_id, availability, asks, bids }) {
    if (availability !== "available") return;
    const line = `${JSON.stringify({ item_id, asks, bids })}
`;
    this.#hash.update(line);
    this.#items += 1;
    this.#bytes += Buffer2.byteLength(line);
  }
  result() {
    return { digest: this.#hash.digest("hex"), items: this.#items, bytes: this.#bytes };
  }
};
function digestsOf(items) {
  const prices = new PriceDigest();
  const identity = createHash2("sha256");
  for (const item of items) {
    prices.add(item);
    const { item_id, market_hash_name, phase, availability } = item;
    identity.update(`${JSON.stringify({ item_id, market_hash_name, phase, availability })}
`);
  }
  return { digest: prices.result().digest, identityDigest: identity.digest("hex") };
}
async function confirmDigest({ generation: generation2, ingested_at, request_id: requestId2 }, own, read, hint = "") {
  const differs = (why, cause) => new ExportError("digest", `the export of ${generation2} differs from the published one: ${why}`, {
    requestId: requestId2,
    cause
  });
  const { data } = await read().catch((cause) => {
    if (cause instanceof ItemtapeError && cause.status === 404) throw differs("the server has no digest of it", cause);
    if (!(cause instanceof ItemtapeError || cause instanceof TransportError)) throw cause;
    const message = `the export of ${generation2} is complete, but its digest could not be requested${hint}`;
    throw new ExportError("unconfirmed", message, { requestId: requestId2, cause });
  });
  const answer = { ...data };
  for (const [name, value] of Object.entries({ ...own, generation: generation2, ingested_at })) {
    if (answer[name] !== value) throw differs(`its \`${name}\` differs from ${value}`);
  }
  return own;
}

// src/client/export-verifier.ts
var streamBytesMax = 1024 * 1024 * 1024;
var ExportVerifier = class {
  #address;
  #requestId;
  #lines = new LineReader();
  #bytesMax;
  #from;
  #start = null;
  #end = null;
  #items = 0;
  #removed = 0;
  #lastItemId = 0;
  #bytes = 0;
  constructor(address, requestId2, bytesMax = streamBytesMax, from = null) {
    this.#bytesMax = bytesMax;
    this.#from = from;
    this.#address = address;
    this.#requestId = requestId2;
  }
  get progress() {
    if (this.#start === null || !("catalog_max_item_id" in this.#start)) return null;
    const { catalog_max_item_id: upTo } = this.#start;
    return { items: this.#items, bytes: this.#bytes, itemId: this.#end === null ? this.#lastItemId : upTo, upTo };
  }
  take(chunk) {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesMax) throw this.broken("malformed", `it is larger than ${this.#bytesMax} bytes`);
    const records = [];
    try {
      for (const line of this.#lines.take(chunk)) {
        const record = this.#accept(readRecord(line, this.#from === null ? "export" : "changes"));
        if (record !== null) records.push(record);
      }
    } catch (error) {
      if (error instanceof BrokenLine) throw this.broken("malformed", error.message);
      throw error;
    }
    return records;
  }
  finish() {
    if (this.#lines.hasRest && this.#end !== null) throw this.#after();
    if (this.#end === null) throw this.broken("truncated", "the stream ended without its `end` record");
    return this.#end;
  }
  broken(reason, why, cause) {
    const { line } = this.#lines;
    const what = this.#from === null ? "export is" : "stream of changes is";
    const message = `${this.#address}: the ${what} ${reasonDescriptions[reason]}, after ${line} lines: ${why}`;
    const requestId2 = this.#start?.request_id ?? this.#requestId;
    return new ExportError(reason, message, { requestId: requestId2, line, cause });
  }
  #accept(record) {
    if (this.#end !== null) throw this.#after();
    const start = this.#start;
    if (start === null) return this.#begin(record);
    switch (record.type) {
      case "start":
        throw this.broken("malformed", "a second `start`");
      case "item":
        this.#item(record.data.item_id, start);
        this.#items += 1;
        return record;
      case "removed":
        this.#item(record.item_id, start);
        this.#removed += 1;
        return record;
      case "end":
        this.#close(record, start);
        return null;
      case "error":
        return this.#refuse(record, start);
    }
  }
  #begin(record) {
    if (record.type !== "start") throw this.broken("malformed", `\`${record.type}\` before \`start\``);
    if (this.#requestId !== null && record.request_id !== this.#requestId) {
      throw this.broken("malformed", "`start` names another request than X-Request-Id");
    }
    if ("from" in record && this.#from !== null && !isSame(record.from, this.#from)) {
      throw this.broken("digest", "it starts from another state than the copy");
    }
    this.#start = record;
    return record;
  }
  #item(itemId2, start) {
    if (itemId2 === this.#lastItemId) throw this.broken("malformed", `item ${itemId2} is listed twice`);
    if (itemId2 < this.#lastItemId) {
      throw this.broken("malformed", `item ${itemId2} follows item ${this.#lastItemId}`);
    }
    if ("catalog_max_item_id" in start && itemId2 > start.catalog_max_item_id) {
      throw this.broken("malformed", `item ${itemId2} is beyond catalog_max_item_id, ${start.catalog_max_item_id}`);
    }
    this.#lastItemId = itemId2;
  }
  #close(end, start) {
    if (end.request_id !== start.request_id) throw this.broken("malformed", "`end` names another request than `start`");
    if ("generation" in end && "generation" in start && end.generation !== start.generation) {
      throw this.broken("malformed", `\`end\` names ${end.generation}, \`start\` names ${start.generation}`);
    }
    if ("to" in end && "to" in start && !isSame(end.to, start.to)) {
      throw this.broken("malformed", "`end` names another state than `start`");
    }
    if (end.items !== this.#items) {
      throw this.broken("malformed", `\`end\` counts ${end.items} items, but the stream has ${this.#items}`);
    }
    if ("removed" in end && end.removed !== this.#removed) {
      throw this.broken(
        "malformed",
        `\`end\` counts ${end.removed} removed items, but the stream has ${this.#removed}`
      );
    }
    this.#end = end;
  }
  #refuse({ code, request_id: requestId2 }, start) {
    if (requestId2 !== start.request_id) throw this.broken("malformed", "`error` names another request than `start`");
    if (code === "snapshot_changed") {
      throw this.broken("changed", "a new generation was published meanwhile (snapshot_changed)");
    }
    throw this.broken("interrupted", "the server gave up (snapshot_interrupted)");
  }
  #after() {
    return this.broken("malformed", "a record follows `end`");
  }
};
function isSame(one, other) {
  return one.generation === other.generation && one.digest === other.digest && one.identity_digest === other.identity_digest;
}
var reasonDescriptions = {
  changed: "outdated",
  interrupted: "interrupted",
  truncated: "truncated",
  malformed: "malformed",
  digest: "not the published market",
  unconfirmed: "not confirmed"
};

// src/client/exports.ts
var snapshotId = "streamMarketSnapshot";
var defaultStreamMs = 15e4;
var attemptsMax = 100;
var streamMsMax = 864e5;
var secondMs3 = 1e3;
var passing = /* @__PURE__ */ new Set(["changed", "interrupted", "truncated"]);
async function* streamChunks({ settings, transport }, options, begun = { began: false }, from = null) {
  const limits = limitsOf(settings, options);
  const outgoing = from === null ? requestOf(settings, snapshotId, {}) : requestOf(settings, "streamMarketChanges", {
    generation: from.generation,
    identity_digest: from.identity_digest
  });
  const mayRetry = (refusal) => !(begun.began && refusal.status === 503);
  const opened = await transport.open(outgoing, options, "application/x-ndjson", mayRetry);
  begun.began = true;
  const id = opened.response.headers.get("x-request-id");
  const verifier = new ExportVerifier(outgoing.address, id, void 0, from);
  let isOver = false;
  try {
    for await (const chunk of chunksOf(opened, verifier, limits)) {
      const records = verifier.take(chunk);
      const { progress } = verifier;
      if (progress !== null) options.onProgress?.(progress);
      if (records.length > 0) yield records;
    }
    isOver = true;
    yield [verifier.finish()];
  } finally {
    opened.deadline.close(!isOver);
  }
}
async function exportVerified(parts, readDigest, options) {
  checkOptions("an export", options);
  const { attempts = 1 } = options;
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > attemptsMax) {
    throw new TypeError(`attempts: must be a whole number from 1 to ${attemptsMax}`);
  }
  const { parts: tools, onRetry } = parts.settings;
  const begun = { began: false };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await exportOnce(parts, readDigest, options, begun);
    } catch (error) {
      if (!(error instanceof ExportError) || !passing.has(error.reason) || attempt === attempts) throw error;
      const waitMs2 = pauseMsFor(attempt, tools.random);
      const code = error.reason === "truncated" ? null : `snapshot_${error.reason}`;
      onRetry({ operationId: snapshotId, status: 200, code, waitMs: waitMs2, attempt });
      await parts.transport.wait(waitMs2, options.signal);
    }
  }
}
async function exportOnce(parts, readDigest, options, begun) {
  const digest = options.digest === "skip" ? null : new PriceDigest();
  const items = [];
  let start = null;
  for await (const records of streamChunks(parts, options, begun)) {
    for (const record of records) {
      if (record.type === "start") start = record;
      else if (record.type === "item") {
        items.push(record.data);
        digest?.add(record.data);
      } else if (start !== null) {
        if (digest === null) return { start, end: record, items, digest };
        const { signal: signal2, retry } = options;
        const read = () => readDigest(record.generation, { signal: signal2, retry });
        const hint = '; digest: "skip" omits it';
        return { start, end: record, items, digest: await confirmDigest(start, digest.result(), read, hint) };
      }
    }
  }
  throw new Error("an export ended without its `end` record");
}
async function readDay({ settings, transport }, params, options, onRows) {
  const limits = limitsOf(settings, options);
  const outgoing = requestOf(settings, "streamHistoryDay", params);
  const opened = await transport.open(outgoing, options, "application/x-ndjson");
  const verifier = new DayVerifier(outgoing.address, params);
  let isOver = false;
  try {
    for await (const chunk of chunksOf(opened, verifier, limits)) {
      const rows = verifier.take(chunk);
      onRows(rows, verifier.start, chunk);
    }
    isOver = true;
    return verifier.finish();
  } finally {
    opened.deadline.close(!isOver);
  }
}
function limitsOf({ policy, parts }, options) {
  const { streamMs = defaultStreamMs } = options;
  if (!(streamMs >= 1 && streamMs <= streamMsMax)) throw new TypeError(`streamMs: must be 1 to ${streamMsMax}`);
  return { answerMs: policyOf(policy, options.retry).answerMs, streamMs, clock: parts.clock };
}
async function* chunksOf({ response, deadline }, verifier, { answerMs, streamMs, clock }) {
  const reader = response.body?.getReader();
  const startedMs = clock.monotonicMs();
  while (reader !== void 0) {
    const leftMs = startedMs + streamMs - clock.monotonicMs();
    const isTotal = leftMs < answerMs;
    const why = isTotal ? `it did not end within ${streamMs / secondMs3} s` : `no data arrived for ${answerMs / secondMs3} s`;
    if (leftMs < 1) throw verifier.broken("truncated", why);
    deadline.within(Math.min(answerMs, leftMs), () => verifier.broken("truncated", why));
    const { done, value } = await reader.read().catch((error) => {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      const undone = decompressionFault(error);
      if (undone !== null) throw verifier.broken("malformed", `it cannot be decompressed (${undone})`, error);
      throw verifier.broken("truncated", "the connection broke off", error);
    });
    deadline.lift();
    if (done) return;
    yield value;
  }
}

// src/client/follow.ts
var attemptsMax2 = 3;
var waitSeconds = 30;
var waitMs = waitSeconds * 1e3;
var passing2 = /* @__PURE__ */ new Set(["changed", "interrupted", "truncated"]);
var retriedCodes = /* @__PURE__ */ new Set([
  "changes_busy",
  "changes_capacity",
  "snapshot_busy",
  "snapshot_capacity",
  "waiting_limit",
  "rate_limited"
]);
var patience = { attemptsMax: Number.POSITIVE_INFINITY, waitMsMax: 864e5 };
var doublingsMax = 7;
var changesId = "streamMarketChanges";
var outdated = /* @__PURE__ */ new Set(["generation_not_found", "changes_too_large"]);
async function* followMarket(parts, calls, options) {
  const { since, pauseMs } = options;
  let copy = since ? unconfirmedMarketOf(since.generation, since.items) : null;
  let shown = null;
  let isExport = false;
  let newest = copy?.generation ?? null;
  let isOwn = !since || since.baseUrl === parts.settings.base.href;
  for (let failures = 0; ; ) {
    if (copy === null) {
      const { start, items } = await lasting(parts, "streamMarketSnapshot", options, () => calls.takeExport());
      const isBack = isOlder(start.generation, newest);
      const gone = isBack ? await refusalOfGeneration(parts, calls, newest, options) : null;
      if (gone !== null && !isOwn) throw gone;
      if (isBack && gone === null) {
        failures += 1;
        if (failures === attemptsMax2) throw new ExportError("changed", olderText(start.generation, newest));
        await pause(parts, failures, options);
        continue;
      }
      copy = unconfirmedMarketOf(start.generation, new Map(items.map((item) => [item.item_id, item])));
      isExport = true;
    }
    try {
      const from = copy;
      const next = await lasting(parts, changesId, options, () => changed(parts, from, options));
      if (shown === null || isChanged(shown, next)) {
        shown = isExport ? { ...next, changes: null } : next;
        yield shown;
      } else if (pauseMs === void 0) await pause(parts, 1, options);
      copy = shown;
      newest = copy.generation;
      isOwn = true;
      isExport = false;
      failures = 0;
    } catch (error) {
      const isOutdated = error instanceof ItemtapeError && error.status === 404 && outdated.has(error.code);
      if (!isOutdated && !(error instanceof ExportError)) throw error;
      if (isExport) failures += 1;
      if (failures === attemptsMax2) throw error;
      if (isExport) await pause(parts, failures, options);
      copy = null;
      continue;
    }
    if (pauseMs === void 0) await anotherState(parts, calls, shown, options);
    else await parts.transport.wait(pauseMs, options.signal);
  }
}
async function lasting(parts, operationId, options, work) {
  const { parts: tools, onRetry } = parts.settings;
  for (let broken2 = 0, refused = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      const isRetried = options.refusals !== "throw" && error instanceof ItemtapeError && retriedCodes.has(error.code);
      let waitMs2 = null;
      if (isRetried) {
        refused += 1;
        const given = { policy: patience, random: tools.random };
        waitMs2 = waitMsFor(error, Math.min(refused, doublingsMax), Number.POSITIVE_INFINITY, given);
      } else if (isBroken(error, operationId)) {
        broken2 += 1;
        if (broken2 < attemptsMax2) waitMs2 = pauseMsFor(broken2, tools.random);
      }
      if (waitMs2 === null) throw error;
      onRetry({ operationId, ...reportedAs(error), waitMs: waitMs2, attempt: isRetried ? refused : broken2 });
      await parts.transport.wait(waitMs2, options.signal);
    }
  }
}
function isBroken(error, operationId) {
  if (isUnavailable(error)) return true;
  return operationId === changesId && error instanceof ExportError && passing2.has(error.reason);
}
function reportedAs(error) {
  if (error instanceof ItemtapeError) return { status: error.status, code: error.code };
  if (!(error instanceof ExportError)) return { status: 0, code: null };
  return { status: 200, code: error.reason === "truncated" ? null : `snapshot_${error.reason}` };
}
async function changed(parts, copy, options) {
  const { generation: generation2, digest, identityDigest } = copy;
  const from = { generation: generation2, digest, identity_digest: identityDigest };
  const items = new Map(copy.items);
  const changes = { items: [], removed: [] };
  const differs = (why) => new ExportError("digest", `the changes since ${generation2} ${why}`);
  let start = null;
  for await (const records of streamChunks(parts, options, void 0, from)) {
    for (const record of records) {
      if (record.type === "start") start = record;
      else if (record.type === "item") {
        items.set(record.data.item_id, record.data);
        changes.items.push(record.data.item_id);
      } else if (record.type === "removed") {
        if (!items.delete(record.item_id)) throw differs(`remove item ${record.item_id}, which is not in the copy`);
        changes.removed.push(record.item_id);
      }
    }
  }
  if (start === null) throw differs("have no start");
  const { to, request_id: requestId2, generated_at: generatedAt, ingested_at: ingestedAt } = start;
  const isSame2 = changes.items.length + changes.removed.length === 0;
  const next = isSame2 ? copy : unconfirmedMarketOf(to.generation, items);
  if (next.digest !== to.digest || next.identityDigest !== to.identity_digest) {
    throw differs(`do not lead to the digests of ${to.generation}`);
  }
  const baseUrl = parts.settings.base.href;
  return { ...next, generation: to.generation, ingestedAt, generatedAt, requestId: requestId2, baseUrl, changes };
}
async function anotherState(parts, calls, market, options) {
  const { parts: tools, onRetry } = parts.settings;
  const { signal: signal2, retry } = options;
  for (let behind = 0; ; ) {
    const askedMs = tools.clock.monotonicMs();
    const params = { after: market.generation, wait_seconds: waitSeconds };
    const { data } = await lasting(
      parts,
      "getCurrentGeneration",
      options,
      () => calls.waitFor(params, { signal: signal2, retry })
    );
    const next = { ...data, identityDigest: data.identity_digest };
    const isBehind = isOlder(data.generation, market.generation);
    if (!isBehind && isChanged(market, next)) return;
    behind = isBehind ? behind + 1 : 0;
    const pauseMs = tools.clock.monotonicMs() - askedMs < waitMs / 2 ? pauseMsFor(1, tools.random) : 0;
    if (behind >= attemptsMax2) {
      const found = { status: 200, code: null, behind: data.generation };
      onRetry({ operationId: "getCurrentGeneration", ...found, waitMs: pauseMs, attempt: behind });
      if (await refusalOfGeneration(parts, calls, market.generation, options) !== null) return;
    }
    if (pauseMs > 0) await parts.transport.wait(pauseMs, signal2);
  }
}
async function refusalOfGeneration(parts, calls, generation2, options) {
  const once = { signal: options.signal, retry: { ...options.retry, attemptsMax: 1 } };
  try {
    await lasting(parts, "getGeneration", options, () => calls.readGeneration(generation2, once));
    return null;
  } catch (error) {
    if (!(error instanceof ItemtapeError)) throw error;
    return error.code === "generation_not_found" ? error : null;
  }
}
function pause({ settings, transport }, attempt, { signal: signal2 }) {
  return transport.wait(pauseMsFor(attempt, settings.parts.random), signal2);
}
function isChanged(one, other) {
  return one.generation !== other.generation || one.digest !== other.digest || one.identityDigest !== other.identityDigest;
}
function isOlder(generation2, other) {
  return other !== null && Number(generation2.slice(1)) < Number(other.slice(1));
}
function olderText(generation2, newest) {
  return `the service has ${generation2} repeatedly, which is older than ${newest} of the copy`;
}
function unconfirmedMarketOf(generation2, items) {
  const inOrder = new Map([...items].sort(([one], [other]) => one - other));
  return { generation: generation2, items: inOrder, ...digestsOf(inOrder.values()) };
}

// src/client/itemtape.ts
var Itemtape = class {
  #calls;
  constructor(options = {}) {
    this.#calls = new Calls(options);
    for (const name of methodNames) {
      const value = this[name].bind(this);
      Object.defineProperty(value, "name", { value: name });
      Object.defineProperty(this, name, { value, writable: true, configurable: true });
    }
  }
  async call(operationId, params = {}, options = {}) {
    return this.#calls.call(operationId, params, options);
  }
  async read(operationId, ...[params, options = {}]) {
    return this.#calls.read(operationId, params, options);
  }
  async *pages(operationId, ...[params, options = {}]) {
    yield* this.#calls.pages(operationId, params, options);
  }
  async *rows(operationId, ...given) {
    for await (const page of this.pages(operationId, ...given)) yield* page.data;
  }
  exportMarket(options = {}) {
    const readDigest = (generation2, more) => this.call("getGeneration", { generation: generation2 }, more);
    return exportVerified(this.#calls, readDigest, options);
  }
  async exportDay(params, options = {}) {
    checkOptions("a stream", options);
    const rows = [];
    return { ...await readDay(this.#calls, params, options, (more) => void rows.push(...more)), rows };
  }
  async *streamMarketUnverified(options = {}) {
    checkOptions("a stream", options);
    for await (const records of streamChunks(this.#calls, options)) {
      yield* records;
    }
  }
  async *follow(options = {}) {
    checkOptions("a copy", options);
    const { since, pauseMs, refusals, ...rest } = options;
    const calls = {
      takeExport: () => this.exportMarket({ ...rest, digest: "skip", attempts: 3 }),
      waitFor: (params, more) => this.call("getCurrentGeneration", params, more),
      readGeneration: (generation2, more) => this.call("getGeneration", { generation: generation2 }, more)
    };
    yield* followMarket(this.#calls, calls, { ...rest, since, pauseMs, refusals });
  }
};
var operationIds = Object.keys(clientOperations).filter((id) => !clientOperations[id].isStream);
for (const id of operationIds) {
  const value = function(...given) {
    return this.call(id, ...given);
  };
  Object.defineProperty(Itemtape.prototype, id, { value, writable: true, configurable: true });
}
var methodNames = [
  ...operationIds,
  ...["call", "read", "pages", "rows", "exportMarket", "exportDay", "streamMarketUnverified", "follow"]
];
export {
  ExportError,
  Itemtape,
  ItemtapeError,
  TransportError
};
