/** One sentence of a check report. */
export type Finding = { isFault: boolean; description: string };

/** Runs `read` on one snapshot of the file and returns its result. The server's log can be checkpointed between two calls. */
export type Chunks = <T>(read: () => T) => T;

/** Set `hours` to also compare the hourly lines of sealed days with their digests. */
export type CheckOptions = { readonly hours?: boolean };

/** Returns a finding that describes a sound part of the file. */
export function fact(description: string): Finding {
  return { isFault: false, description };
}

/** Returns a finding that describes a fault. */
export function fault(description: string): Finding {
  return { isFault: true, description };
}

const examplesMax = 5;

/** Returns a fault such as `3 items have no detail, such as 4, 5, 6`. Returns an empty array if `things` is empty. */
export function faultOfMany(things: readonly (string | number)[], description: string): Finding[] {
  if (things.length === 0) return [];
  return [fault(`${things.length} ${description}, such as ${things.slice(0, examplesMax).join(", ")}`)];
}
