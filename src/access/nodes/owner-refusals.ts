import { DatabaseUnavailable } from "../../store/file/refusal.ts";
import { OwnerRefusal } from "../owners/owner-refusal.ts";

const unavailable =
  "The service cannot reach its database now. Nothing was changed and you are still signed in. Try again in a moment.";
const isUncertain =
  "The database's answer was lost, so the result is unknown. Reload the page and check before you try again.";

/** Returns the refusal for an unreachable PostgreSQL database. */
export function unavailableRefusal(): OwnerRefusal {
  return new OwnerRefusal("unavailable", unavailable, 1);
}

/** Returns the refusal for a failure of PostgreSQL, and any other error unchanged. After `in_doubt` the change may have been committed. */
export function refusalOfStore(error: unknown): unknown {
  if (!(error instanceof DatabaseUnavailable)) return error;
  return error.isUncertain ? new OwnerRefusal("in_doubt", isUncertain) : unavailableRefusal();
}
