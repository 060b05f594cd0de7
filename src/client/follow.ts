import { digestsOf } from "./digest.ts";
import { ExportError, ItemtapeError } from "./errors.ts";
import { type Parts, streamChunks } from "./exports.ts";
import { isUnavailable, pauseMsFor, waitMsFor } from "./retry.ts";
import type {
  Answer,
  CallOptions,
  ChangesRecord,
  FollowOptions,
  Market,
  OperationId,
  Params,
  RetryNotice,
  Schema,
  SnapshotItem,
  VerifiedExport,
} from "./types.ts";

/** Calls of `followMarket` in addition to the stream of changes. */
export type FollowCalls = {
  /** Reads an export. It needs no digest check, because the next stream of changes proves both digests. */
  takeExport(): Promise<VerifiedExport>;
  waitFor(params: Params<"getCurrentGeneration">, options: CallOptions): Promise<Answer<"getCurrentGeneration">>;
  readGeneration(generation: string, options: CallOptions): Promise<Answer<"getGeneration">>;
};

/** A market with unconfirmed digests. */
type UnconfirmedMarket = Pick<Market, "generation" | "digest" | "identityDigest" | "items">;

/** Maximum number of consecutive failures: unconfirmed exports, broken streams of changes or lost connections. */
const attemptsMax = 3;
const waitSeconds = 30;
const waitMs = waitSeconds * 1000;
const passing: ReadonlySet<string> = new Set(["changed", "interrupted", "truncated"]);
/** Temporary refusals, after which the same request will be admitted. */
const retriedCodes: ReadonlySet<unknown> = new Set([
  "changes_busy",
  "changes_capacity",
  "snapshot_busy",
  "snapshot_capacity",
  "waiting_limit",
  "rate_limited",
]);
/**
 * Retry limits of a copy, which may run for days and so waits longer than a single call. Without `Retry-After`, waits stop growing at the
 * seventh, half a minute.
 */
const patience = { attemptsMax: Number.POSITIVE_INFINITY, waitMsMax: 86_400_000 };
const doublingsMax = 7;
const changesId = "streamMarketChanges";
const outdated: ReadonlySet<unknown> = new Set(["generation_not_found", "changes_too_large"]);

/**
 * Yields the market, and again after each change. Never yields a state that the digests do not prove.
 * @throws {ExportError|ItemtapeError|TransportError} or the reason of the caller's signal.
 */
export async function* followMarket(
  parts: Parts,
  calls: FollowCalls,
  options: FollowOptions,
): AsyncGenerator<Market, void, undefined> {
  const { since, pauseMs } = options;
  let copy = since ? unconfirmedMarketOf(since.generation, since.items) : null;
  let shown: Market | null = null;
  let isExport = false;
  // One of several servers may be behind. The copy goes back only at its own address, and only if the newer generation no longer exists
  // there.
  let newest = copy?.generation ?? null;
  let isOwn = !since || since.baseUrl === parts.settings.base.href;
  for (let failures = 0; ; ) {
    if (copy === null) {
      const { start, items } = await lasting(parts, "streamMarketSnapshot", options, () => calls.takeExport());
      const isBack = isOlder(start.generation, newest);
      const gone = isBack ? await refusalOfGeneration(parts, calls, newest!, options) : null;
      if (gone !== null && !isOwn) throw gone;
      if (isBack && gone === null) {
        failures += 1;
        if (failures === attemptsMax) throw new ExportError("changed", olderText(start.generation, newest));
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
      } else if (pauseMs === undefined) await pause(parts, 1, options);
      copy = shown;
      newest = copy.generation;
      isOwn = true;
      isExport = false;
      failures = 0;
    } catch (error) {
      const isOutdated = error instanceof ItemtapeError && error.status === 404 && outdated.has(error.code);
      if (!isOutdated && !(error instanceof ExportError)) throw error;
      // A copy is replaced without an error. An unconfirmed export may be inconsistent because of a catalog change.
      if (isExport) failures += 1;
      if (failures === attemptsMax) throw error;
      if (isExport) await pause(parts, failures, options);
      copy = null;
      continue;
    }
    if (pauseMs === undefined) await anotherState(parts, calls, shown, options);
    else await parts.transport.wait(pauseMs, options.signal);
  }
}

/**
 * Runs `work` until it succeeds or fails permanently. After temporary refusals it waits as long as the server asks, beyond the limits of
 * the policy. Lost connections and broken streams of changes are retried.
 */
async function lasting<Result>(
  parts: Parts,
  operationId: OperationId,
  options: FollowOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const { parts: tools, onRetry } = parts.settings;
  for (let broken = 0, refused = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      const isRetried = options.refusals !== "throw" && error instanceof ItemtapeError && retriedCodes.has(error.code);
      let waitMs: number | null = null;
      if (isRetried) {
        refused += 1;
        const given = { policy: patience, random: tools.random };
        waitMs = waitMsFor(error, Math.min(refused, doublingsMax), Number.POSITIVE_INFINITY, given);
      } else if (isBroken(error, operationId)) {
        broken += 1;
        if (broken < attemptsMax) waitMs = pauseMsFor(broken, tools.random);
      }
      if (waitMs === null) throw error;
      onRetry({ operationId, ...reportedAs(error), waitMs, attempt: isRetried ? refused : broken });
      await parts.transport.wait(waitMs, options.signal);
    }
  }
}

/** Returns whether the service did not answer, or a stream of changes broke: a retry may succeed. */
function isBroken(error: unknown, operationId: OperationId): boolean {
  if (isUnavailable(error)) return true;
  return operationId === changesId && error instanceof ExportError && passing.has(error.reason);
}

function reportedAs(error: unknown): Pick<RetryNotice, "status" | "code"> {
  if (error instanceof ItemtapeError) return { status: error.status, code: error.code };
  if (!(error instanceof ExportError)) return { status: 0, code: null };
  return { status: 200, code: error.reason === "truncated" ? null : `snapshot_${error.reason}` };
}

/** Applies one stream of changes to a copy of `copy`, which stays unchanged. */
async function changed(parts: Parts, copy: UnconfirmedMarket, options: FollowOptions): Promise<Market> {
  const { generation, digest, identityDigest } = copy;
  const from = { generation, digest, identity_digest: identityDigest };
  const items = new Map(copy.items);
  const changes = { items: [] as number[], removed: [] as number[] };
  const differs = (why: string) => new ExportError("digest", `the changes since ${generation} ${why}`);
  let start: Schema<"ChangesStart"> | null = null;
  for await (const records of streamChunks<ChangesRecord>(parts, options, undefined, from)) {
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
  const { to, request_id: requestId, generated_at: generatedAt, ingested_at: ingestedAt } = start;
  const isSame = changes.items.length + changes.removed.length === 0;
  const next = isSame ? copy : unconfirmedMarketOf(to.generation, items);
  if (next.digest !== to.digest || next.identityDigest !== to.identity_digest) {
    throw differs(`do not lead to the digests of ${to.generation}`);
  }
  const baseUrl = parts.settings.base.href;
  return { ...next, generation: to.generation, ingestedAt, generatedAt, requestId, baseUrl, changes };
}

/**
 * Waits until the server has another state than `market`, or has lost this one. Each request costs a unit and lasts up to half a minute. A
 * server that stays behind is reported to `onRetry`, and the wait continues.
 */
async function anotherState(parts: Parts, calls: FollowCalls, market: Market, options: FollowOptions): Promise<void> {
  const { parts: tools, onRetry } = parts.settings;
  const { signal, retry } = options;
  for (let behind = 0; ; ) {
    const askedMs = tools.clock.monotonicMs();
    const params = { after: market.generation, wait_seconds: waitSeconds };
    const { data } = await lasting(parts, "getCurrentGeneration", options, () =>
      calls.waitFor(params, { signal, retry }),
    );
    const next = { ...data, identityDigest: data.identity_digest };
    const isBehind = isOlder(data.generation, market.generation);
    if (!isBehind && isChanged(market, next)) return;
    behind = isBehind ? behind + 1 : 0;
    // A restarting server answers immediately, so the next request is delayed.
    const pauseMs = tools.clock.monotonicMs() - askedMs < waitMs / 2 ? pauseMsFor(1, tools.random) : 0;
    if (behind >= attemptsMax) {
      const found = { status: 200, code: null, behind: data.generation };
      onRetry({ operationId: "getCurrentGeneration", ...found, waitMs: pauseMs, attempt: behind });
      if ((await refusalOfGeneration(parts, calls, market.generation, options)) !== null) return;
    }
    if (pauseMs > 0) await parts.transport.wait(pauseMs, signal);
  }
}

/** Returns the refusal of a service that no longer has the generation; null if it has it, or may only be behind. Costs a unit. */
async function refusalOfGeneration(
  parts: Parts,
  calls: FollowCalls,
  generation: string,
  options: FollowOptions,
): Promise<ItemtapeError | null> {
  const once = { signal: options.signal, retry: { ...options.retry, attemptsMax: 1 } };
  try {
    await lasting(parts, "getGeneration", options, () => calls.readGeneration(generation, once));
    return null;
  } catch (error) {
    if (!(error instanceof ItemtapeError)) throw error;
    return error.code === "generation_not_found" ? error : null;
  }
}

function pause({ settings, transport }: Parts, attempt: number, { signal }: FollowOptions): Promise<void> {
  return transport.wait(pauseMsFor(attempt, settings.parts.random), signal);
}

type State = { readonly generation: string; readonly digest: string; readonly identityDigest: string | null };

function isChanged(one: State, other: State): boolean {
  return (
    one.generation !== other.generation || one.digest !== other.digest || one.identityDigest !== other.identityDigest
  );
}

/** Returns whether `generation`, such as g7, is older than `other`. Returns false if `other` is null. */
export function isOlder(generation: string, other: string | null): boolean {
  return other !== null && Number(generation.slice(1)) < Number(other.slice(1));
}

function olderText(generation: string, newest: string | null): string {
  return `the service has ${generation} repeatedly, which is older than ${newest} of the copy`;
}

/** Sorts the items, because new ones may be out of order, and computes both digests. */
function unconfirmedMarketOf(generation: string, items: ReadonlyMap<number, SnapshotItem>): UnconfirmedMarket {
  const inOrder = new Map([...items].sort(([one], [other]) => one - other));
  return { generation, items: inOrder, ...digestsOf(inOrder.values()) };
}
