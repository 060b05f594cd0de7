import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { Script, constants as vmConstants } from "node:vm";
import { type Ledger, leaseMs } from "../../../src/access/ledger/ledger.ts";
import { plans } from "../../../src/access/plans.ts";
import { createEvents } from "../../../src/events.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";

/**
 * The files that a server reads: the service's, the quotes of the export as rows, and a whole export. `privateUrl`: where accounts
 * are, when they are not in the file.
 */
export type Setup = { database: string; quoteRows: string; exportFile: string; privateUrl?: string };
export type Running = { port: number; close(): Promise<void> | void };
export type StartServer = (setup: Setup) => Promise<Running>;

/** Starts a plain HTTP server on a free port. `release` closes what the listener reads from. */
export function listening(listener: RequestListener, release: () => void = () => {}): Promise<Running> {
  const server = createServer(listener);
  const close = () => {
    server.close();
    server.closeAllConnections();
    release();
  };
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ port: (server.address() as AddressInfo).port, close }));
  });
}

type AppModule = typeof import("../../../src/app.ts");

/** Loads the service: the translation that `startChild` made, as a package's is loaded; in a test, its sources. */
async function loadApp(): Promise<AppModule> {
  const filename = process.env.ITEMTAPE_BENCH_APP;
  if (filename === undefined) return await import("../../../src/app.ts");
  const importModuleDynamically = vmConstants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new Script(readFileSync(filename, "utf8"), { filename, importModuleDynamically });
  const module = { exports: {} };
  const root = new URL("../../../", import.meta.url);
  script.runInThisContext()(module.exports, createRequire(new URL("package.json", root)), module, root.href);
  return module.exports as AppModule;
}

/** Starts the service as `serve` composes it, with its own ledger and worker. */
export async function fullStack({ database, privateUrl }: Setup, ledger?: Ledger): Promise<Running> {
  // Only here: the plain servers need none of the service.
  const { startApp } = await loadApp();
  // The generator sends in a second what the Quant plan allows in a minute.
  const widePlans = { ...plans, quant: { ...plans.quant, requestsPerMinute: 100_000_000 } };
  const app = await startApp({
    config: { host: "127.0.0.1", port: 0, connectionsMax: 1024, inFlightMax: 256 },
    databasePath: database,
    ...(privateUrl === undefined ? {} : { privateUrl }),
    clock: systemClock,
    ids: systemIds(),
    // Records are made as on the default level, but not written.
    events: createEvents("info", { write() {} }),
    instead: { plans: widePlans, release: "bench", ...(ledger === undefined ? {} : { ledger }) },
  });
  return { port: app.port, close: async () => void (await app.close(0)) };
}

/** Starts the same with a ledger that grants everything and stores nothing: the difference is the cost of durability. */
export function uncharged(setup: Setup): Promise<Running> {
  const limit = Number.MAX_SAFE_INTEGER;
  let used = 0;
  return fullStack(setup, {
    fatal: new Promise(() => {}),
    charge: async ({ kind, at }) => ({ used: ++used, limit, expiresAt: kind === "reserve" ? at + leaseMs : null }),
    endLease: async () => {},
    probe: async () => {},
    close: async () => {},
  });
}
