import { digestsOf } from "./digest.ts";
import { ExportError, ItemtapeError } from "./errors.ts";
import { type Parts, streamChunks } from "./exports.ts";
import { isAway, pauseMsFor, waitMsFor } from "./retry.ts";
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

/** Calls that a copy needs beside the stream of changes. */
export type FollowCalls = {
  /** Takes an export; its digest need not be asked for, since the stream of changes after it proves both. */
  takeExport(): Promise<VerifiedExport>;
  waitFor(params: Params<"getCurrentGeneration">, options: CallOptions): Promise<Answer<"getCurrentGeneration">>;
  readGeneration(generation: string, options: CallOptions): Promise<Answer<"getGeneration">>;
};

/** A market whose digests nobody has confirmed yet. */
type Held = Pick<Market, "generation" | "digest" | "identityDigest" | "items">;

/** Exports in a row that no stream of changes confirmed, and streams or connections in a row that broke off, before the failure counts. */
const attemptsMax = 3;
const waitSeconds = 30;
const waitMs = waitSeconds * 1000;
const passing: ReadonlySet<string> = new Set(["changed", "interrupted", "truncated"]);
/** Refusals after which the same request will be admitted: a place or a minute is taken. */
const taken: ReadonlySet<unknown> = new Set([
  "changes_busy",
  "changes_capacity",
  "snapshot_busy",
  "snapshot_capacity",
  "waiting_limit",
  "rate_limited",
]);
/** A copy is kept for days: it waits longer than a single call does. Of waits without `Retry-After` the seventh and later take half a minute. */
const patience = { attemptsMax: Number.POSITIVE_INFINITY, waitMsMax: 86_400_000 };
const doublingsMax = 7;
const changesId = "streamMarketChanges";
const outdated: ReadonlySet<unknown> = new Set(["generation_not_found", "changes_too_large"]);

/**
 * Yields the market as it is and again whenever it changed. A state that the digests do not prove is never handed over.
 *
 * @throws {ExportError|ItemtapeError|TransportError} or the reason of the caller's signal.
 */
export async function* followMarket(
  parts: Parts,
  calls: FollowCalls,
  options: FollowOptions,
): AsyncGenerator<Market, void, undefined> {
  const { since, pauseMs } = options;
  let held = since ? heldOf(since.generation, since.items) : null;
  let shown: Market | null = null;
  let isExport = false;
  // Of several servers one can be behind: the copy goes back only at its own address, if the newer generation is gone there.
  let newest = held?.generation ?? null;
  let isOwn = !since || since.baseUrl === parts.settings.base.href;
  for (let failures = 0; ; ) {
    if (held === null) {
      const { start, items } = await lasting(parts, "streamMarketSnapshot", options, () => calls.takeExport());
      const isBack = isOlder(start.generation, newest);
      const gone = isBack ? await goneWith(parts, calls, newest!, options) : null;
      if (gone !== null && !isOwn) throw gone;
      if (isBack && gone === null) {
        failures += 1;
        if (failures === attemptsMax) throw new ExportError("changed", olderText(start.generation, newest));
        await pause(parts, failures, options);
        continue;
      }
      held = heldOf(start.generation, new Map(items.map((item) => [item.item_id, item])));
      isExport = true;
    }
    try {
      const from = held;
      const next = await lasting(parts, changesId, options, () => changed(parts, from, options));
      if (shown === null || isChanged(shown, next)) {
        shown = isExport ? { ...next, changes: null } : next;
        yield shown;
      } else if (pauseMs === undefined) await pause(parts, 1, options);
      held = shown;
      newest = held.generation;
      isOwn = true;
      isExport = false;
      failures = 0;
    } catch (error) {
      const isOutdated = error instanceof ItemtapeError && error.status === 404 && outdated.has(error.code);
      if (!isOutdated && !(error instanceof ExportError)) throw error;
      // One that was held is given up without a word; an export that is not confirmed may be torn by a change of the catalog.
      if (isExport) failures += 1;
      if (failures === attemptsMax) throw error;
      if (isExport) await pause(parts, failures, options);
      held = null;
      continue;
    }
    if (pauseMs === undefined) await anotherState(parts, calls, shown, options);
    else await parts.transport.wait(pauseMs, options.signal);
  }
}

/**
 * Does one part of following until it succeeds or fails for good. Where a place or the minute is taken it waits as long as the server asks,
 * longer than the policy would; a connection or a stream of changes that broke off is begun again.
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
      const isTaken = options.refusals !== "throw" && error instanceof ItemtapeError && taken.has(error.code);
      let waitMs: number | null = null;
      if (isTaken) {
        refused += 1;
        const given = { policy: patience, random: tools.random };
        waitMs = waitMsFor(error, Math.min(refused, doublingsMax), Number.POSITIVE_INFINITY, given);
      } else if (isBroken(error, operationId)) {
        broken += 1;
        if (broken < attemptsMax) waitMs = pauseMsFor(broken, tools.random);
      }
      if (waitMs === null) throw error;
      onRetry({ operationId, ...reportedAs(error), waitMs, attempt: isTaken ? refused : broken });
      await parts.transport.wait(waitMs, options.signal);
    }
  }
}

/** Returns whether there was no answer of the service, or a stream of changes that broke off: the next one may come whole. */
function isBroken(error: unknown, operationId: OperationId): boolean {
  if (isAway(error)) return true;
  return operationId === changesId && error instanceof ExportError && passing.has(error.reason);
}

function reportedAs(error: unknown): Pick<RetryNotice, "status" | "code"> {
  if (error instanceof ItemtapeError) return { status: error.status, code: error.code };
  if (!(error instanceof ExportError)) return { status: 0, code: null };
  return { status: 200, code: error.reason === "truncated" ? null : `snapshot_${error.reason}` };
}

/** Applies one stream of changes to a copy of `held`, which stays as it is. */
async function changed(parts: Parts, held: Held, options: FollowOptions): Promise<Market> {
  const { generation, digest, identityDigest } = held;
  const from = { generation, digest, identity_digest: identityDigest };
  const items = new Map(held.items);
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
        if (!items.delete(record.item_id)) throw differs(`remove item ${record.item_id}, which the copy does not hold`);
        changes.removed.push(record.item_id);
      }
    }
  }
  if (start === null) throw differs("have no start");
  const { to, request_id: requestId, generated_at: generatedAt, ingested_at: ingestedAt } = start;
  const isSame = changes.items.length + changes.removed.length === 0;
  const next = isSame ? held : heldOf(to.generation, items);
  if (next.digest !== to.digest || next.identityDigest !== to.identity_digest) {
    throw differs(`do not lead to the digests of ${to.generation}`);
  }
  const baseUrl = parts.settings.base.href;
  return { ...next, generation: to.generation, ingestedAt, generatedAt, requestId, baseUrl, changes };
}

/**
 * Waits until the server has another state than `market`, or has lost it. Each request costs a unit and takes up to half a minute. A
 * server that stays behind is reported, and asked again.
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
    // A server that is being restarted answers at once.
    const pauseMs = tools.clock.monotonicMs() - askedMs < waitMs / 2 ? pauseMsFor(1, tools.random) : 0;
    if (behind >= attemptsMax) {
      const found = { status: 200, code: null, behind: data.generation };
      onRetry({ operationId: "getCurrentGeneration", ...found, waitMs: pauseMs, attempt: behind });
      if ((await goneWith(parts, calls, market.generation, options)) !== null) return;
    }
    if (pauseMs > 0) await parts.transport.wait(pauseMs, signal);
  }
}

/** Returns the refusal of a service that does not have the generation; null if it has it or may only be behind. Costs a unit. */
async function goneWith(
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

/** Returns whether a generation such as g7 came before `other`; null: nothing is known. */
export function isOlder(generation: string, other: string | null): boolean {
  return other !== null && Number(generation.slice(1)) < Number(other.slice(1));
}

function olderText(generation: string, newest: string | null): string {
  return `the service has ${generation} again and again, which is older than ${newest} of the copy`;
}

/** Sorts the items, which a new one may have put out of order, and computes both digests. */
function heldOf(generation: string, items: ReadonlyMap<number, SnapshotItem>): Held {
  const inOrder = new Map([...items].sort(([one], [other]) => one - other));
  return { generation, items: inOrder, ...digestsOf(inOrder.values()) };
}
