import type { Admission } from "../access/admission.ts";
import type { Caller } from "../access/credentials.ts";
import { secondMs } from "../values/time/calendar.ts";
import { type Checked, refuseBeyondPage } from "./page-read-limits.ts";

/** An admitted read of a page, and the parts that were read. */
type Visit = { admission: Admission; parts: readonly Checked[] };

// This module is apart from the reads of pages, because a visit outlives one request.
/** Duration of a visit. A page that opens more slowly is charged again for its next read. */
const lastsMs = 30 * secondMs;
const visitsMax = 1_000;

/**
 * Stores admitted reads of pages, so that a page can read more after a first response: the prices of the items found by a search. All reads
 * of one visit together have the limits of one read. A visit has the id of the request that was charged for it.
 */
export class PageVisits {
  readonly #visits = new Map<string, Visit>();

  begin(admission: Admission, parts: readonly Checked[]): void {
    this.#visits.set(admission.requestId, { admission, parts: parts.map(briefly) });
    const [oldest] = this.#visits.keys();
    if (this.#visits.size > visitsMax && oldest !== undefined) this.#visits.delete(oldest);
  }

  /**
   * Adds further parts to a visit. Returns its admission. Returns null if the visit is unknown, of another session, over or full.
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

/** Returns only the fields of a part that the limits need. */
function briefly({ operation, params }: Checked): Checked {
  return { operation, params };
}

function isSame(one: Caller, other: Caller): boolean {
  return one.accountId === other.accountId && one.session === other.session;
}
