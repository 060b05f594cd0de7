import { getHeapStatistics } from "node:v8";

/** Bytes that may be left of work before they are given back. */
const leftBytesMax = 12 * 1024 * 1024;

/**
 * Lets work that takes much memory be done one after the other. Who is urgent comes before everybody else who waits. A file of its own: how
 * memory is given back is no matter of the mirror.
 */
export class MemoryTurns {
  #isTaken = false;
  /** Bytes in use after they were last given back. */
  #keptBytes = 0;
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];

  /** Does the work when its turn has come, and gives back what it leaves before the next turn. */
  async take<T>(work: () => Promise<T>, { isUrgent = false } = {}): Promise<T> {
    const queue = isUrgent ? this.#urgent : this.#waiting;
    if (this.#isTaken) await new Promise<void>((resolve) => queue.push(resolve));
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      this.#giveBack();
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      if (next === undefined) this.#isTaken = false;
      else next();
    }
  }

  /** Frees what this thread no longer uses, where the program was started so that it may. */
  #giveBack(): void {
    const { gc } = globalThis as { gc?: () => void };
    if (gc === undefined || usedBytes() - this.#keptBytes < leftBytesMax) return;
    gc();
    this.#keptBytes = usedBytes();
  }
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
