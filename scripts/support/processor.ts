import { readFileSync } from "node:fs";

/** Clock ticks of Linux's /proc. */
const ticksPerSecond = 100;

/** Processor time of a process and, in `children`, of those of its children that have ended, s. */
type ProcessorTime = { parent: number; own: number; children: number };

/** Reads the processor time of a process; null: it has ended, or the system does not tell. */
export function processorTime(pid: number | string): ProcessorTime | null {
  try {
    // Behind the name, which stands in parentheses and may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ").map(Number);
    const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = fields.slice(11, 15);
    const seconds = (ticks: number) => ticks / ticksPerSecond;
    return { parent: fields[1]!, own: seconds(user + system), children: seconds(userOfChildren + systemOfChildren) };
  } catch {
    return null;
  }
}

/**
 * Reads the bytes that a process, and those of its children that have ended, have handed to disks so far: each page of a file once for
 * every time that it was changed and written. Null if the system does not tell.
 */
export function writtenBytes(pid: number | string): number | null {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? Number.NaN);
  } catch {
    return null;
  }
}
