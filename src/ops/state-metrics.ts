import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { PrivateStoreFigures } from "../access/nodes/postgres-writer.ts";
import type { Events } from "../log/events.ts";
import { type Space, spaceOf } from "../store/file/space.ts";
import type { LedgerClockReads } from "../store/read/credentials.ts";
import type { GenerationsStore } from "../store/read/generations.ts";
import type { FeedState, MarketStateStore } from "../store/read/market-state.ts";
import { followReasons } from "../values/failure/follow-reasons.ts";
import type { Expiries, FollowStatus, ReleaseStatus } from "../values/release-status.ts";
import { secondMs } from "../values/time/calendar.ts";
import { type Clock, systemClock } from "../values/time/clock.ts";
import { checkpointKinds, eventNames } from "./observer.ts";

/** Requests and exports in progress. */
export type Load = {
  readonly open: number;
  readonly reads: number;
  readonly waiting: number;
  readonly exports: number;
};

export type StateSources = {
  events: Events;
  clock: Clock;
  release: string;
  databasePath: string;
  /** Returns null before the server accepts requests. */
  load: () => Load | null;
  /** Returns the stores of the current market, null without a market. */
  stores: () => { state: MarketStateStore; generations: GenerationsStore; ledgerClock: LedgerClockReads } | null;
  /** Returns the status of releases that the server seals, null if it seals none. */
  releaseStatus: () => ReleaseStatus | null;
  /** Returns the status of releases that the server downloads, null if it downloads none. */
  followStatus: () => FollowStatus | null;
  /** Returns figures of PostgreSQL, null if all data are in the file. */
  privateStatus: () => PrivateStoreFigures | null;
};

/** Time between two samples of the event loop, ms. */
const sampleMs = 20;
/** Upper bounds in seconds. */
const delaySeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const microseconds = 1e6;

/**
 * Creates the metrics that are computed when they are read: open requests, events, file, feeds, process. An unknown value, such as the age
 * of a feed without a check, has no line. Returns the function that stops the sampling of the event loop.
 */
export function createStateMetrics(registry: Registry, sources: StateSources): () => void {
  const gauge = gaugesOf(registry);
  const readable = reading(sources.events);
  buildInfo(registry, sources.release);
  loadMetrics(gauge, sources.load);
  eventMetrics(registry, sources.events);
  fileMetrics(gauge, readable, sources);
  feedMetrics(registry, gauge, readable, sources);
  releaseMetrics(gauge, sources);
  followMetrics(registry, gauge, sources.clock, sources.followStatus);
  privateMetrics(gauge, sources.privateStatus);
  processMetrics(registry, gauge, sources.clock);
  return eventLoopMetrics(registry);
}

type Reading = <T>(read: () => T) => T | null;

/** Returns a function that reads from the file, or returns null after an error. Storage errors are reported as such. */
function reading(events: Events): Reading {
  return (read) => {
    try {
      return read();
    } catch (error) {
      events.reportIfStorageFailure(error);
      return null;
    }
  };
}

function buildInfo(registry: Registry, release: string): void {
  const facts = { name: "itemtape_build_info", help: "The release and the Node that it runs on; always 1." };
  const info = new Gauge({ ...facts, labelNames: ["release", "node"], registers: [registry] });
  info.set({ release, node: process.versions.node }, 1);
}

function loadMetrics(gauge: NewGauge, load: () => Load | null): void {
  const now = (part: keyof Load) => () => load()?.[part] ?? 0;
  gauge("itemtape_requests_open", "Requests without a complete answer, exports included.", now("open"));
  gauge("itemtape_requests_at_work", "Requests being processed, bounded by --in-flight-max.", now("reads"));
  gauge("itemtape_requests_waiting", "Requests that wait for processing.", now("waiting"));
  gauge("itemtape_exports_under_way", "Exports being sent.", now("exports"));
}

function eventMetrics(registry: Registry, events: Events): void {
  const countOf = (name: string) => events.counters.get(name) ?? 0;
  counted(registry, {
    name: "itemtape_events_total",
    help: "Other events, by name.",
    label: "event",
    values: () => eventNames.map((event) => [event, countOf(event)]),
  });
  counted(registry, {
    name: "itemtape_checkpoints_total",
    help: "Checkpoints of the write-ahead log. `done`: all of it is in the file; `held_back`: a reader keeps it large.",
    label: "kind",
    values: () => checkpointKinds.map((kind) => [kind, countOf(`checkpoints_${kind}`)]),
  });
  const dropped = new Counter({
    name: "itemtape_log_lines_dropped_total",
    help: "Log lines that were dropped, such as by a full disk or an unread pipe.",
    registers: [registry],
    collect: () => {
      dropped.reset();
      dropped.inc(events.logLinesDropped);
    },
  });
}

function fileMetrics(gauge: NewGauge, readable: Reading, { databasePath, clock, stores }: StateSources): void {
  const space = (part: keyof Space) => () => readable(() => spaceOf(databasePath))?.[part] ?? null;
  gauge("itemtape_database_bytes", "Size of the file.", space("databaseBytes"));
  gauge("itemtape_wal_bytes", "Size of the file's write-ahead log.", space("walBytes"));
  gauge("itemtape_disk_free_bytes", "Free space for the server on the file's file system.", space("freeBytes"));
  gauge(
    "itemtape_clock_behind_seconds",
    "Seconds that the machine's clock is behind the latest time that the ledger has written; beyond 3600, charges are refused.",
    () =>
      readable(() => {
        const highWater = stores()?.ledgerClock.highWater() ?? null;
        return highWater === null ? null : Math.max(0, highWater - clock.now()) / secondMs;
      }),
  );
}

function feedMetrics(registry: Registry, gauge: NewGauge, readable: Reading, { stores, clock }: StateSources): void {
  const current = () => readable(() => stores()?.generations.current() ?? null);
  const age = (at: number) => Math.max(0, clock.now() - at) / secondMs;
  gauge("itemtape_generation", "Number of the published generation.", () => current()?.generationId ?? null);
  gauge("itemtape_generation_items", "Items of the published generation.", () => current()?.items ?? null);
  gauge("itemtape_generation_age_seconds", "Time since the generation was published.", () => {
    const generation = current();
    return generation === null ? null : age(generation.ingestedAt);
  });
  const perFeed = (name: string, help: string, instant: (feed: FeedState) => number | null, seconds = age) => {
    const ages = new Gauge({
      name,
      help,
      labelNames: ["feed"],
      registers: [registry],
      collect: () => {
        ages.reset();
        for (const feed of readable(() => stores()?.state.feeds() ?? []) ?? []) {
          const at = instant(feed);
          if (at !== null && !feed.isDropped) ages.set({ feed: feed.feed }, seconds(at));
        }
      },
    });
  };
  perFeed("itemtape_feed_checked_age_seconds", "Time since a feed was last verified.", (feed) => feed.checkedAt);
  perFeed("itemtape_feed_published_age_seconds", "Time since a feed last changed the published market.", (feed) => {
    return feed.ingestedAt;
  });
  perFeed("itemtape_feed_saved_age_seconds", "Time since the source saved its body, by its own account.", (feed) => {
    return feed.savedAt;
  });
  perFeed("itemtape_feed_unchanged_seconds", "Time since the source last had new content.", (feed) => {
    return feed.unchangedSince;
  });
  perFeed(
    "itemtape_feed_unconfirmed_seconds",
    "Time until a new source counts as confirmed although no other source confirms it; 0 if it is confirmed.",
    ({ unconfirmedUntil }) => Math.max(unconfirmedUntil ?? 0, clock.now()),
    (until) => (until - clock.now()) / secondMs,
  );
}

function releaseMetrics(gauge: NewGauge, { clock, releaseStatus }: StateSources): void {
  const status = () => releaseStatus();
  gauge("itemtape_release", "Number of the newest release that the server sealed.", () => status()?.number ?? null);
  gauge("itemtape_release_bytes", "Compressed bytes of the newest release.", () => {
    const { number = null, bytes = 0 } = status() ?? {};
    return number === null ? null : bytes;
  });
  gauge("itemtape_release_age_seconds", "Time since the newest release was sealed.", () => {
    const { sealedAt = null } = status() ?? {};
    return sealedAt === null ? null : Math.max(0, clock.now() - sealedAt) / secondMs;
  });
  expiryMetrics(gauge, "release", clock, () => status()?.expiries ?? null);
  gauge("itemtape_release_failing", "1 while the last attempt to seal a release has failed, else 0.", () => {
    const known = status();
    return known === null ? null : Number(known.failure !== null);
  });
}

function expiryMetrics(gauge: NewGauge, of: "release" | "follow", clock: Clock, expiries: () => Expiries | null): void {
  const left = (at: number | undefined) => (at === undefined ? null : (at - clock.now()) / secondMs);
  gauge(
    `itemtape_${of}_expires_seconds`,
    "Time until the signed metadata expire; below 0 no node takes a release.",
    () => left(expiries()?.expiresAt),
  );
  gauge(`itemtape_${of}_root_expires_seconds`, "Time until the root expires.", () => left(expiries()?.rootExpiresAt));
}

/** Creates the metrics of downloaded releases. `status` returns null if the server downloads none. */
function followMetrics(registry: Registry, gauge: NewGauge, clock: Clock, status: () => FollowStatus | null): void {
  const age = (at: number | null | undefined) => (at == null ? null : Math.max(0, clock.now() - at) / secondMs);
  gauge("itemtape_follow_release", "Number of the release that is served.", () => status()?.number ?? null);
  gauge("itemtape_follow_age_seconds", "Time since it was sealed.", () => age(status()?.sealedAt));
  gauge("itemtape_follow_stale", "1 while that time is beyond --follow-stale-hours, else 0.", () => {
    return Number(status()?.isStale ?? false);
  });
  expiryMetrics(gauge, "follow", clock, () => status()?.expiries ?? null);
  gauge("itemtape_follow_asked_age_seconds", "Time since it was last known to be the newest one.", () => {
    return age(status()?.checkedAt);
  });
  gauge("itemtape_follow_failing", "1 while the newest release cannot be fetched, else 0.", () => {
    return Number((status()?.failure ?? null) !== null);
  });
  gauge("itemtape_follow_swap_seconds", "Time for which the last exchange delayed requests.", () => {
    const swapMs = status()?.swapMs ?? null;
    return swapMs === null ? null : swapMs / secondMs;
  });
  counted(registry, {
    name: "itemtape_follow_refusals_total",
    help: "Failed attempts to fetch a release, by reason.",
    label: "reason",
    values: () => followReasons.map((reason) => [reason, status()?.refusals.get(reason) ?? 0]),
  });
  counted(registry, {
    name: "itemtape_follow_fetched_total",
    help: "Chunks that were read: their number and stored bytes.",
    label: "unit",
    values: () => [
      ["chunks", status()?.fetchedChunks ?? 0],
      ["bytes", status()?.fetchedBytes ?? 0],
    ],
  });
}

/** Creates the metrics of PostgreSQL. They are gauges even if they only grow, because a gauge without a value has no line. */
function privateMetrics(gauge: NewGauge, status: StateSources["privateStatus"]): void {
  const figure = (take: (figures: PrivateStoreFigures) => number | boolean) => () => {
    const figures = status();
    return figures === null ? null : Number(take(figures));
  };
  gauge(
    "itemtape_private_store_up",
    "1 while the server's charging connection to the private database is open, else 0.",
    figure(({ isConnected }) => isConnected),
  );
  gauge(
    "itemtape_private_store_in_doubt",
    "1 while a commit is uncertain and charges are refused, else 0.",
    figure(({ isUncertain }) => isUncertain),
  );
  gauge(
    "itemtape_private_store_connections",
    "Connections for charges that were opened since the start; each after the first replaced a lost one.",
    figure(({ connections }) => connections),
  );
  gauge(
    "itemtape_private_store_batches",
    "Batches that were committed since the start.",
    figure(({ batches }) => batches),
  );
}

function processMetrics(registry: Registry, gauge: NewGauge, clock: Clock): void {
  const startedAt = clock.now() - process.uptime() * secondMs;
  const seconds = new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time of the process, its threads included.",
    registers: [registry],
    collect: () => {
      const { user, system } = process.cpuUsage();
      seconds.reset();
      seconds.inc((user + system) / microseconds);
    },
  });
  gauge("process_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", () => startedAt / secondMs);
}

/** Samples the delay of a timer. Returns the function that stops the sampling. */
function eventLoopMetrics(registry: Registry): () => void {
  const delay = new Histogram({
    name: "itemtape_event_loop_delay_seconds",
    help: "Time that a timer waited for other work of the server, sampled 50 times a second.",
    buckets: delaySeconds,
    registers: [registry],
  });
  let dueMs = systemClock.monotonicMs() + sampleMs;
  const timer = setInterval(() => {
    const nowMs = systemClock.monotonicMs();
    delay.observe(Math.max(0, nowMs - dueMs) / secondMs);
    dueMs = nowMs + sampleMs;
  }, sampleMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Adds a gauge that is computed when the metrics are read. */
type NewGauge = (name: string, help: string, value: () => number | null) => void;

/** Returns a function that adds gauges. A gauge with the value null has no line. */
function gaugesOf(registry: Registry): NewGauge {
  return (name, help, value) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const found = value();
        if (found === null) this.remove();
        else this.set(found);
      },
    });
  };
}

/** Adds a counter with one label. Its values are stored elsewhere. */
function counted(
  registry: Registry,
  { name, help, label, values }: { name: string; help: string; label: string; values: () => [string, number][] },
): void {
  const counter = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [of, value] of values()) counter.inc({ [label]: of }, value);
    },
  });
}
