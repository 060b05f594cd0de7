import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { AppParts } from "../compose.ts";
import type { Config } from "../config/config.ts";
import { makeOwnFolder } from "../config/data-folder.ts";
import type { Events } from "../log/events.ts";
import type { LogLines } from "../log/log.ts";
import { draftPath } from "../values/drafts.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { systemIds } from "../values/ids.ts";
import { barOnTerminal } from "../values/progress.ts";
import { hourMs } from "../values/time/calendar.ts";
import { systemClock } from "../values/time/clock.ts";
import { type Call, commandsOf, onDemoFile, usageError } from "./command.ts";
import { cannotListen, isDemoFile, localAddress, publicAddress } from "./open.ts";
import type { Bases } from "./print-demo.ts";
import { privateAddress } from "./private-address.ts";
import { signals } from "./signals.ts";

/** Milliseconds after the drain at which a shutdown counts as hung. */
const hangMs = 1500;
/** Time for open responses after the storage failed, ms. */
const failureDrainMs = 2000;
const serverSettings = [
  "db",
  "host",
  "port",
  "opsHost",
  "opsPort",
  "publicUrl",
  "pageUnits",
  "itemPictures",
  "logLevel",
  "drainMs",
  "drainPauseMs",
  "connectionsMax",
  "connectionsPerAddressMax",
  "trustedProxies",
  "inFlightMax",
  "walBytesMax",
  "mirrorConfig",
  "publishEveryMs",
  "releaseTo",
  "releaseKey",
  "releaseKeep",
  "releaseKeepHours",
  "releaseOwnNodes",
  "follow",
  "trust",
  "followEveryMs",
  "followStaleHours",
  "privateDb",
  "privateDbFile",
  "valuationSchedule",
  "roiSchedule",
] as const;
const serverFlags = {
  mirror: "also poll the feeds of --mirror-config",
};
const liveFlags = {
  "live [SOURCE]...": "serve a ready source, NAME=URL, or FILE or URL with --mapping; without SOURCE, continue",
  "mapping NAME|FILE...": "mapping of the FILE or URL of --live",
  "terms-read": "confirm that you have read the sources' terms",
  json: "print JSON of --live",
};

export const serveCommands = commandsOf(serverSettings, [
  {
    usage: "start",
    settingsOf: "serve",
    flags: { ...liveFlags, ...serverFlags },
    description: "serve a demo world, or real prices with --live",
    example: "start --live skinport",
    run: start,
  },
  {
    usage: "serve",
    flags: serverFlags,
    description: "serve an existing, complete file",
    example: "serve --db /var/lib/itemtape/itemtape.db --mirror",
    run: (call) => serve(call, null),
  },
]);

async function start(given: Call): Promise<number> {
  if (given.flags("live").length > 0) {
    const { startLive } = await import("./live/start-live.ts");
    return startLive(given, { tryListening, serve });
  }
  const stray = ["mapping", "terms-read", "json"].find((name) => given.has(name) || given.flags(name).length > 0);
  if (stray !== undefined) throw usageError(`--${stray} belongs to --live; name a source, such as --live skinport`);
  const call = onDemoFile(given);
  makeOwnFolder(call.config.db);
  const { databasePath, nameDraft, removeFile } = await import("../store/file/file.ts");
  const path = databasePath(call.config.db);
  if (existsSync(path) || call.config.follow !== "") return serve(call, null);
  // Checked first, because creating the file needs seconds.
  await tryListening(call.config);
  call.out.note(`making ${call.config.db} with the demo world`);
  const { createDemoFile } = await import("../demo/demo.ts");
  const { printDemo, shownDemo } = await import("./print-demo.ts");
  const { holdLock } = await import("../store/file/lock.ts");
  const progress = barOnTerminal(process.stderr, systemClock);
  // Two concurrent starts create only one file.
  const lock = holdLock(path, "serve");
  const draft = draftPath(path, "new");
  const made = () => shownDemo(draft, createDemoFile(draft, systemClock.now(), { progress }));
  let keys: ReturnType<typeof made>;
  let caught: ReturnType<typeof signals>;
  try {
    keys = made();
    // From now on a signal is handled only after the keys were shown. Before, a signal leaves no file.
    caught = signals();
    nameDraft(draft, path);
  } finally {
    removeFile(draft);
    lock.release();
  }
  return serve(call, (bases) => printDemo(call.out, keys, bases), { caught }).catch((error: unknown) => {
    // The keys were never shown, so the file is removed and the next start creates another.
    if (error instanceof OperatorError) removeFile(path);
    throw error;
  });
}

/** Serves until a signal or a failure. `onListening` is called once it listens. `roiAtOnce`: calculates the returns at the start. */
async function serve(
  call: Call,
  onListening: ((bases: Bases) => void | Promise<void>) | null,
  { caught = signals(), roiAtOnce = false }: { caught?: ReturnType<typeof signals>; roiAtOnce?: boolean } = {},
): Promise<number> {
  const { first, forget } = caught;
  const { config, out } = call;
  // With --json standard output is for programs.
  const say = call.has("json") ? out.note : out.line;
  const { databasePath, recordCleanStop } = await import("../store/file/file.ts");
  const path = databasePath(config.db);
  const follow = await followOf(call);
  const mirror = await mirrorOf(call);
  const releases = await releasesOf(call);
  const { logWarnings } = await import("../log/events.ts");
  const events = await eventsFor(call, process.stderr.isTTY);
  logWarnings(events);
  const { startApp } = await import("../app.ts");
  const ending = new AbortController();
  first.then(() => ending.abort());
  const schedules = {
    // The releases contain the returns.
    roiSchedule:
      config.roiSchedule === "on" && follow.follow === undefined && (roiAtOnce ? ("at_once" as const) : true),
    valuationSchedule: config.valuationSchedule === "on",
  };
  const privateUrl = privateAddress(config);
  const own = { config, databasePath: path, privateUrl, clock: systemClock, ids: systemIds(), events };
  const parts = { ...own, ...schedules, ...mirror, ...releases, ...follow, ending: ending.signal };
  const app = await startApp(parts).catch((error: unknown) => {
    if (follow.follow !== undefined && ending.signal.aborted) return null;
    forget();
    throw cannotListen(error, config.host, config.port);
  });
  if (app === null) {
    events.stopped({ clean: true, duration_ms: 0 });
    await events.flushed();
    return exitCodes.ok;
  }
  const base = localAddress(config, app.port);
  const publicBase = publicAddress(config, app.port);
  if (onListening !== null)
    try {
      await onListening({ base, publicBase });
    } catch (error) {
      await app.close(0);
      throw error;
    }
  else if (await isDemoFile(path))
    out.line(
      "The demo world: prices are invented. Its keys were shown when it was made; `npx itemtape db demo --reset` makes it again.",
    );
  if (app.opsPort !== null)
    say(`/live, /ready and /metrics are on ${localAddress({ ...config, host: config.opsHost }, app.opsPort)}`);
  const where = privateUrl === null ? "" : ", accounts are in the private database";
  say(`Itemtape listens on ${base}, the dashboard is at ${publicBase}/dashboard${where} (stop with Ctrl+C)`);
  const ended = await Promise.race([first, app.failed.then(() => "failure" as const), crashed(events)]);
  if (ended === "failure" || ended === "crash") {
    endIfHung(failureDrainMs);
    await app.close(failureDrainMs).catch(() => undefined);
    await events.flushed();
    return exitCodes.unexpected;
  }
  events.draining({ signal: ended, drain_ms: config.drainMs });
  const startedMs = systemClock.monotonicMs();
  endIfHung(config.drainPauseMs + config.drainMs);
  if (config.drainPauseMs > 0) {
    app.announceEnd();
    await setTimeout(config.drainPauseMs);
  }
  const { clean } = await app.close(config.drainMs);
  await recordCleanStop(path);
  events.stopped({ clean, duration_ms: Math.round(systemClock.monotonicMs() - startedMs) });
  await events.flushed();
  return exitCodes.ok;
}

/**
 * Creates the events of a server. On a terminal without a configured level, it logs only warnings and errors, as plain lines instead of
 * JSON.
 */
export async function eventsFor(
  { config, isLogAsked }: Pick<Call, "config" | "isLogAsked">,
  isTerminal: boolean,
  lines?: LogLines,
): Promise<Events> {
  const { createEvents } = await import("../log/events.ts");
  const isForPeople = isTerminal && !isLogAsked;
  return createEvents(isForPeople ? "warn" : config.logLevel, lines, { isForPeople });
}

/** Ends the process if its shutdown exceeds `drainMs` by far, or at another signal. */
function endIfHung(drainMs: number): void {
  const end = () => process.exit(exitCodes.unexpected);
  globalThis.setTimeout(end, drainMs + hangMs).unref();
  process.once("SIGTERM", end).once("SIGINT", end);
}

/** Reads the mirror's configuration for `--mirror`, before any part starts. */
async function mirrorOf({ config, has, feedValues }: Call): Promise<Pick<AppParts, "mirror">> {
  if (!has("mirror")) return {};
  const { readMirrorConfig } = await import("../jobs/mirror/mirror-config.ts");
  return {
    mirror: { feeds: readMirrorConfig(config.mirrorConfig, feedValues), publishEveryMs: config.publishEveryMs },
  };
}

/**
 * Reads the settings of releases to seal, and checks root and key, before any part starts.
 * @throws {OperatorError} when one of the two settings is missing, or the folder's root does not name the key.
 */
async function releasesOf({ config }: Call): Promise<Pick<AppParts, "releases">> {
  const { releaseTo, releaseKey, releaseKeep, releaseKeepHours, releaseOwnNodes } = config;
  if (releaseTo === "" && releaseKey === "") return {};
  if (releaseTo === "") throw usageError("--release-to is missing: name the folder of releases");
  if (releaseKey === "") throw usageError("--release-key is missing: name the file of the private key");
  const { readReleaseKey } = await import("../releases/key.ts");
  const { refuseOtherKey } = await import("../releases/metadata.ts");
  const { ReleaseFolder } = await import("../releases/folder.ts");
  refuseOtherKey(new ReleaseFolder(releaseTo), readReleaseKey(releaseKey));
  const retention = { count: releaseKeep, hours: releaseKeepHours };
  const ownNodes = releaseOwnNodes === "on";
  return { releases: { folder: resolve(releaseTo), keyPath: resolve(releaseKey), retention, ownNodes } };
}

/**
 * Reads the settings of releases to follow, before any part starts.
 * @throws {OperatorError} when other settings are missing or conflict.
 */
async function followOf({ config, has }: Call): Promise<Pick<AppParts, "follow">> {
  const { follow, trust, followEveryMs, followStaleHours } = config;
  if (follow === "") return {};
  if (trust === "") throw usageError("--trust is missing: give the trusted root of the publisher of --follow");
  const { parseTrust } = await import("../releases/trust.ts");
  parseTrust(trust);
  if (privateAddress(config) === null)
    throw usageError("--follow needs --private-db: files from releases hold no accounts");
  if (has("mirror")) throw usageError("--follow and --mirror exclude each other: the publisher polls the feeds");
  if (config.releaseTo !== "")
    throw usageError("--follow and --release-to exclude each other: the publisher seals the releases");
  const { releaseAddress } = await import("../releases/source.ts");
  const source = releaseAddress(follow)?.href ?? resolve(follow);
  return { follow: { source, trust, everyMs: followEveryMs, staleMs: followStaleHours * hourMs } };
}

/**
 * Listens on the address briefly.
 * @throws {OperatorError} when it cannot listen there.
 */
async function tryListening(config: Config): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(config.port, config.host), "listening");
  } catch (error) {
    throw cannotListen(error, config.host, config.port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Resolves at the first uncaught error. Later ones, while the server closes, are only logged. */
function crashed(events: Events): Promise<"crash"> {
  return new Promise((resolve) => {
    const stop = (error: unknown) => {
      events.crashed(error);
      resolve("crash");
    };
    process.on("uncaughtException", stop);
    process.on("unhandledRejection", stop);
  });
}
