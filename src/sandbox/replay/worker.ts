import { closeDatabase, neverFlush, openReader, openWriter } from "../../store/database.ts";
import type { ReplayBy, ReplaySpan } from "../../store/read/replay-moments.ts";
import { serveThread } from "../../worker/thread.ts";
import { WorldClocks } from "../clocks.ts";
import { type Played, Replay } from "./replay.ts";

// This module is apart from the replay, because it is the entry of a thread.

/** The setup of the thread of a replay: the file that it writes, the recorded market, and the moves of the market's clock. */
export type ReplaySetup = {
  path: string;
  source: string;
  span: ReplaySpan;
  by: ReplayBy;
  moves: BigInt64Array<SharedArrayBuffer>;
};
/** `to` is an instant (UTC ms), null for the next publication. */
export type ReplayOrder = "begin" | { to: number | null };

/** Maximum wait for the write lock, in ms. */
const busyMs = 5000;

serveThread<ReplaySetup, ReplayOrder, Played | null>(({ path, source: recorded, span, by, moves }, { closing }) => {
  const source = openReader(recorded);
  const database = openWriter(path, busyMs, { keeps: "market" });
  neverFlush(database);
  const clocks = new WorldClocks(span.from, span.from, moves);
  const replay = new Replay({ database, source, clocks, span, by });
  closing.addEventListener("abort", () => void replay.end());
  return {
    async answer(order) {
      if (order !== "begin") return order.to === null ? replay.next() : replay.to(order.to);
      await replay.begin(closing);
      return null;
    },
    close() {
      for (const one of [source, database]) closeDatabase(one);
    },
  };
});
