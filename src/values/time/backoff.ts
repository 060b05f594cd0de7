/** Waits in ms after consecutive failures: `firstMs`, then doubled each time up to `maxMs`. */
export type Backoff = { readonly firstMs: number; readonly maxMs: number };

/** Returns the wait in ms after the given number of consecutive failures, counted from 1. */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20));
}
