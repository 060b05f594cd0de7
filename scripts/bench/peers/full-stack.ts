import { type Charge, type Charged, type Ledger, leaseMs } from "../../../src/access/ledger/ledger.ts";
import { type PlanTable, plans } from "../../../src/access/plans.ts";
import { startApp } from "../../../src/app.ts";
import { createEvents } from "../../../src/events.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";
import type { Running, Setup } from "./listening.ts";

/** A generator sends in a second what the Quant plan allows in a minute: only the minute is wider here. */
const widePlans: PlanTable = { ...plans, quant: { ...plans.quant, requestsPerMinute: 100_000_000 } };

/** The product as `serve` composes it, with its own ledger and worker. */
export function fullStack(setup: Setup): Promise<Running> {
  return start(setup, {});
}

/** The same with a ledger that grants and stores nothing: what is left is the cost of durability. */
export function uncharged(setup: Setup): Promise<Running> {
  return start(setup, { ledger: new UnstoredLedger() });
}

async function start({ database }: Setup, instead: { ledger?: Ledger }): Promise<Running> {
  const app = await startApp({
    config: { host: "127.0.0.1", port: 0, connectionsMax: 1024, inFlightMax: 256 },
    databasePath: database,
    clock: systemClock,
    ids: systemIds(),
    // The records are made as on the default level; nobody reads them.
    events: createEvents("info", { write() {} }),
    instead: { plans: widePlans, release: "bench", ...instead },
  });
  return {
    port: app.port,
    async close() {
      await app.close(0);
    },
  };
}

class UnstoredLedger implements Ledger {
  readonly fatal = new Promise<Error>(() => {});
  #used = 0;

  charge({ kind, at }: Charge): Promise<Charged> {
    this.#used += 1;
    const expiresAt = kind === "reserve" ? at + leaseMs : null;
    return Promise.resolve({ used: this.#used, limit: Number.MAX_SAFE_INTEGER, expiresAt });
  }

  endLease(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
