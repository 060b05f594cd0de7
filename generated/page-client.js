// Made from src/client and openapi.yaml by `npm run generate`; edit those instead.


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
    queryParams: { cursor: "integer", limit: "integer", q: "string", item_type: "string", rarity: "string", weapon: "string", wear: "string", phase: "string", stat_counter: "string", souvenir: "string", provider: "string", ask_min: "integer", ask_max: "integer", item_ids: "string" },
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
    queryParams: { provider: "string", side: "string", from: "string", to: "string", limit: "integer", after: "string" },
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
    queryParams: { side: "string", provider: "string", from: "string", to: "string", limit: "integer", after: "string" },
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
    bodyFields: { resolution: "string" },
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
    queryParams: { from: "string", to: "string", methodology_version: "string", limit: "integer", after: "string" },
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
    queryParams: { from: "string", to: "string", limit: "integer", after: "string" },
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
    queryParams: { from: "string", to: "string", granularity: "string", valuation_mode: "string", methodology_version: "string", limit: "integer", after: "string" },
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

// src/values/text/display-text.ts
var displayCharsMax = 120;
var unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
function displayText(text, charsMax = displayCharsMax) {
  const safe = text.replace(unsafe, "?");
  return safe.length > charsMax ? `${safe.slice(0, charsMax)}…` : safe;
}

// src/client/redaction.ts
var replyCharsMax = 300;
var keyPattern = /itemtape_(?:live|pat)_[0-9A-Za-z]{6,}/;
function displayReply(text, apiKey) {
  return displayText(withoutKey(text, apiKey), replyCharsMax);
}
function withoutKey(text, apiKey) {
  return apiKey === null ? text : text.replaceAll(apiKey, "[key]");
}
function decompressionFault(error) {
  const { cause } = error;
  const code = String(cause?.code);
  return /^(?:Z_(?!BUF_ERROR$)|ERR__ERROR_)/.test(code) ? code : null;
}
function holdsKey(text, apiKey) {
  return keyPattern.test(text) || apiKey !== null && text.includes(apiKey);
}

// src/values/time/backoff.ts
function backoffMs(failures, { firstMs: firstMs2, maxMs }) {
  return Math.min(maxMs, firstMs2 * 2 ** Math.min(failures - 1, 20));
}

// src/client/retry.ts
var firstMs = 500;
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
function retryAfterMsOf(headers, nowMs) {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * secondMs, Number.MAX_SAFE_INTEGER);
  const atMs = dateOf(text);
  if (atMs === null) return null;
  return Math.max(0, atMs - (dateOf(headers.get("date") ?? "") ?? nowMs));
}
function dateOf(text) {
  const form = datePatterns.findIndex((pattern) => pattern.test(text));
  if (form === -1) return null;
  const atMs = Date.parse(form === 2 ? `${text} GMT` : text);
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
  throw broken(outgoing, "its `data` is no list", { attempts: raw.attempts, requestId: answer.requestId });
}
function answerOf(outgoing, raw) {
  const { data, meta } = envelopeOf(outgoing, raw);
  const { request_id: requestId } = meta;
  if (typeof requestId !== "string") throw broken(outgoing, "`meta.request_id` is missing", raw);
  if (raw.requestId !== null && raw.requestId !== requestId) {
    throw broken(outgoing, "X-Request-Id and `meta.request_id` name two requests", raw);
  }
  const { etag, allowance } = raw;
  return { status: 200, data, meta, etag, allowance, requestId };
}
function envelopeOf(outgoing, raw) {
  const whole = jsonOf(raw.body);
  if (whole === void 0) throw broken(outgoing, "it is not JSON in UTF-8", raw);
  const { data, meta, ...others } = isRecord(whole) ? whole : {};
  if (!isRecord(meta) || !(isRecord(data) || Array.isArray(data)) || Object.keys(others).length > 0) {
    throw broken(outgoing, "it is not `data` and `meta`", raw);
  }
  return { data, meta };
}
function refuseOther(outgoing, response, mediaType, apiKey) {
  const { status, headers } = response;
  if (status === 304 && outgoing.headers["if-none-match"] !== void 0) return;
  if (status !== 200) throw broken(outgoing, `HTTP ${status} is no answer of the contract`);
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
  const requestId = typeof sentId === "string" && /^req_[0-9a-z]{26}$/.test(sentId) ? sentId : clean(sentId) ?? "";
  const [title, type, detail] = [whole.title, whole.type, whole.detail].map(clean);
  return {
    type: type ?? `/problems/${code}`,
    title: title ?? code,
    status: typeof whole.status === "number" ? whole.status : 0,
    ...detail === void 0 ? {} : { detail },
    code,
    request_id: requestId
  };
}
function allowanceOf(headers) {
  const number = (name) => {
    const text = headers.get(name) ?? "";
    return /^\d{1,15}$/.test(text) ? Number(text) : null;
  };
  return {
    limitPerMinute: number("x-ratelimit-limit"),
    remainingInMinute: number("x-ratelimit-remaining"),
    quotaRemaining: number("x-quota-remaining")
  };
}
function broken({ address, operationId }, why, { attempts, requestId } = {}) {
  return new TransportError("broken", `${address}: no answer of ${operationId}: ${why}`, { attempts, requestId });
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
  if (!isObject(options)) throw new TypeError(`${kind}: takes its options as an object`);
  for (const [name, value] of Object.entries(options)) {
    const check2 = Object.hasOwn(known, name) ? known[name] : void 0;
    if (check2 === void 0)
      throw new TypeError(`${kind} has no option ${name}; it has ${Object.keys(known).join(", ")}`);
    if (value !== void 0 && !check2[0](value)) throw new TypeError(`${name}: takes ${check2[1]}`);
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
    if (cursor <= this.#cursor) throw this.#broken("`meta.next_cursor` does not go forward");
    this.#cursor = cursor;
    return { cursor };
  }
  #byAfter(meta) {
    const { next_page: after } = meta;
    if (after === null) return null;
    if (typeof after !== "string" || after === "" || after.length > cursorCharactersMax) {
      throw this.#broken("`meta.next_page` is neither a cursor nor null");
    }
    if (this.#seen.has(after)) throw this.#broken("`meta.next_page` comes again");
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
      // A whole market is a fifteenth as long, and costs the service less than the plain one. fetch unpacks it.
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
      throw new TypeError(`${operationId}: the parameter \`${name}\` takes ${kindDescriptions[kind]}`);
    if ([value].flat().some((one) => typeof one === "string" && holdsKey(one, settings.apiKey))) {
      const place = Array.isArray(value) ? "body" : "URL";
      throw new TypeError(
        `${operationId}: the parameter \`${name}\` holds an API key, which must never be in a ${place}`
      );
    }
  }
}
var kindDescriptions = {
  integer: "an integer",
  string: "a string of well-formed Unicode",
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
    throw new TypeError(`the parameter \`${name}\` takes a name, not ${JSON.stringify(value)}`);
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
function tagOf(text) {
  if (/^(?:W\/)?"[!#-~]{0,200}"$/.test(text)) return text;
  throw new TypeError("ifNoneMatch: takes the `etag` of an answer");
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
    throw new TypeError("apiKey: takes 1 to 200 visible ASCII characters");
  }
  if (!(typeof userAgent === "string" && printable.test(userAgent)))
    throw new TypeError("userAgent: takes 1 to 200 ASCII characters");
  return {
    base: baseOf(options.baseUrl ?? defaultBase, apiKey),
    apiKey,
    policy: policyOf(defaultPolicy, options.retry),
    onRetry: onRetry ?? (() => void 0),
    userAgent,
    // Called without a receiver, so that what is put in place of the global one later is used.
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
      throw new TypeError(`retry.${name}: takes a whole number from 1 to ${max}`);
    }
    merged[name] = value;
  }
  return merged;
}
function baseOf(text, apiKey) {
  const base = URL.canParse(text) ? new URL(text) : null;
  const isHttp = base?.protocol === "http:" || base?.protocol === "https:";
  if (base === null || !isHttp || `${base.username}${base.password}${base.search}${base.hash}` !== "") {
    throw new TypeError(
      `baseUrl: takes an http or https address such as ${defaultBase}, without user, query or fragment`
    );
  }
  if (holdsKey(base.href, apiKey)) throw new TypeError("baseUrl: holds an API key, which must never be in a URL");
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
      const waitMs = waitMsFor(opened, attempt, leftMs, { policy: sending.policy, random: parts.random });
      if (waitMs === null || !mayRetry(opened)) throw opened;
      const { operationId } = outgoing;
      onRetry({ operationId, status: opened.status, code: opened.code, waitMs, attempt });
      sending.refusal = opened;
      await this.wait(waitMs, options.signal);
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
    const requestId = response?.headers.get("x-request-id");
    if (failure instanceof TransportError) {
      const { reason, message: message2, cause: cause2 = refusal } = failure;
      return new TransportError(reason, message2, { cause: cause2, attempts, requestId });
    }
    if (signal2.reason === failure || failure instanceof ItemtapeError) return failure;
    const undone = decompressionFault(failure);
    if (undone !== null) {
      const message2 = `${address}: the answer cannot be decompressed (${undone})`;
      return new TransportError("broken", message2, { cause: failure, attempts, requestId });
    }
    const { name, cause } = failure;
    if (cause?.data !== void 0) delete cause.data;
    const why = displayReply(String(cause?.code ?? cause?.message ?? name), this.#settings.apiKey);
    const message = `${address}: the server cannot be reached or broke off (${why})`;
    return new TransportError("unreachable", message, { cause: failure, attempts, requestId });
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
      const what = isTotal ? "the whole did not come" : "no whole answer";
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
    const { etag, allowance, requestId } = raw;
    return { status: 304, data: null, meta: null, etag, allowance, requestId };
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
  if (isStream) throw new TypeError(`${operationId}: use follow, exportMarket or streamMarketUnverified`);
  return operationId;
}
export {
  Calls,
  ItemtapeError,
  TransportError
};
