import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { KeyKind } from "../access/credentials.ts";
import { planNames } from "../access/plans.ts";
import { loadContract } from "../contract/document.ts";
import { isLoopback, ownHosts } from "../values/loopback.ts";
import { dayMs, hourMs } from "../values/time/calendar.ts";
import { parseInstant, toTimestamp } from "../values/time/clock.ts";
import type { WorldClocks } from "./clocks.ts";
import { faults } from "./faults.ts";
import type { Journal } from "./journal.ts";
import type { ScriptedKey, ScriptedKeys } from "./keys.ts";
import type { Played } from "./replay/replay.ts";
import type { ReplayThread } from "./replay/thread.ts";
import { ControlRefusal, parseScript, rangeOf, Script } from "./scripts.ts";

/** Large enough for a script with the maximum number of steps. */
const bodyBytesMax = 1024 * 1024;
const kinds: readonly KeyKind[] = ["project", "personal"];
/** Maximum clock move of one request, in seconds. */
const moveMost = (400 * dayMs) / 1000;
const isOwnHost = ownHosts("127.0.0.1");

type Parts = {
  controlKey: string;
  keys: ScriptedKeys;
  /** Journal of requests without a key of the sandbox. */
  others: Journal;
  clocks: WorldClocks;
  replay: ReplayThread | null;
};

type Reply = { status: number; body: unknown };
type Route = { method: string; path: RegExp; answer(parts: Parts, id: string, body: Record<string, unknown>): unknown };

const operations = new Set<string>(loadContract().operations.keys());

const routes: readonly Route[] = [
  { method: "POST", path: /^\/sandbox\/keys$/, answer: makeKey },
  { method: "GET", path: /^\/sandbox\/keys\/(\w+)$/, answer: ({ keys }, id) => shown(keys.byId(id)) },
  { method: "PUT", path: /^\/sandbox\/keys\/(\w+)\/script$/, answer: replaceScript },
  {
    method: "GET",
    path: /^\/sandbox\/keys\/(\w+)\/journal$/,
    answer: ({ keys }, id) => ({ data: keys.byId(id).journal.entries }),
  },
  { method: "POST", path: /^\/sandbox\/keys\/(\w+)\/reset$/, answer: resetKey },
  { method: "GET", path: /^\/sandbox\/journal$/, answer: ({ others }) => ({ data: others.entries }) },
  { method: "POST", path: /^\/sandbox\/reset$/, answer: resetAll },
  { method: "GET", path: /^\/sandbox\/faults$/, answer: () => ({ data: listedFaults() }) },
  { method: "GET", path: /^\/sandbox\/clock$/, answer: shownClock },
  { method: "POST", path: /^\/sandbox\/clock$/, answer: moveClock },
];

/** Returns whether a request is for the control API. Only loopback connections reach it. */
export function isControl({ url = "", socket }: IncomingMessage): boolean {
  const addresses = [socket.localAddress, socket.remoteAddress].map((address = "") => address.replace(/^::ffff:/, ""));
  return /^\/sandbox(?:[/?]|$)/.test(url) && addresses.every(isLoopback);
}

/** Answers a control API request. */
export async function answerControl(parts: Parts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { status, body } = await replyTo(parts, req).catch((error: unknown): Reply => {
    if (error instanceof ControlRefusal) return { status: error.status, body: { error: error.message } };
    throw error;
  });
  const text = `${JSON.stringify(body)}\n`;
  res.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...(!req.complete && { Connection: "close" }),
  });
  res.end(text);
}

async function replyTo(parts: Parts, req: IncomingMessage): Promise<Reply> {
  refuseStranger(parts, req);
  const [path = ""] = (req.url ?? "").split("?");
  const there = routes.filter((route) => route.path.test(path));
  const route = there.find(({ method }) => method === req.method);
  if (there.length === 0) throw new ControlRefusal("unknown path of the control API", 404);
  if (route === undefined) throw new ControlRefusal(`use ${there.map(({ method }) => method).join(" or ")}`, 405);
  const body = req.method === "GET" ? {} : await readJson(req);
  const status = route.method === "POST" && path === "/sandbox/keys" ? 201 : 200;
  return { status, body: await route.answer(parts, route.path.exec(path)?.[1] ?? "", body) };
}

/** Rejects requests from a page of another site or from a program without the control key. */
function refuseStranger({ controlKey }: Parts, req: IncomingMessage): void {
  if (!isOwnHost(req.headers.host)) throw new ControlRefusal("header `Host`: must name this machine", 403);
  if (!isSame(req.headers.authorization ?? "", `Bearer ${controlKey}`))
    throw new ControlRefusal("the control API needs the printed control key as Bearer credential", 401);
  const isJson = /^application\/json\s*(?:;|$)/i.test(req.headers["content-type"] ?? "");
  if (req.method !== "GET" && !isJson) throw new ControlRefusal("send Content-Type: application/json", 415);
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function readJson(req: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req) {
    bytes += (part as Buffer).length;
    if (bytes > bodyBytesMax) throw new ControlRefusal(`the body must have at most ${bodyBytesMax} bytes`, 413);
    parts.push(part as Buffer);
  }
  const text = Buffer.concat(parts).toString("utf8");
  try {
    const value: unknown = text === "" ? {} : JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error below covers invalid JSON.
  }
  throw new ControlRefusal("the body must be a JSON object");
}

function known<T extends string>(name: string, value: unknown, words: readonly T[]): T {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new ControlRefusal(`\`${name}\` must be one of ${words.join(", ")}`);
  return found;
}

function refuseStray(given: Record<string, unknown>, names: readonly string[]): void {
  const stray = Object.keys(given).find((name) => !names.includes(name));
  if (stray !== undefined) throw new ControlRefusal(`\`${stray}\` is not a member; use ${names.join(", ")}`);
}

function makeKey({ keys }: Parts, _id: string, given: Record<string, unknown>) {
  refuseStray(given, ["plan", "kind", "script"]);
  const kind = known("kind", given.kind ?? "project", kinds);
  const plan = known("plan", given.plan ?? "builder", planNames);
  const key = keys.make(plan, kind, parseScript(given.script ?? [], operations));
  return { ...shown(key), key: key.secret };
}

function replaceScript({ keys }: Parts, id: string, given: Record<string, unknown>) {
  refuseStray(given, ["script"]);
  const key = keys.byId(id);
  key.script = new Script(parseScript(given.script, operations));
  return shown(key);
}

/** Restarts the script of a key and clears its journal. */
function resetKey({ keys }: Parts, id: string) {
  const key = keys.byId(id);
  key.script.restart();
  key.journal.clear();
  return shown(key);
}

function resetAll({ keys, others }: Parts) {
  keys.reset();
  others.clear();
  return {};
}

async function moveClock(parts: Parts, _id: string, given: Record<string, unknown>) {
  const { clocks, replay } = parts;
  if (replay !== null) {
    const played = await moveReplay(clocks, replay, given);
    return { ...shownClock(parts), ...shownPlayed(played) };
  }
  refuseStray(given, ["advance_seconds"]);
  const seconds = given.advance_seconds;
  if (typeof seconds !== "number" || !Number.isSafeInteger(seconds) || seconds < 0 || seconds > moveMost)
    throw new ControlRefusal(`\`advance_seconds\` must be a whole number from 0 to ${moveMost}`);
  clocks.move(seconds * 1000);
  return shownClock(parts);
}

/** Moves the market's clock of a replay to an instant or to the next publication. */
async function moveReplay(
  { market }: WorldClocks,
  replay: ReplayThread,
  given: Record<string, unknown>,
): Promise<Played> {
  refuseStray(given, ["to", "next"]);
  const [words, until] = [Object.keys(given), toTimestamp(replay.span.until)];
  if (words.length !== 1) throw new ControlRefusal("give either `to` or `next`");
  if (words[0] === "next") {
    known("next", given.next, ["publication"]);
    const played = await replay.next();
    if (played.publication === null)
      throw new ControlRefusal(`the replay has no further publication; its clock is now at its end, ${until}`, 409);
    return played;
  }
  const to = typeof given.to === "string" ? parseInstant(given.to) : null;
  if (to === null || to < market.now() || to > replay.span.until)
    throw new ControlRefusal(`\`to\` must be an instant from ${toTimestamp(market.now())} to ${until}`);
  return replay.to(to);
}

function shownPlayed({ now, frames, publications, late, publication }: Played) {
  const { generation = "", frame = null } = publication ?? {};
  const shownFrame = frame && {
    feed: frame.feed,
    ts: toTimestamp(frame.hour * hourMs),
    recorded_at: toTimestamp(frame.recordedAt),
    late: frame.isLate,
  };
  const shown = publication && { generation, frame: shownFrame };
  return { now: toTimestamp(now), frames, publications, late, publication: shown };
}

function shownClock({ clocks: { market, stands }, replay }: Parts) {
  const now = toTimestamp(market.now());
  if (replay === null) return { now, stands };
  return { now, stands, from: toTimestamp(replay.span.from), until: toTimestamp(replay.span.until) };
}

function shown({ keyId, accountId, plan, kind, script }: ScriptedKey) {
  return { key_id: keyId, account_id: accountId, plan, kind, script: script.shown() };
}

function listedFaults() {
  return Object.entries(faults).map(([fault, { about, figures }]) => ({
    fault,
    about,
    figures: Object.entries(figures).map(([name, figure]) => ({ name, about: figure.about, takes: rangeOf(figure) })),
  }));
}
