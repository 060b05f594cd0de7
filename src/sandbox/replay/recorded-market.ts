import { moveQuotedInBatches } from "../../import/catalog/republish-quoted.ts";
import { closeDatabase, openWriter } from "../../store/database.ts";
import { BookReader } from "../../store/read/books.ts";
import { runAtOnce } from "../../store/write/batches.ts";
import { CatalogWriter, itemReader } from "../../store/write/catalog.ts";
import type { Ids } from "../../values/ids.ts";
import { clockAt } from "../../values/time/clock.ts";
import { type Sandbox, startSandbox } from "../sandbox.ts";
import { copiedWorld } from "../world.ts";

/** Instants at which a quoted item leaves the catalog of the recorded market and returns, UTC ms. */
const moves = [
  { at: Date.UTC(2026, 0, 15, 10, 30), inCatalog: false },
  { at: Date.UTC(2026, 0, 15, 11), inCatalog: true },
];
/** Maximum wait for the write lock, in ms. */
const busyMs = 5000;

/** Starts a replay from an instant, such as `2026-01-15T09:30:00Z`. */
export type StartReplay = (from: string) => Promise<Sandbox>;

/** Makes a recorded market from the documented world at `path`, for replays. `remove` removes it. `signal` ends copies. */
export async function recordedMarket(
  path: string,
  ids: Ids,
  signal: AbortSignal,
): Promise<{ start: StartReplay; remove(): void }> {
  const recorded = await copiedWorld(path, signal);
  moveItem(recorded.path);
  return {
    remove: () => recorded.remove(),
    async start(from) {
      const wanted = { from: Date.parse(from), until: null, by: "checked" } as const;
      return startSandbox({ world: await copiedWorld(recorded.path, signal, wanted), host: "127.0.0.1", port: 0, ids });
    },
  };
}

function moveItem(path: string): void {
  const database = openWriter(path, busyMs);
  try {
    const [itemId] = new BookReader(database).quotedIds();
    if (itemId === undefined) throw new Error("the recorded market has no quoted item");
    const row = itemReader(database)(itemId);
    const writer = new CatalogWriter(database);
    for (const { at, inCatalog } of moves) {
      const moved = [{ ...row, inCatalog, updatedAt: at }];
      runAtOnce(moveQuotedInBatches(database, moved, () => writer.raiseVersion(), { clock: clockAt(at) }));
    }
  } finally {
    closeDatabase(database);
  }
}
