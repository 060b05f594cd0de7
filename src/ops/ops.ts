import { Registry } from "prom-client";
import { clockRegressionMax } from "../access/ledger/months.ts";
import type { Database } from "../store/database.ts";
import { LedgerClockReads } from "../store/read/credentials.ts";
import { GenerationsStore } from "../store/read/generations.ts";
import { MarketStateStore } from "../store/read/market-state.ts";
import { isRootEnding } from "../values/release-status.ts";
import { hourMs } from "../values/time/calendar.ts";
import { toTimestamp } from "../values/time/clock.ts";
import { listenForOps, type OpsAnswer, textAnswer } from "./listener.ts";
import { createStateMetrics, type StateSources } from "./state-metrics.ts";
import { createTrafficMetrics } from "./traffic-metrics.ts";

/** State of the server: it accepts no requests yet, answers them, or refuses them. */
export type Phase = "starting" | "serving" | "draining";

type OpsParts = Omit<StateSources, "stores"> & {
  host: string;
  port: number;
  /** Returns the read-only handle of the current market, null without a market. */
  reader: () => Database | null;
  ledger: { probe(): Promise<void> };
  problemCodes: readonly string[];
};

/** The listener for operators. `/ready` reports `phase`. */
export type Ops = { readonly port: number; phase: Phase; close(): Promise<void> };

/** Maximum wait for the ledger, ms. The ledger's own wait for another writer is shorter, so that its reason is reported. */
const probeMsMax = 3_000;

/**
 * Starts the listener for operators: `/live`, `/ready` and `/metrics`.
 * @throws {OperatorError} when it cannot listen on its address.
 */
export async function startOps({ host, port, reader, ledger, problemCodes, ...sources }: OpsParts): Promise<Ops> {
  const stores = storesOf(reader);
  const registry = new Registry();
  sources.events.observe(createTrafficMetrics(registry, problemCodes));
  const endSampling = createStateMetrics(registry, { ...sources, stores });
  // Concurrent checks share one probe, so that a hanging ledger gets no further ones.
  const probe = shared(() => ledger.probe());
  const checks = {
    file: async () => void marketOf(stores).state.availability(),
    clock: async () => refuseClockBehind(marketOf(stores).ledgerClock.highWater() - sources.clock.now()),
    // A node's ledger is in PostgreSQL.
    [sources.privateStatus() === null ? "ledger" : "private database"]: () => atMost(probeMsMax, probe(), "no answer"),
  };
  const ops: { phase: Phase } = { phase: "starting" };
  const read = shared(() => registry.metrics());
  const listener = await listenForOps(host, port, {
    "/live": async () => textAnswer(200, "live"),
    "/ready": async () => withNotes(await readiness(ops.phase, checks), notesOf(sources)),
    "/metrics": async () => ({ status: 200, mediaType: registry.contentType, body: await read() }),
  }).catch((error: unknown) => {
    endSampling();
    throw error;
  });
  return Object.assign(ops, {
    port: listener.port,
    async close() {
      endSampling();
      await listener.close();
    },
  });
}

/** Returns 200 `ready`, or 503 with one line per reason. */
async function readiness(phase: Phase, checks: Readonly<Record<string, () => Promise<void>>>): Promise<OpsAnswer> {
  if (phase !== "serving") return textAnswer(503, `not ready: ${phase}`);
  const found = await Promise.all(
    Object.entries(checks).map(([name, check]) =>
      check().then(
        () => null,
        (error: Error) => `not ready: ${name}: ${error.message}`,
      ),
    ),
  );
  const reasons = found.filter((reason) => reason !== null);
  return reasons.length === 0 ? textAnswer(200, "ready") : textAnswer(503, reasons.join("\n"));
}

/** Returns problems of releases. They do not make the server unready, because all nodes have the same publisher. */
function notesOf({
  clock,
  releaseStatus,
  followStatus,
}: Pick<OpsParts, "clock" | "releaseStatus" | "followStatus">): string[] {
  const sealed = releaseStatus();
  const notes = (sealed?.failure ?? null) === null ? [] : [`releases: failing: ${sealed!.failure}`];
  const followed = followStatus();
  const expiries = sealed?.expiries ?? followed?.expiries ?? null;
  if (expiries !== null && isRootEnding(expiries, clock.now())) {
    const expires = expiries.rootExpiresAt <= clock.now() ? "expired" : "expires";
    notes.push(`root: it ${expires} at ${toTimestamp(expiries.rootExpiresAt)}`);
  }
  if (followed === null) return notes;
  const { number, sealedAt, isStale, isExpired } = followed;
  if (number === null) notes.push("follow: no release was fetched yet");
  if (isStale) {
    const hours = Math.floor((clock.now() - (sealedAt ?? 0)) / hourMs);
    notes.push(`follow: stale: release ${number} was sealed ${hours} hours ago`);
  }
  if (isExpired) notes.push(`follow: expired: the signatures ended at ${toTimestamp(followed.expiries!.expiresAt)}`);
  if (followed.failure !== null) notes.push(`follow: failing: ${followed.failure}`);
  return notes;
}

function withNotes(answer: OpsAnswer, notes: readonly string[]): OpsAnswer {
  return notes.length === 0 ? answer : textAnswer(answer.status, [answer.body.trimEnd(), ...notes].join("\n"));
}

/** Returns a function that gives the stores of the current handle. */
function storesOf(reader: () => Database | null): StateSources["stores"] {
  let of: Database | null = null;
  let made: ReturnType<StateSources["stores"]> = null;
  return () => {
    const now = reader();
    if (now === of) return made;
    of = now;
    made =
      now === null
        ? null
        : {
            state: new MarketStateStore(now),
            generations: new GenerationsStore(now),
            ledgerClock: new LedgerClockReads(now),
          };
    return made;
  };
}

/** @throws {Error} without a market. */
function marketOf(stores: StateSources["stores"]): NonNullable<ReturnType<StateSources["stores"]>> {
  const found = stores();
  if (found === null) throw new Error("the market is empty");
  return found;
}

/** @throws {Error} if the machine's clock is too far behind to charge. */
function refuseClockBehind(behindMs: number): void {
  if (behindMs > clockRegressionMax)
    throw new Error("the machine's clock is behind the ledger's; see `npx itemtape db clock`");
}

/** Returns a function with one shared call for all concurrent callers. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    asked ??= ask().finally(() => {
      asked = null;
    });
    return asked;
  };
}

/** Settles as `work` does, or rejects with `message` after `ms`. */
async function atMost<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
