/** One sentence of a check. */
export type Finding = { isFault: boolean; says: string };

export function fact(says: string): Finding {
  return { isFault: false, says };
}

export function fault(says: string): Finding {
  return { isFault: true, says };
}

const examplesMax = 5;

/** `3 items have no detail, such as 4, 5, 6`; nothing when there is none. */
export function faultOfMany(things: readonly (string | number)[], says: string): Finding[] {
  if (things.length === 0) return [];
  return [fault(`${things.length} ${says}, such as ${things.slice(0, examplesMax).join(", ")}`)];
}
