import { platform, setPriority } from "node:os";

/** Linux priority of a thread: below the serving thread, but high enough to release its locks soon. */
const niceness = 5;

/** Lowers the priority of this thread on Linux. */
export function lowerPriority(): void {
  if (platform() !== "linux") return;
  try {
    setPriority(niceness);
  } catch {
    // A sandbox may forbid it. The work then runs at normal priority.
  }
}
