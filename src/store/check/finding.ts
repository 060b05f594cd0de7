/** One sentence of a check. */
export type Finding = { isFault: boolean; description: string };

/** Reads one piece of the file on one state of it. Between two pieces a server's log can be brought into the file. */
export type Pieces = <T>(read: () => T) => T;

/** `hours`: also compares the hours of sealed days with their digests. */
export type CheckOptions = { readonly hours?: boolean };

/** Makes the sentence of something that is as it should be. */
export function fact(description: string): Finding {
  return { isFault: false, description };
}

/** Makes the sentence of something that is not. */
export function fault(description: string): Finding {
  return { isFault: true, description };
}

const examplesMax = 5;

/** Makes a fault such as `3 items have no detail, such as 4, 5, 6`; none when `things` is empty. */
export function faultOfMany(things: readonly (string | number)[], description: string): Finding[] {
  if (things.length === 0) return [];
  return [fault(`${things.length} ${description}, such as ${things.slice(0, examplesMax).join(", ")}`)];
}
