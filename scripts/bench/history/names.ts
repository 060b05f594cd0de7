/** Reads that are measured in a file and in one with a tenth of its items. */
export const growingReads = ["hourly page", "daily window", "point read", "list page"] as const;
export type GrowingRead = (typeof growingReads)[number];

/** The same pages made of objects, for comparison. */
export const objectReads = [
  "hourly page, objects of the same segments",
  "hourly page, objects of a row table",
  "daily window, objects",
] as const;

export type ReadName = GrowingRead | (typeof objectReads)[number] | `${GrowingRead}, a tenth of the items`;

export function ofTenth(read: GrowingRead): ReadName {
  return `${read}, a tenth of the items`;
}

/** Those that are compared stand side by side, and so are measured one right after the other. */
export const readNames: readonly ReadName[] = [
  "hourly page",
  "hourly page, objects of the same segments",
  "hourly page, objects of a row table",
  ofTenth("hourly page"),
  "daily window, objects",
  "daily window",
  ofTenth("daily window"),
  "point read",
  ofTenth("point read"),
  "list page",
  ofTenth("list page"),
];
