import { setTimeout as wait } from "node:timers/promises";

/** Time in which every turn of the event loop checks, so that a short-lived condition is not missed. */
const closeMs = 20;
/** Time after which milliseconds do not matter any more. */
const soonMs = 200;
const pauseMs = 10;
const longPauseMs = 100;

/**
 * Repeats `look` until it is true, first often, then less often if it is expensive. After 0.2 s, checks of up to 25 ms use at most a fifth
 * of the time. Rejects after `msMax` with `what` in the message.
 */
export async function until(what: string, look: () => boolean | Promise<boolean>, msMax = 90_000): Promise<void> {
  const beganMs = performance.now();
  for (;;) {
    const lookedMs = performance.now();
    if (await look()) return;
    const nowMs = performance.now();
    const waitedMs = nowMs - beganMs;
    const tookMs = nowMs - lookedMs;
    if (waitedMs > msMax) throw new Error(`${what}: not within ${msMax} ms`);
    if (waitedMs < closeMs && tookMs < 1) await new Promise(setImmediate);
    else if (waitedMs < soonMs) await wait(Math.min(pauseMs, Math.max(1, 4 * tookMs)));
    else await wait(Math.min(longPauseMs, Math.max(pauseMs, 4 * tookMs)));
  }
}
