import { grouped } from "../money/money-text.ts";

/** Formats a count with its noun: `1 feed`, `2000 feeds`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Formats a count with its noun and grouped thousands: `1 request`, `2,000 requests`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
