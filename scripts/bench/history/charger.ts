import { createHistogram } from "node:perf_hooks";
import { apiKeys } from "../../../db/schema/access.ts";
import { GroupCommitLedger } from "../../../src/access/ledger/group-commit.ts";
import { openReader } from "../../../src/store/database.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { answerCalls } from "../channel.ts";

export type ChargeFigures = { charges: number; refused: number; p50Ms: number; p99Ms: number; maxMs: number };

const chargesPerS = 1000;
const ids = systemIds();

/** Charges at a steady rate through the service's own ledger and its thread, in a process of its own. */
let opened: { ledger: GroupCommitLedger; keys: { keyId: string; accountId: string }[] } | null = null;
let running: Charges | null = null;

class Charges {
  readonly #histogram = createHistogram();
  readonly #startedMs = systemClock.monotonicMs();
  #due = 0;
  #refused = 0;
  #waiting: Promise<void>[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#tick();
  }

  async stop(): Promise<ChargeFigures> {
    clearTimeout(this.#timer);
    await Promise.all(this.#waiting);
    const histogram = this.#histogram;
    return {
      charges: histogram.count,
      refused: this.#refused,
      p50Ms: histogram.percentile(50) / 1000,
      p99Ms: histogram.percentile(99) / 1000,
      maxMs: histogram.max / 1000,
    };
  }

  /** All charges that are due by now. Each counts from when it was due: a late one has waited, whoever held it up. */
  #tick(): void {
    const elapsedMs = systemClock.monotonicMs() - this.#startedMs;
    for (; (this.#due * 1000) / chargesPerS <= elapsedMs; this.#due += 1) {
      this.#waiting.push(this.#charge(this.#startedMs + (this.#due * 1000) / chargesPerS, this.#due));
    }
    this.#timer = setTimeout(() => this.#tick(), 1);
  }

  async #charge(dueMs: number, number: number): Promise<void> {
    const { ledger, keys } = opened!;
    const at = systemClock.now();
    const key = keys[number % keys.length]!;
    try {
      const operation = "getItem";
      await ledger.charge({ kind: "charge", requestId: ids.requestId(at), ...key, operation, plan: "paid", at });
    } catch {
      this.#refused += 1;
    }
    this.#histogram.record(Math.max(1, Math.round((systemClock.monotonicMs() - dueMs) * 1000)));
  }
}

answerCalls(
  {
    async open(path: string): Promise<void> {
      const reader = openReader(path);
      const keys = reader.select({ keyId: apiKeys.keyId, accountId: apiKeys.accountId }).from(apiKeys).limit(64).all();
      reader.$client.close();
      opened = { ledger: await GroupCommitLedger.open(path), keys };
    },
    start(): void {
      running = new Charges();
    },
    stop: () => running?.stop(),
  },
  () => opened?.ledger.close(),
);
