import { readReleaseKey } from "../../releases/key.ts";
import { sealRelease } from "../../releases/seal.ts";
import { systemIds } from "../../values/ids.ts";
import { systemClock } from "../../values/time/clock.ts";
import { serveThread } from "../../worker/thread.ts";
import { lowerPriority } from "../lower-priority.ts";
import type { ReleaseOrder } from "./release-schedule.ts";

// The thread that seals one release for a server. The server has checked the file's pages at its start.
serveThread((_setup: null, { closing }) => {
  lowerPriority();
  const parts = { clock: systemClock, newLineage: () => systemIds().handle("rel_"), signal: closing };
  return {
    answer: ({ keyPath, ...order }: ReleaseOrder) =>
      sealRelease({ ...order, key: readReleaseKey(keyPath), isChecked: true }, parts),
  };
});
