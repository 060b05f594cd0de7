/** Waits after failures in a row, ms: `firstMs`, then twice as long each time up to `maxMs`. */
export type Backoff = { readonly firstMs: number; readonly maxMs: number };

/** Returns the wait in ms after the `failures`-th failure in a row, counted from 1. */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20));
}
