import { readFileSync } from "node:fs";

/** Clock ticks of Linux's /proc. */
const ticksPerSecond = 100;

/** Processor time of a process, and in `children` of its ended children, s. */
type ProcessorTime = { parent: number; own: number; children: number };

/** Reads the processor time of a process. Returns null if it has ended or the system does not report it. */
export function processorTime(pid: number | string): ProcessorTime | null {
  try {
    // The fields follow the name, which is in parentheses and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ").map(Number);
    const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = fields.slice(11, 15);
    const seconds = (ticks: number) => ticks / ticksPerSecond;
    return { parent: fields[1]!, own: seconds(user + system), children: seconds(userOfChildren + systemOfChildren) };
  } catch {
    return null;
  }
}

/**
 * Returns the bytes that a process and its ended children have written to disks so far. A page of a file counts each time that it was
 * changed and written. Returns null if the system does not report them.
 */
export function writtenBytes(pid: number | string): number | null {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? Number.NaN);
  } catch {
    return null;
  }
}
