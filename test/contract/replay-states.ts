import { createHash } from "node:crypto";
import { DailyDayLines } from "../../src/store/read/daily-day-lines.ts";
import { HourlyDayLines } from "../../src/store/read/hourly-day-lines.ts";
import { TimestampTexts } from "../../src/values/time/timestamp-texts.ts";
import { until } from "../support/until.ts";
import type { Account, World } from "../support/world.ts";

/** Puts the world back as it was. */
export type Undo = () => void | Promise<void>;
/** Brings the world, or the caller's rows in it, into the state that a request needs. */
export type State = (world: World, caller: Account) => Undo | Promise<Undo>;

const hourMs = 3_600_000;
const january = "2026-01";

/** All items except these ids have left the catalog. */
export function onlyItems(ids: readonly number[]): State {
  return (world) => {
    world.sql(`UPDATE items SET in_catalog = 0 WHERE item_id NOT IN (${ids.join()})`);
    return () => void world.sql("UPDATE items SET in_catalog = 1");
  };
}

/** One item has left the catalog and keeps its history. */
export function leftCatalog(itemId: number): State {
  return (world) => {
    world.sql("UPDATE items SET in_catalog = 0 WHERE item_id = ?", itemId);
    return () => void world.sql("UPDATE items SET in_catalog = 1 WHERE item_id = ?", itemId);
  };
}

/** Both states, the second one inside of the first. */
export function both(outer: State, inner: State): State {
  return async (world, caller) => {
    const undoOuter = await outer(world, caller);
    const undoInner = await inner(world, caller);
    return async () => {
      await undoInner();
      await undoOuter();
    };
  };
}

/** A day was sealed when the catalog had these first items only. */
export function sealedUpTo(day: number, itemIdMax: number): State {
  return (world) => {
    const [before] = world.sql("SELECT * FROM sealed_days WHERE day = ? AND superseded_at IS NULL", day);
    const seal = (values: Record<string, unknown>) =>
      world.sql(
        "UPDATE sealed_days SET item_id_max = ?, digest = ?, hourly_digest = ? WHERE day = ?",
        values.item_id_max,
        values.digest,
        values.hourly_digest,
        day,
      );
    world.change((database) => {
      const digest = ({ lines }: { lines: string }) => createHash("sha256").update(lines).digest();
      const daily = new DailyDayLines(database, new TimestampTexts()).page(day, 0, itemIdMax, null);
      const hourly = new HourlyDayLines(database, day, [], new TimestampTexts()).page(0, itemIdMax);
      seal({ item_id_max: itemIdMax, digest: digest(daily), hourly_digest: digest(hourly) });
    });
    return () => void seal(before!);
  };
}

/** The first revision of a day was superseded before the first instant that can be read back. */
export function supersededLongAgo(day: number): State {
  return (world) => {
    const set = (at: number | null) =>
      world.sql("UPDATE sealed_days SET superseded_at = ? WHERE day = ? AND revision = 1", at, day);
    set(1);
    return () => void set(null);
  };
}

/** No generation of quotes was ever published. */
export const nothingPublished: State = (world) => {
  const [row] = world.sql("SELECT current_generation_id AS current FROM market_state");
  world.sql("UPDATE market_state SET current_generation_id = NULL");
  forgetStatus(world);
  return () => {
    world.sql("UPDATE market_state SET current_generation_id = ?", row?.current);
    forgetStatus(world);
  };
};

/** A generation was superseded before digests were stored. */
export function digestless(generationId: number): State {
  return (world) => {
    const setDigest = (digest: unknown) =>
      world.sql("UPDATE generations SET rest_digest = ? WHERE generation_id = ?", digest, generationId);
    const [row] = world.sql("SELECT rest_digest AS digest FROM generations WHERE generation_id = ?", generationId);
    setDigest(null);
    return () => void setDigest(row?.digest);
  };
}

/** A day after the last check of any feed. */
export const aDayLater: State = (world) => {
  world.clock.advance(24 * hourMs);
  return () => {
    world.clock.at -= 24 * hourMs;
    forgetStatus(world);
  };
};

/** The model last ran nine hours ago, with prices that were as old then as the stored ones are now. */
export const noRunSince: State = (world) => {
  const move = (ms: number) =>
    world.sql("UPDATE roi_calculations SET calculated_at = calculated_at + ?, price_as_of = price_as_of + ?", ms, ms);
  move(-9 * hourMs);
  return () => void move(9 * hourMs);
};

/** A generation is published while the export runs, after its first page was read. */
export const publishedMeanwhile: State = (world) =>
  whenNextExportRuns(world, () => {
    world.sql("UPDATE market_state SET current_generation_id = current_generation_id - 1");
    return () => void world.sql("UPDATE market_state SET current_generation_id = current_generation_id + 1");
  });

/** The file's quotes cannot be read any more, after the first page of the export was. */
export const unreadableMeanwhile: State = (world) =>
  whenNextExportRuns(world, () => {
    world.sql("ALTER TABLE quotes RENAME TO hidden_quotes");
    // No page that an export before has sealed is of this catalog.
    world.sql("UPDATE market_state SET catalog_version = catalog_version + 1");
    return () => void world.sql("ALTER TABLE hidden_quotes RENAME TO quotes");
  });

/** The caller has read this month and exported today. */
export const usedABit: State = (world, { accountId }) => {
  world.sql("INSERT INTO usage_months VALUES (?, ?, 137)", accountId, january);
  addLeases(world, [
    { accountId, slot: 1, hoursAgo: 5 },
    { accountId, slot: 1, hoursAgo: 2 },
  ]);
  return () => {};
};

/** The caller's month is used up on any plan. */
export const monthUsed: State = (world, { accountId }) => {
  world.sql("INSERT INTO usage_months VALUES (?, ?, 1000000)", accountId, january);
  return () => {};
};

/** The caller has started as many exports as Builder allows in a day. */
export const startsUsed: State = (world, { accountId }) => {
  addLeases(
    world,
    Array.from({ length: 48 }, (_, index) => ({ accountId, slot: 1, hoursAgo: 1 + index / 4 })),
  );
  return () => {};
};

/** The caller's account runs an export. */
export const exporting: State = (world, { accountId }) => {
  addLeases(world, [{ accountId, slot: 1, hoursAgo: 0 }]);
  return () => endLeases(world);
};

/** Eight other accounts run exports. */
export const allSlotsTaken: State = (world) => {
  addLeases(
    world,
    Array.from({ length: 8 }, (_, index) => ({ accountId: `acc_other${index}`, slot: index + 1, hoursAgo: 0 })),
  );
  return () => endLeases(world);
};

/** Another process holds the writer's lock and does not let go. */
export const fileLocked: State = (world) => {
  const release = world.lockFile();
  return release;
};

/** As many requests as the server allows in flight wait for their charge. */
export const overloaded: State = async (world, { secret }) => {
  const release = world.lockFile();
  const waiting = [1, 2].map(() => world.client.call("listProviders", { key: secret }));
  for (let status = 200; status === 200; ) ({ status } = await world.client.call("getStatus"));
  return async () => {
    // Given up by the server, they are charged nothing.
    await Promise.all(waiting);
    release();
  };
};

/** Something happens while an export runs: it has read its first page, and has not read its second. */
export function whenExportRuns(world: World, happen: () => Undo): Undo {
  let undo: Undo = () => {};
  world.clock.onMeasure = () => {
    // An export that has just ended counts as running until its response is closed, but holds no lease.
    const [live] = world.sql("SELECT 1 FROM snapshot_leases WHERE state = 'reserved'");
    if (live === undefined || world.app.exportsUnderWay() === 0) return;
    world.clock.onMeasure = null;
    undo = happen();
  };
  return () => {
    world.clock.onMeasure = null;
    return undo();
  };
}

/** The same for an export that follows another one, after the earlier response has closed. */
async function whenNextExportRuns(world: World, happen: () => Undo): Promise<Undo> {
  await until("no export is under way", () => world.app.exportsUnderWay() === 0);
  return whenExportRuns(world, happen);
}

/** Status is read from the file at most once a second. */
function forgetStatus(world: World): void {
  world.clock.elapsedMs += 1_000;
}

type LeaseFacts = { accountId: string; slot: number; hoursAgo: number };

let leasesAdded = 0;

/** Exports that run (0 hours ago) or are finished. */
function addLeases(world: World, leases: readonly LeaseFacts[]): void {
  world.change(({ $client }) => {
    const add = $client.prepare("INSERT INTO snapshot_leases VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (const { accountId, slot, hoursAgo } of leases) {
      const at = world.clock.at - hoursAgo * hourMs;
      leasesAdded += 1;
      const state = hoursAgo === 0 ? "reserved" : "finished";
      add.run(
        `${accountId} ${leasesAdded} ${state}`,
        accountId,
        slot,
        state,
        at,
        at + 120_000,
        hoursAgo === 0 ? null : at + 1,
      );
    }
  });
}

function endLeases(world: World): void {
  world.sql("UPDATE snapshot_leases SET state = 'released', ended_at = admitted_at WHERE state = 'reserved'");
}
