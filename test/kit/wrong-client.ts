import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { type ClientOperation, clientOperations } from "../../generated/client-operations.ts";
import { fileOfProgram } from "../../src/values/root.ts";

/**
 * A client of the kit's own tests. It is right unless its arguments name mistakes, such as `early`. `export=early` makes the mistake in
 * calls with the id `export` only.
 */
const mistakes = new Set(process.argv.slice(2));
let id = "";
/** Deadline of the call, on the clock of `performance`. */
let until = 0;
const is = (mistake: string) => mistakes.has(mistake) || mistakes.has(`${id}=${mistake}`);

// biome-ignore lint/suspicious/noExplicitAny: it reads any answer.
type Json = Record<string, any>;
type Call = Json & { id: string; base_url: string; key: string | null; operation: string; deadline_ms: number };
type Answer = { status: number; text: string; headers: Headers };

class Problem extends Error {
  readonly code: string | null;
  readonly status: number | null;

  constructor(code: string | null, status: number | null) {
    super(`${status} ${code}`);
    this.code = code;
    this.status = status;
  }
}
class Discarded extends Error {}

const operations = clientOperations as Record<string, ClientOperation>;
const attemptsMax = 4;
const redirectsMax = 5;
/** Repetitions of an endless mistake: more than a scenario permits, on any machine. */
const endlessMax = 60;
const lineBytesMax = 256 * 1024;
const knownKinds = ["main_platform", "cash", "trade"];
const knownCodes = /^(?!novel)/;
const records: Record<string, Record<string, string>> = {
  snapshot: { start: "SnapshotStart", item: "SnapshotItem", end: "SnapshotEnd", error: "SnapshotError" },
  changes: {
    start: "ChangesStart",
    item: "SnapshotItem",
    removed: "ChangesRemoved",
    end: "ChangesEnd",
    error: "SnapshotError",
  },
  day: { start: "DayExportStart", daily: "DayDaily", end: "DayExportEnd", error: "SnapshotError" },
};
const { schemas } = (JSON.parse(readFileSync(fileOfProgram("generated/openapi.json"), "utf8")) as Json).components;

/** Sends one request once. */
async function send(call: Call, operation: string, given: Json, attempt: number): Promise<Answer> {
  const { method, path, isStream, isProtected, queryParams } = operations[operation]!;
  const { base_url: base, key } = call;
  let target = path;
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(given.parameters as Json)) {
    const text = is("no-encoding") ? String(value) : encodeURIComponent(String(value));
    if (!(name in queryParams)) target = target.replace(`{${name}}`, text);
    else if (!(is("other-request") && attempt > 1)) pairs.push(`${name}=${text}`);
  }
  if (is("key-in-url") && key !== null) pairs.push(`key=${key}`);
  const body = given.body === undefined ? null : JSON.stringify(is("other-request") && attempt > 1 ? {} : given.body);
  const hasKey = key !== null && isProtected && !(is("forgets-key") && attempt > 1);
  const headers: Record<string, string> = {
    accept: `${isStream ? "application/x-ndjson" : "application/json"}, application/problem+json`,
    ...(hasKey && !is("other-header") && { authorization: `Bearer ${key}` }),
    ...(hasKey && (is("key-twice") || is("other-header")) && { "x-api-key": key }),
    ...(body !== null && { "content-type": "application/json" }),
  };
  let address = `${base}${target}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
  const signal = is("no-deadline") ? null : AbortSignal.timeout(Math.max(1, Math.round(until - performance.now())));
  for (let redirects = 0; ; redirects += 1) {
    try {
      const response = await fetch(address, { method, headers, body, redirect: "manual", signal });
      const location = response.headers.get("location");
      const mayFollow = location?.startsWith(base) === true || is("key-anywhere");
      if (location !== null && mayFollow && redirects < (is("redirects-forever") ? endlessMax : redirectsMax)) {
        address = location;
        continue;
      }
      return { status: response.status, text: await bodyOf(response), headers: response.headers };
    } catch {
      throw new Problem(null, null);
    }
  }
}

async function bodyOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of response.body ?? []) parts.push(part);
  } catch (error) {
    if (!is("takes-cut")) throw error;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Sends a request, and retries a 429 or 503. */
async function request(call: Call, operation: string, parameters: Json, body?: Json): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    let answer: Answer;
    try {
      answer = await send(call, operation, { parameters, body }, attempt);
    } catch (error) {
      if (!is("retries-broken") || attempt > 2) throw error;
      continue;
    }
    const { status, text, headers } = answer;
    const type = headers.get("content-type") ?? "";
    if (status === 200 && (/^application\/(json|x-ndjson)/.test(type) || is("takes-pages"))) return text;
    const problem = problemOf(text, type, status);
    const waitMs = waitMsOf(problem, headers, attempt);
    const isLate = performance.now() + waitMs > until;
    if (!mayRetry(problem, attempt) || isLate) throw problem;
    await setTimeout(waitMs);
  }
}

function problemOf(text: string, type: string, status: number): Problem {
  if (!/json/.test(type)) return new Problem(null, status);
  const { code } = JSON.parse(text) as { code: string };
  if (is("closed-codes") && !knownCodes.test(code)) throw new Error(`unknown code ${code}`);
  return new Problem(code, status);
}

function mayRetry({ code, status }: Problem, attempt: number): boolean {
  if (is("no-retry") || attempt >= (is("no-backoff") ? endlessMax : attemptsMax)) return false;
  if (is("retries-all")) return true;
  if (code === "monthly_quota_exceeded") return is("retries-month");
  return status === 429 || status === 503 || (is("retries-5xx") && status! >= 500);
}

function waitMsOf({ code }: Problem, headers: Headers, attempt: number): number {
  const seconds = Number(headers.get("retry-after"));
  if (is("early") || (is("retries-month") && code === "monthly_quota_exceeded")) return 10;
  if (seconds > 0) return seconds * 1000 + Math.random() * 100;
  return is("no-backoff") ? 0 : 100 * 2 ** attempt;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    if (is("takes-broken") || is("takes-pages")) return { data: null, meta: {} };
    throw new Discarded("it is not JSON");
  }
}

async function json(call: Call, operation: string, parameters: Json, body?: Json): Promise<Json> {
  const answer = parse(await request(call, operation, parameters, body));
  const rows = [answer.data].flat() as Json[];
  if (is("closed-members") && ("novel_member" in answer || "novel_member" in (answer.meta as Json)))
    throw new Discarded("a member is unknown");
  if (is("closed-values") && rows.some((row) => row.kind !== undefined && !knownKinds.includes(row.kind as string)))
    throw new Discarded("a value is unknown");
  return answer;
}

async function pages(call: Call): Promise<unknown[]> {
  const { operation, parameters, body } = call;
  const rows: unknown[] = [];
  const seen = new Set<unknown>();
  for (let next: Json = {}; ; ) {
    const own = is("drops-filters") && seen.size > 0 ? next : { ...parameters, ...next };
    let page: Json;
    try {
      page = await json(call, operation, own, body);
    } catch (error) {
      if (is("half-lists")) return rows;
      throw error;
    }
    rows.push(...(page.data as unknown[]));
    const { next_page: after = null, next_cursor: cursor = null } = page.meta as Json;
    const place = after ?? cursor;
    const isLast = place === null && (!is("asks-once-more") || seen.has(null));
    if (isLast || is("first-page") || (is("stops-at-empty") && (page.data as unknown[]).length === 0)) return rows;
    if (seen.has(place) && (!is("loops") || rows.length > endlessMax)) throw new Discarded("a cursor comes again");
    seen.add(place);
    next = after === null ? { cursor } : { after };
  }
}

/** Reads the records of one stream, and discards an incomplete stream. */
function read(text: string, kind: "snapshot" | "changes" | "day"): Json[] {
  const mayLackEnd = ["takes-unended", "takes-cut", "ignores-errors"].some(is);
  const lines = text.split("\n");
  if (lines.pop() !== "" && !mayLackEnd) throw new Discarded("the last line is not whole");
  const all = lines.flatMap((line) => {
    if (Buffer.byteLength(line) > lineBytesMax && !is("takes-long-lines")) throw new Discarded("a line is too long");
    try {
      return [JSON.parse(line) as Json];
    } catch {
      if (is("skips-broken-lines")) return [];
      throw new Discarded("a line is broken");
    }
  });
  for (const record of all) checkMembers(record, records[kind]![record.type]);
  const error = all.find(({ type }) => type === "error");
  if (error !== undefined && !is("ignores-errors")) throw new Discarded(`the server gave up: ${error.code}`);
  const last = all.findIndex(({ type }) => type === "end");
  if (last === -1 && !mayLackEnd) throw new Discarded("there is no end");
  if (last !== -1 && last !== all.length - 1 && !is("takes-rest")) throw new Discarded("more follows the end");
  if (all[0]?.type !== "start" && !mayLackEnd) throw new Discarded("there is no start");
  if (last !== -1) checkEnd(all[0]!, all[last]!, all);
  const ids = all.flatMap(({ type, data, item_id: own }) => (type === "item" ? data.item_id : (own ?? [])));
  const isMixed = ids.some((one, index) => index > 0 && one <= ids[index - 1]);
  if (isMixed && !is("takes-any-order")) throw new Discarded("the items are out of order");
  return all;
}

function checkMembers(record: Json, schema: string | undefined): void {
  if (schema === undefined && !is("takes-unknown-records")) throw new Discarded("a record is unknown");
  if (schema !== undefined && !is("takes-unknown-members") && isStrange(record, schemas[schema]))
    throw new Discarded("a record has another member");
}

/** Returns whether a value has members that its schema does not have. */
function isStrange(value: unknown, { $ref, properties, items }: Json): boolean {
  if ($ref !== undefined) return isStrange(value, schemas[$ref.split("/").at(-1)]);
  if (Array.isArray(value)) return items !== undefined && value.some((one) => isStrange(one, items as Json));
  if (typeof value !== "object" || value === null || properties === undefined) return false;
  return Object.entries(value).some(([name, one]) => !(name in properties) || isStrange(one, properties[name]));
}

function checkEnd(start: Json, end: Json, all: Json[]): void {
  const count = (...types: string[]) => all.filter(({ type }) => types.includes(type as string)).length;
  if (start.request_id !== end.request_id && !is("takes-other-requests"))
    throw new Discarded("another request ends it");
  const stateOf = ({ generation, to, revision }: Json) => JSON.stringify([generation, to, revision]);
  if (stateOf(start) !== stateOf(end) && !is("takes-other-states")) throw new Discarded("another generation ends it");
  const isCounted = (end.items ?? end.rows) === count("item", "daily") && (end.removed ?? 0) === count("removed");
  if (!isCounted && !is("takes-wrong-counts") && !is("skips-broken-lines")) throw new Discarded("the count is wrong");
}

const digestOf = (lines: string[]) =>
  createHash("sha256")
    .update(lines.map((line) => `${line}\n`).join(""))
    .digest("hex");

async function snapshot(call: Call) {
  const all = read(await request(call, "streamMarketSnapshot", {}), "snapshot");
  const items = all.flatMap(({ type, data }) => (type === "item" ? [data as Json] : []));
  return { items, sha256: pricesOf(items), generation: all[0]?.generation as string };
}

function pricesOf(items: Json[]): string {
  const priced = is("wrong-digest") ? items : items.filter(({ availability }) => availability === "available");
  return digestOf(priced.map(({ item_id, asks, bids }) => JSON.stringify({ item_id, asks, bids })));
}

async function day(call: Call) {
  const text = await request(call, "streamHistoryDay", call.parameters, call.body);
  const end = read(text, "day").find(({ type }) => type === "end");
  const lines = text.split("\n").filter((line) => line.startsWith('{"type":"daily"'));
  const sha256 = digestOf(is("wrong-digest") ? lines.slice(1) : lines);
  const mayDiffer = ["no-digest", "takes-wrong-counts", "takes-unknown-members"].some(is);
  if (end !== undefined && end.digest !== sha256 && !mayDiffer) throw new Discarded("the digest differs");
  return { count: lines.length, sha256 };
}

/** Follows the market for the rounds of the call. Each round after the first waits for another generation. */
async function follow(call: Call) {
  let { items, generation, sha256 } = await snapshot(call);
  if (is("no-second-round")) return { count: items.length, next: generation, sha256 };
  for (let round = 0; round < (call.rounds ?? 1); round += 1) {
    if (round > 0) await json(call, "getCurrentGeneration", { after: generation, wait_seconds: 5 });
    const identity = digestOf(
      items.map(({ item_id, market_hash_name, phase, availability }) =>
        JSON.stringify({ item_id, market_hash_name, phase, availability }),
      ),
    );
    const body = { generation, identity_digest: identity };
    const text = await request(call, "streamMarketChanges", {}, body).catch((error: Problem) => error);
    if (typeof text !== "string") {
      if (text.code !== "changes_too_large" || is("no-second-export")) throw text;
      ({ items, generation, sha256 } = await snapshot(call));
      round -= 1;
      continue;
    }
    const all = read(text, "changes");
    items = is("applies-nothing") ? items : applied(items, all);
    sha256 = pricesOf(items);
    const to = (all[0]?.to ?? {}) as Json;
    const mayDiffer = ["takes-unended", "no-digest", "applies-nothing", "keeps-removed", "adds-nothing"].some(is);
    if (to.digest !== sha256 && !mayDiffer) throw new Discarded("the digests differ");
    generation = (to.generation ?? generation) as string;
  }
  return { count: items.length, next: generation, sha256 };
}

/** Applies the records of changes to the items of a copy. */
function applied(items: Json[], records: Json[]): Json[] {
  const copy = new Map(items.map((item) => [item.item_id as number, item]));
  for (const { type, data, item_id: gone } of records) {
    if (type === "removed" && !is("keeps-removed")) copy.delete(gone as number);
    if (type === "item" && (copy.has(data.item_id) || !is("adds-nothing"))) copy.set(data.item_id, data);
  }
  return [...copy.values()].sort((one, other) => one.item_id - other.item_id);
}

async function answer(call: Call): Promise<Json> {
  const { operation, parameters, body, deadline_ms: ms } = call;
  until = performance.now() + ms;
  try {
    if (is("needs-key") && call.key === null) throw new Problem(null, null);
    if (call.call === "pages") return { value: await pages(call) };
    if (call.call === "follow") return { value: await follow(call) };
    if (call.call === "operation") return { value: (await json(call, operation, parameters, body)).data };
    if (operation === "streamHistoryDay") return { value: await day(call) };
    const { items, sha256 } = await snapshot(call);
    return { value: { count: items.length, sha256 } };
  } catch (error) {
    if (error instanceof Problem) return { problem: { code: error.code, status: error.status } };
    return { discarded: (error as Error).message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line) as Call;
  ({ id } = call);
  console.log(JSON.stringify({ id: call.id, ...(await answer(call)) }));
}
