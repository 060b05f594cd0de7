/** Returns the ms to wait after the `failures`-th failure in a row (from 1): `firstMs`, then twice as long each time up to `maxMs`. */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20));
}
