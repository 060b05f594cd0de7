import { setTimeout as wait } from "node:timers/promises";

/** Time in which each turn of the event loop looks: what holds for a moment only is not missed. */
const closeMs = 200;

/** Looks again until `look` is true. Rejects after `msMax`, naming what was waited for. */
export async function until(what: string, look: () => boolean | Promise<boolean>, msMax = 90_000): Promise<void> {
  const beganMs = performance.now();
  while (!(await look())) {
    const waitedMs = performance.now() - beganMs;
    if (waitedMs > msMax) throw new Error(`${what}: not within ${msMax} ms`);
    if (waitedMs < closeMs) await new Promise(setImmediate);
    else await wait(10);
  }
}
