import { Registry } from "prom-client";
import { clockRegressionMax } from "../access/ledger/months.ts";
import { LedgerClockReads } from "../store/credentials.ts";
import type { Database } from "../store/database.ts";
import { GenerationsStore } from "../store/generations.ts";
import { MarketStateStore } from "../store/market-state.ts";
import { listenForOps, type OpsAnswer, textAnswer } from "./listener.ts";
import { createStateMetrics, type StateSources } from "./state-metrics.ts";
import { createTrafficMetrics } from "./traffic-metrics.ts";

/** What the server does with new requests: none come in yet, they are answered, they are refused. */
export type Phase = "starting" | "serving" | "draining";

type OpsParts = Omit<StateSources, "state" | "generations" | "ledgerClock"> & {
  host: string;
  port: number;
  /** A read-only handle. */
  reader: Database;
  ledger: { probe(): Promise<void> };
};

/** The listener for operators. `phase` is what `/ready` tells. */
export type Ops = { readonly port: number; phase: Phase; close(): Promise<void> };

/** Longest wait for the ledger's answer, ms. */
const probeMsMax = 1_000;

/**
 * Starts the listener for operators: `/live`, `/ready` and `/metrics`.
 * @throws {OperatorError} when its address cannot be listened on.
 */
export async function startOps({ host, port, reader, ledger, ...sources }: OpsParts): Promise<Ops> {
  const state = new MarketStateStore(reader);
  const ledgerClock = new LedgerClockReads(reader);
  const registry = new Registry();
  sources.events.observe(createTrafficMetrics(registry));
  const generations = new GenerationsStore(reader);
  const endSampling = createStateMetrics(registry, { ...sources, state, generations, ledgerClock });
  // One at a time: a ledger that hangs is not asked again and again.
  const probe = shared(() => ledger.probe());
  const checks = {
    file: async () => void state.availability(),
    clock: async () => refuseClockBehind(ledgerClock.highWater() - sources.clock.now()),
    ledger: () => atMost(probeMsMax, probe(), "no answer"),
  };
  const ops: { phase: Phase } = { phase: "starting" };
  const read = shared(() => registry.metrics());
  const listener = await listenForOps(host, port, {
    "/live": async () => textAnswer(200, "live"),
    "/ready": async () => withReleases(await readiness(ops.phase, checks), sources.releaseStatus?.().failure ?? null),
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

/** Answers 200 `ready`, or 503 with a line for each reason. */
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

/** Adds that releases cannot be sealed, which is no reason to send a server no requests. */
function withReleases(answer: OpsAnswer, failure: string | null): OpsAnswer {
  return failure === null
    ? answer
    : textAnswer(answer.status, `${answer.body.trimEnd()}\nreleases: failing: ${failure}`);
}

/** @throws {Error} when the machine's clock is so far behind that nothing is charged. */
function refuseClockBehind(behindMs: number): void {
  if (behindMs > clockRegressionMax)
    throw new Error("the machine's clock is behind the ledger's; see `itemtape db clock`");
}

/** Returns a function that asks once for all who ask meanwhile. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    asked ??= ask().finally(() => {
      asked = null;
    });
    return asked;
  };
}

/** Resolves as `work` does, or rejects with `message` after `ms`. */
async function atMost<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
