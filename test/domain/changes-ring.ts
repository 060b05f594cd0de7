import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { constants, inflateRawSync } from "node:zlib";
import { MarketChanges } from "../../src/domain/market-changes.ts";
import { MarketSnapshot, type SnapshotRun } from "../../src/domain/market-snapshot.ts";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { createFeedDerived } from "../../src/import/catalog/feed-derived.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { closeDatabase, openReader, openWriter } from "../../src/store/database.ts";
import { ExportStatesStore, stateLifetimeMs, statesMax } from "../../src/store/read/export-states.ts";
import { MarketSnapshotStore } from "../../src/store/read/market-snapshot.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { variantOf, worldAt } from "../import/quotes/quote-world.ts";
import { Random } from "../sim/random.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";

/** The contents of an export at one time: each item's record by id, in ascending id. */
export type State = { generation: string; at: number; items: ReadonlyMap<number, string>; replacedAt: number | null };
type Rows = { start: Record<string, unknown>; end: Record<string, unknown>; rows: string[] };

const variantsMax = 24;
const provider = { provider: "bench", name: "Bench", kind: "cash" } as const;
const noProgress = { monotonicMs: () => 0 };

/**
 * Changes a small market again and again, and streams the differences from random earlier states. Applied to an earlier export, a stream
 * must give the current export. Unknown states must be refused. Tests `pairs` pairs in all.
 */
export function changesRing({ pairs, pairsPerStep, seed }: { pairs: number; pairsPerStep: number; seed: number }) {
  const random = new Random(seed);
  const folder = temporaryFolder();
  const path = join(folder, "market.db");
  let now = worldAt;
  const clock = { now: () => now, ...noProgress };
  const names = Array.from({ length: variantsMax }, (_, index) => `Item ${index + 1}`);
  const listed = new Set(names.keys());
  let derived = 0;
  const variants = () =>
    [...listed].map((index) =>
      variantOf({ marketHashName: names[index]!, identityKey: `paint:7:${index}/FT/plain/-` }, index),
    );
  newDatabase(path, (database) => void importCatalog(database, variants(), now));
  const writer = openWriter(path, 0);
  const reader = openReader(path);
  const snapshot = new MarketSnapshot(new MarketSnapshotStore(reader));
  const changes = new MarketChanges(new ExportStatesStore(reader));
  const rename = () => {
    const index = random.between(0, variantsMax - 1);
    names[index] = `Item ${index + 1} ${random.between(0, 2)}`;
  };
  const change = [
    () => publish(),
    () => publish(),
    () => {
      rename();
      importCatalog(writer, variants(), now);
    },
    () => {
      for (let moves = 1 + random.between(0, 2); moves > 0; moves -= 1) {
        const index = random.between(0, variantsMax - 1);
        if (!listed.delete(index)) listed.add(index);
      }
      if (random.chance(0.5)) rename();
      importCatalog(writer, variants(), now);
    },
    () => {
      derived += 1;
      createFeedDerived(
        writer,
        [
          variantOf(
            { identityKey: `paint:7:0/FT/souvenir-${derived}/-`, marketHashName: `Found ${derived}` },
            900 + derived,
          ),
        ],
        now,
      );
    },
  ];
  const prices = new Map<number, number>();
  const publish = () => {
    const ids = writer.$client.prepare<[], number>("SELECT item_id FROM items").pluck().all();
    const share = random.pick([0.02, 0.1, 0.1, 0.6]);
    for (const itemId of ids) {
      if (random.chance(share)) prices.set(itemId, random.between(100, 109));
      if (random.chance(share / 4)) prices.delete(itemId);
    }
    const items = new Map([...prices].map(([itemId, amount]) => [itemId, { asks: [ask(amount)], bids: [] }]));
    const facts = { feed: "bench", adapter: "canonical", providers: [provider] };
    runAtOnce(publishInBatches(writer, [{ facts, items }], { clock }));
  };
  const report = { pairs: 0, tooLarge: 0, unknown: 0, faults: [] as string[] };
  const states: State[] = [];
  try {
    publish();
    while (report.pairs < pairs && report.faults.length === 0) {
      now += random.pick([1, 60_000, 900_000]);
      random.pick(change)();
      const state = exportedState(snapshot.open({ requestId: "req_export", at: now }), now);
      const last = states.at(-1);
      if (last === undefined || !isSame(last, state)) {
        if (last !== undefined) last.replacedAt = now;
        states.push(state);
        if (states.length > 2 * statesMax) states.shift();
      }
      for (let count = 0; count < pairsPerStep; count += 1) {
        const fault = compare(
          changes,
          random.pick(random.chance(0.7) ? states.slice(-5) : states),
          states,
          now,
          report,
        );
        if (fault !== null) report.faults.push(`seed ${seed}, pair ${report.pairs}: ${fault}`);
        report.pairs += 1;
      }
    }
    return report;
  } finally {
    closeDatabase(reader);
    closeDatabase(writer);
    rmSync(folder, { recursive: true, force: true });
  }
}

function ask(amountCents: number) {
  return { provider: provider.provider, amountCents, quantity: null, url: null, observedAt: null };
}

/** Returns null if the stream from `held` gives the newest state, or is rightly refused. */
function compare(
  changes: MarketChanges,
  held: State,
  states: readonly State[],
  at: number,
  report: { tooLarge: number; unknown: number },
): string | null {
  const now = states.at(-1)!;
  const identityDigest = identityOf(held);
  // A later state may have been the same: it is named by the same digests.
  const same = states.findLast(
    (state) => state.generation === held.generation && identityOf(state).equals(identityDigest),
  )!;
  const age = states.length - states.indexOf(same);
  const isOld = same.replacedAt !== null && at - same.replacedAt > stateLifetimeMs;
  try {
    const generationId = Number(held.generation.slice(1));
    const run = changes.open(
      { generation: held.generation, generationId, identityDigest },
      { requestId: "req_changes", at },
    );
    const { start, end, rows } = rowsOf(run);
    if (isOld) return `a state of ${held.generation} is too old and was found`;
    const fault = foldFault(rows, held, now);
    if (fault !== null) return fault;
    const to = start.to as { generation: string; identity_digest: string };
    if (to.generation !== now.generation || to.identity_digest !== identityOf(now).toString("hex"))
      return "another state";
    if (JSON.stringify(end.to) !== JSON.stringify(to)) return "`end` does not match `start`";
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "changes_too_large") {
      report.tooLarge += 1;
      return isTooLarge(states.slice(states.indexOf(same))) ? null : `too little from ${held.generation} was refused`;
    }
    report.unknown += 1;
    // Import steps within ten seconds are one state. A repeated state counts twice.
    return isOld || age > statesMax / 2
      ? null
      : `a state of ${held.generation}, ${age} states ago, was refused: ${error.code}`;
  }
}

/** Applies a stream of changes to `held`. Returns null if the result is `now`, else the fault. */
export function foldFault(rows: readonly string[], held: State, now: State): string | null {
  const copy = new Map(held.items);
  for (const row of rows) {
    const record = JSON.parse(row) as { type: string; item_id?: number; data?: { item_id: number } };
    if (record.type === "item") copy.set(record.data!.item_id, row);
    else if (!copy.delete(record.item_id!)) return `item ${record.item_id} is removed and was not held`;
  }
  const folded = [...copy].sort(([a], [b]) => a - b).map(([, row]) => row);
  const isSame = folded.join("\n") === [...now.items.values()].join("\n");
  return isSame ? null : `from ${held.generation} to ${now.generation}: another market`;
}

/** Returns whether the current records of all items changed on the way exceed half of an export. An item that changed back counts too. */
function isTooLarge(states: readonly State[]): boolean {
  const changed = new Set<number>();
  for (const [index, { items }] of states.entries()) {
    const before = states[index - 1]?.items ?? items;
    for (const itemId of new Set([...before.keys(), ...items.keys()])) {
      if (before.get(itemId) !== items.get(itemId)) changed.add(itemId);
    }
  }
  const bytesOf = (rows: Iterable<string>) => [...rows].reduce((sum, row) => sum + row.length + 1, 0);
  const { items } = states.at(-1)!;
  return (
    bytesOf([...changed].map((itemId) => items.get(itemId) ?? `{"type":"removed","item_id":${itemId}}`)) * 2 >
    bytesOf(items.values())
  );
}

function isSame(one: State, other: State): boolean {
  return one.generation === other.generation && identityOf(one).equals(identityOf(other));
}

const identities = new WeakMap<State, Buffer>();

/** Returns the identity digest of a state. */
export function identityOf(state: State): Buffer {
  const known = identities.get(state);
  if (known !== undefined) return known;
  const hash = createHash("sha256");
  for (const row of state.items.values()) {
    const { item_id, market_hash_name, phase, availability } = (JSON.parse(row) as { data: Record<string, unknown> })
      .data;
    hash.update(`${JSON.stringify({ item_id, market_hash_name, phase, availability })}\n`);
  }
  const digest = hash.digest();
  identities.set(state, digest);
  return digest;
}

/** Returns the contents of an export. */
export function exportedState(run: SnapshotRun, at: number): State {
  const { start, rows } = rowsOf(run);
  const items = new Map(rows.map((row) => [(JSON.parse(row) as { data: { item_id: number } }).data.item_id, row]));
  return { generation: String(start.generation), at, items, replacedAt: null };
}

/** Returns the first and the last record of a stream, and the lines between them. */
export function rowsOf(run: SnapshotRun): Rows {
  const pages: Buffer[] = [];
  for (let page = run.next(); page !== null; page = run.next()) {
    // Parts compressed at the publication of their generation are separate.
    for (const part of Buffer.isBuffer(page) ? [page] : page) {
      pages.push(Buffer.isBuffer(part) ? part : inflateRawSync(part.deflated, { finishFlush: constants.Z_SYNC_FLUSH }));
    }
  }
  const [start = "", ...rows] = Buffer.concat(pages).toString().split("\n").slice(0, -1);
  return { start: JSON.parse(start), end: JSON.parse(rows.pop() ?? ""), rows };
}
