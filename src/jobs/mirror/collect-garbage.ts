import { getHeapStatistics } from "node:v8";

// This file is apart, because its users need not know how memory is freed.

/** Garbage that may remain before a collection, in bytes. */
const leftBytesMax = 12 * 1024 * 1024;

/** Bytes in use after the last collection, and after the last collection at the end of some work. */
let usedBytesBefore = 0;
let restBytes = 0;

/**
 * Collects garbage if the program was started with `--expose-gc` and the heap has grown by some megabytes. Call it between the steps of
 * memory-intensive work. By default V8 lets a server's heap grow to a multiple of its live size.
 */
export function collectGarbage(): void {
  free(usedBytesBefore);
}

/** Collects garbage at the end of memory-intensive work. A total of some megabytes may remain. */
export function collectAllGarbage(): void {
  if (free(restBytes)) restBytes = usedBytesBefore;
}

function free(beforeBytes: number): boolean {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined || usedBytes() - beforeBytes < leftBytesMax) return false;
  gc();
  usedBytesBefore = usedBytes();
  return true;
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
