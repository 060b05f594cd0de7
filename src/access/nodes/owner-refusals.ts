import { DatabaseAway } from "../../store/file/refusal.ts";
import { OwnerRefusal } from "../owners/owner-refusal.ts";

const unavailable =
  "The service cannot reach its database just now. Nothing was changed and nobody is signed out. Try again in a moment.";
const inDoubt =
  "The answer of the database was lost, so it is not known whether this was done. Load the page again and look before you send it once more.";

/** Returns the refusal for an unreachable PostgreSQL database. */
export function unavailableRefusal(): OwnerRefusal {
  return new OwnerRefusal("unavailable", unavailable, 1);
}

/** Returns the refusal for a failure of PostgreSQL, and any other error unchanged. After `in_doubt` the change may have been committed. */
export function refusalOfStore(error: unknown): unknown {
  if (!(error instanceof DatabaseAway)) return error;
  return error.inDoubt ? new OwnerRefusal("in_doubt", inDoubt) : unavailableRefusal();
}
