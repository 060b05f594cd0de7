import { getHeapStatistics } from "node:v8";

// A file of its own: how memory is given back is no matter of those who use it.

/** Bytes that may be left of work before they are given back. */
const leftBytesMax = 12 * 1024 * 1024;

/** Bytes in use after they were last given back, and at the end of the work at which they last were. */
let keptBytes = 0;
let restBytes = 0;

/**
 * Frees what this thread no longer uses, where the program was started so that it may and more than some megabytes came since the last
 * time. Work that takes much calls it between its steps: by itself V8 lets the heap of a server grow to a multiple of what is used.
 */
export function giveBack(): void {
  free(keptBytes);
}

/** Does the same at the end of such work, of which some megabytes may be left in all. */
export function giveAllBack(): void {
  if (free(restBytes)) restBytes = keptBytes;
}

function free(beforeBytes: number): boolean {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined || usedBytes() - beforeBytes < leftBytesMax) return false;
  gc();
  keptBytes = usedBytes();
  return true;
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
