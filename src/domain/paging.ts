import type { Data, OperationId, ReadMeta } from "../contract/types.ts";
import type { CursorFilters } from "../values/cursor.ts";
import { parseDay } from "../values/time/calendar.ts";
import { missingPoints } from "../values/time/gaps.ts";
import type { DayWindow } from "../values/time/window.ts";

/** The result of reading an operation. */
export type Read<Id extends OperationId> = { data: Data<Id>; meta: ReadMeta<Id> };

/** Cuts a page from `rows`, which were read with one more than `limit`. `last`: the page's last row if another page follows, else null. */
export function pageOf<Row>(rows: readonly Row[], limit: number): { page: Row[]; last: Row | null } {
  const page = rows.slice(0, limit);
  return { page, last: rows.length > limit ? (page.at(-1) ?? null) : null };
}

/** Returns the window that the first page stored in its cursor. */
export function windowIn({ from, to }: CursorFilters): DayWindow {
  return { from: parseDay(String(from))!, to: parseDay(String(to))! };
}

/** Returns the days of a window, ascending. */
export function daysOf({ from, to }: DayWindow): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Returns the days of a window that are missing in `present`, in words. */
export function missingDays(window: DayWindow, present: Iterable<number>): string {
  const found = new Set(present);
  const days = daysOf(window);
  const absent = days.filter((day) => !found.has(day));
  return missingPoints("day", days.length, absent);
}
