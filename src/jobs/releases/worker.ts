import { readReleaseKey } from "../../releases/key.ts";
import { sealRelease } from "../../releases/seal.ts";
import { systemIds } from "../../values/ids.ts";
import { systemClock } from "../../values/time/clock.ts";
import { serveProcess } from "../../worker/process.ts";
import { lowerPriority } from "../lower-priority.ts";
import type { ReleaseOrder } from "./release-schedule.ts";

// The process that seals one release for a server. The server has checked the file's pages at its start. A thread would drop the server's
// locks on the file.
serveProcess(async ({ keyPath, ...order }: ReleaseOrder, signal) => {
  lowerPriority();
  const parts = { clock: systemClock, newLineage: () => systemIds().handle("rel_"), signal };
  return sealRelease({ ...order, key: readReleaseKey(keyPath), isChecked: true }, parts);
});
