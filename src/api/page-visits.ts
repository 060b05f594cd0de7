import type { Admission } from "../access/admission.ts";
import type { Caller } from "../access/credentials.ts";
import { secondMs } from "../values/time/calendar.ts";
import { type Checked, refuseBeyondPage } from "./together-limits.ts";

/** An admitted read of a page, and the parts that it has read. */
type Visit = { admission: Admission; parts: readonly Checked[] };

// Kept apart from the reads of pages, since a visit outlives one request.
/** A page that takes longer to open pays for its next read. */
const lastsMs = 30 * secondMs;
const visitsMax = 1_000;

/**
 * Remembers admitted reads of pages, so that a page can read again with what it has learned: the prices of the items that a search found. All
 * reads of one visit are bounded as one read is. A visit is named by the request that paid for it.
 */
export class PageVisits {
  readonly #visits = new Map<string, Visit>();

  begin(admission: Admission, parts: readonly Checked[]): void {
    this.#visits.set(admission.requestId, { admission, parts: parts.map(briefly) });
    const [oldest] = this.#visits.keys();
    if (this.#visits.size > visitsMax && oldest !== undefined) this.#visits.delete(oldest);
  }

  /**
   * Takes further parts into a visit. Returns its admission; null if it is unknown, of another session or over, or has no room.
   * @param at UTC ms
   */
  join(name: string | null, caller: Caller, at: number, parts: readonly Checked[]): Admission | null {
    const visit = name === null ? undefined : this.#visits.get(name);
    if (visit === undefined) return null;
    const { admission } = visit;
    if (!isSame(admission.caller, caller) || at - admission.at > lastsMs) return null;
    const all = [...visit.parts, ...parts.map(briefly)];
    try {
      refuseBeyondPage(all);
    } catch {
      return null;
    }
    visit.parts = all;
    return admission;
  }
}

/** A part without the rest of what its check has made. */
function briefly({ operation, params }: Checked): Checked {
  return { operation, params };
}

function isSame(one: Caller, other: Caller): boolean {
  return one.accountId === other.accountId && one.session === other.session;
}
