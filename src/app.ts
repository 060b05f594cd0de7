import { GroupCommitLedger } from "./access/ledger/group-commit.ts";
import type { Ledger } from "./access/ledger/ledger.ts";
import type { NodesAccess } from "./access/nodes/access.ts";
import type { AppParts, Composed, Readers } from "./compose.ts";
import { releaseName } from "./config/release.ts";
import type { Handles } from "./following.ts";
import type { Follower } from "./jobs/follow/follower.ts";
import type { ReleaseSchedule } from "./jobs/releases/release-schedule.ts";
import type { Schedule } from "./jobs/schedule.ts";
import { StorageFailures } from "./log/storage-failures.ts";
import type { Ops } from "./ops/ops.ts";
import { closeDatabase, type Database, openReader } from "./store/database.ts";
import { refuseUnlessValid } from "./store/file/file.ts";
import { holdLock } from "./store/file/lock.ts";
import { removeAbandonedFiles } from "./store/file/names.ts";
import { isFullCode } from "./store/file/refusal.ts";
import { watchFile } from "./store/file/watch.ts";
import { FeedWriter } from "./store/write/feeds.ts";
import { ProviderTerms } from "./store/write/provider-terms.ts";
import { exitCodes, OperatorError } from "./values/failure/operator-error.ts";

export type App = {
  port: number;
  /** Port of the listener for operators, null if it is disabled. */
  opsPort: number | null;
  /** Resolves when the program cannot continue, because the storage failed or the file was replaced. */
  failed: Promise<Error>;
  /** Null if it is disabled. */
  roi: Schedule | null;
  valuation: Schedule | null;
  releases: ReleaseSchedule | null;
  follower: Follower | null;
  /** Returns the number of open exports that have read their first page. */
  exportsUnderWay(): number;
  /** Returns the number of requests that wait for the next generation. */
  requestsWaiting(): number;
  /**
   * Reports to load balancers that the server will end. Further requests are answered, and each of their connections closes after the
   * response.
   */
  announceEnd(): void;
  /** Drains and closes all parts in an order that loses nothing. `clean` is false if a response was interrupted. */
  close(drainMs: number): Promise<{ clean: boolean }>;
};

/** Size of the page cache for point reads of a whole catalog. */
const marketCacheKib = 64 * 1024;
/**
 * Size of the page cache for exports. An export reads each page once, and the next commit, such as its own charge, invalidates the cache.
 */
const exportsCacheKib = 512;

/**
 * Opens the file, builds the server on it and listens.
 *
 * @throws {StoreRefusal}
 */
export async function startApp(parts: AppParts): Promise<App> {
  const { config, databasePath, clock, events, instead = {} } = parts;
  const release = instead.release ?? releaseName();
  if (parts.follow === undefined) refuseUnlessValid(databasePath, { trustsCleanStop: true });
  removeAbandonedFiles(databasePath);
  const lock = holdLock(databasePath, "serve");
  const opened: (() => unknown)[] = [() => lock.release()];
  try {
    const following = parts.follow === undefined ? null : await import("./following.ts");
    const follower = (await following?.openFollower(parts, opened)) ?? null;
    // The ledger's thread starts while the server's modules are loaded. Each needs about half of the start.
    const nodes = parts.privateUrl == null ? null : await openNodes(parts, parts.privateUrl);
    if (nodes !== null) opened.push(() => nodes.close());
    const opening = nodes?.ledger ?? instead.ledger ?? openLedger(parts);
    const [ledger, { compose }] = await Promise.all([opening, import("./compose.ts")]);
    opened.push(() => ledger.close());
    const running: Running = { readers: null, server: null, releases: null };
    const ops = await startOps(parts, { release, ledger, running, follower, nodes }, opened);
    if (follower !== null && following?.isServable(databasePath) === false) await downloadFirst(follower, parts);
    const readers = following?.openFixedReaders(databasePath, marketCacheKib) ?? openReaders(databasePath);
    running.readers = readers;
    // The ledger is closed after the readers, because the log is emptied only if the last connection can write.
    opened.push(() => {
      running.readers = null;
      closeReaders(readers);
    });
    const server = await compose(parts, release, {
      ledger,
      readers,
      nodes,
      downloaded: () => follower?.status ?? null,
    });
    running.server = server;
    opened.push(() => server.closeMarkets());
    const jobs = await openJobs(parts, readers.market, opened);
    running.releases = jobs.releases;
    const port = await server.listen();
    if (ops !== null) ops.phase = "serving";
    for (const schedule of [jobs.roi, jobs.valuation, jobs.releases]) schedule?.start();
    const watch = watchFile(databasePath, () => events.secondNameFound());
    const files = { databasePath, watch, cacheKib: marketCacheKib };
    if (following !== null) follower?.start(following.servingOf(server, running, files));
    const failures = new StorageFailures(clock);
    events.onStorageErred((failure) => {
      if (!isFullCode(failure.code, databasePath)) failures.add(failure);
    });
    const failed = Promise.race([ledger.fatal, watch.lost, failures.lasting]);
    failed.then((error) => events.storageFailed(error));
    events.listening({ address: config.host, port, release });
    return {
      port,
      opsPort: ops?.port ?? null,
      failed,
      ...jobs,
      follower,
      exportsUnderWay: () => server.scheduler.active,
      requestsWaiting: () => server.waiters.count,
      announceEnd() {
        if (ops !== null) ops.phase = "draining";
        server.announceEnd();
      },
      async close(drainMs) {
        if (ops !== null) ops.phase = "draining";
        watch.stop();
        const threadsEnded = Promise.all([...Object.values(jobs), follower].map((one) => one?.close()));
        const outcome = await server.close(drainMs);
        await threadsEnded;
        await closeAll(opened);
        return outcome;
      },
    };
  } catch (error) {
    // A remaining thread would keep the process from ending.
    await closeAll(opened);
    throw error;
  }
}

/** Opens the ledger. Its batches are reported only if the listener for operators is enabled. */
function openLedger({ config, databasePath, events }: AppParts): Promise<Ledger> {
  const onBatch = (config.opsPort ?? null) === null ? null : events.batchAnswered;
  return GroupCommitLedger.open(databasePath, config.walBytesMax, (event) => events.checkpoint(event), onBatch);
}

/** The parts that are running. */
type Running = Handles & { server: Composed | null; releases: ReleaseSchedule | null };

type OpsSources = {
  release: string;
  ledger: Ledger;
  running: Running;
  follower: Follower | null;
  nodes: NodesAccess | null;
};

/** Waits for the first release. Without a market the server does not listen, so that a proxy uses another node. */
async function downloadFirst(follower: Follower, { ending = new AbortController().signal }: AppParts): Promise<void> {
  if (!(await follower.downloadFirst(ending)))
    throw new OperatorError("ended before the first market", exitCodes.temporary);
}

/** Connects to PostgreSQL. Its modules are loaded only here. */
async function openNodes({ config, clock, events, instead }: AppParts, url: string): Promise<NodesAccess> {
  const { openNodesAccess } = await import("./access/nodes/access.ts");
  const onBatch = (config.opsPort ?? null) === null ? null : events.batchAnswered;
  const options = instead?.plans === undefined ? {} : { plans: instead.plans };
  const nodes = await openNodesAccess(url, onBatch, options, clock);
  if (nodes.otherRelease !== null) events.otherPrivateSchema(nodes.otherRelease);
  return nodes;
}

/** Starts the listener for operators if its port is set. Its modules are loaded only here. */
async function startOps(
  { config, databasePath, clock, events }: AppParts,
  { release, ledger, running, follower, nodes }: OpsSources,
  opened: (() => unknown)[],
): Promise<Ops | null> {
  const { opsHost = "127.0.0.1", opsPort = null } = config;
  if (opsPort === null) return null;
  const [{ startOps: start }, { problems }] = await Promise.all([import("./ops/ops.ts"), import("./api/problems.ts")]);
  const address = { host: opsHost, port: opsPort };
  const sources = {
    events,
    clock,
    release,
    databasePath,
    load: () => running.server?.concurrency ?? null,
    releaseStatus: () => running.releases?.status ?? null,
    privateStatus: () => nodes?.status() ?? null,
    followStatus: () => follower?.status ?? null,
  };
  const problemCodes = Object.keys(problems);
  const reader = () => running.readers?.market ?? null;
  const ops = await start({ ...address, ...sources, reader, ledger, problemCodes });
  // It is closed before the readers and after the drain, because it reports the drain.
  opened.push(() => ops.close());
  return ops;
}

/** Starts the mirror and creates the schedules, which begin when the server listens. A disabled one is null. */
async function openJobs(parts: AppParts, database: Database, opened: (() => unknown)[]) {
  if (parts.follow === undefined) await adoptTermsOfMappings(parts, database);
  const releases = await makeReleases(parts, database, opened);
  const mirror = await startMirror(parts, opened);
  const roi = await makeRoi(parts, database, opened);
  return { releases, mirror, roi, valuation: await makeValuation(parts, database, opened) };
}

/**
 * Writes the terms of mappings to their providers, and reports conflicts with the operator's settings.
 * @throws {ReleaseRefusal} when the server seals releases and a provider may not be passed on.
 */
async function adoptTermsOfMappings({ databasePath, mirror, releases, events }: AppParts, database: Database) {
  const adapters = (mirror?.feeds ?? []).map(({ adapter }) => adapter);
  const isMapped =
    adapters.some((adapter) => typeof adapter !== "string") || new FeedWriter(database).mapped().length > 0;
  const { adoptTerms } = isMapped ? await import("./import/quotes/mapping-terms.ts") : {};
  const { conflicts = [], notAllowed = new ProviderTerms(database).summary().notAllowed } =
    adoptTerms?.(databasePath, adapters) ?? {};
  for (const conflict of conflicts) events.termsConflicted(conflict);
  if (releases === undefined || releases.ownNodes) return;
  const { refuseUnlessAllowed } = await import("./releases/seal.ts");
  refuseUnlessAllowed(notAllowed);
}

/** Starts the mirror, if configured, with a lock on the file against a second one. It is closed if the start fails. */
async function startMirror(
  { databasePath, mirror, events, clock }: AppParts,
  opened: (() => unknown)[],
): Promise<{ close(): Promise<void> } | null> {
  if (mirror === undefined) return null;
  const lock = holdLock(databasePath, "mirror");
  opened.push(() => lock.release());
  const { MirrorThread } = await import("./jobs/mirror/mirror-thread.ts");
  const thread = new MirrorThread({ ...mirror, databasePath }, events, clock);
  opened.push(() => thread.close());
  return thread;
}

async function makeReleases(
  { databasePath, releases, events, clock }: AppParts,
  database: Database,
  opened: (() => unknown)[],
): Promise<ReleaseSchedule | null> {
  if (releases === undefined) return null;
  const { ReleaseSchedule } = await import("./jobs/releases/release-schedule.ts");
  const schedule = new ReleaseSchedule({ setup: releases, databasePath, database, events, clock });
  opened.push(() => schedule.close());
  return schedule;
}

async function makeRoi(
  { databasePath, roiSchedule = false, events, clock }: AppParts,
  database: Database,
  opened: (() => unknown)[],
): Promise<Schedule | null> {
  if (!roiSchedule) return null;
  const { scheduleRoi } = await import("./jobs/roi/schedule.ts");
  const schedule = scheduleRoi({ databasePath, database, events, clock, isDue: roiSchedule === "at_once" });
  opened.push(() => schedule.close());
  return schedule;
}

async function makeValuation(
  { databasePath, privateUrl = null, valuationSchedule = false, mirror, events, clock }: AppParts,
  database: Database,
  opened: (() => unknown)[],
): Promise<Schedule | null> {
  if (!valuationSchedule) return null;
  const { scheduleValuation } = await import("./jobs/valuation/schedule.ts");
  // A mirror finalizes the days itself.
  const finalizes = privateUrl === null && mirror === undefined;
  const order = { databasePath, finalizes, ...(privateUrl !== null && { privateUrl }) };
  const schedule = scheduleValuation(order, database, events, clock);
  opened.push(() => schedule.close());
  return schedule;
}

/** Opens three readers, because they need different caches, and because a shared read transaction must not delay a credential. */
function openReaders(path: string): Readers {
  return {
    market: openReader(path, marketCacheKib),
    exports: openReader(path, exportsCacheKib),
    access: openReader(path),
  };
}

function closeReaders(readers: Readers): void {
  for (const reader of Object.values(readers)) closeDatabase(reader);
}

async function closeAll(opened: readonly (() => unknown)[]): Promise<void> {
  for (const close of opened.toReversed()) await close();
}
