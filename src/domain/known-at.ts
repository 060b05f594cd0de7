import type { Caller } from "../access/credentials.ts";
import { Failure } from "../values/failure/failure.ts";
import { toTimestamp } from "../values/time/clock.ts";

/** First instants that can be asked, UTC ms. `firstFrame` is null if no frame is recorded. */
type Moments = { since(): number; firstFrame(): number | null };

/** `needsFrame` refuses an instant before the first frame. `where` is the position of `known_at`, such as `query parameter`. */
type Asked = {
  readonly caller: Pick<Caller, "plan">;
  readonly at: number;
  readonly moments: Moments;
  readonly needsFrame?: boolean;
  readonly where?: string;
};

/**
 * Returns the requested instant in UTC ms, or null for the current data.
 *
 * @throws {Failure} `plan_upgrade_required` for a Free plan, `invalid_parameter`, or `invalid_range` for an instant after `at` or before
 * the first instant with an answer.
 */
export function resolveKnownAt(text: string | undefined, asked: Asked): number | null {
  if (text === undefined) return null;
  const { caller, at, moments, needsFrame = false, where } = asked;
  if (caller.plan === "free") {
    throw new Failure("plan_upgrade_required", { detail: `${placeOf(where)}: needs a paid plan` });
  }
  const knownAt = Date.parse(text);
  if (!isInstant(text, knownAt)) {
    throw new Failure("invalid_parameter", { detail: `${placeOf(where)}: must be a date-time that exists` });
  }
  if (knownAt > at) {
    throw new Failure("invalid_range", { detail: `${placeOf(where)}: must not be after now, ${toTimestamp(at)}` });
  }
  const first = Math.max(moments.since(), needsFrame ? (moments.firstFrame() ?? 0) : 0);
  if (knownAt < first) throw notKnownBefore(first, where);
  return knownAt;
}

/** Returns the refusal of an instant that is too early. `first`: first instant that can be asked, UTC ms. */
export function notKnownBefore(first: number, where?: string): Failure {
  return new Failure("invalid_range", {
    detail: `${placeOf(where)}: must not be before ${toTimestamp(first)}, the first instant that can be answered`,
  });
}

/** Returns the instant as a part of `meta` and of cursors. It is absent for the current data. */
export function knownAtText(knownAt: number | null): { known_at?: string } {
  return knownAt === null ? {} : { known_at: toTimestamp(knownAt) };
}

/** JavaScript reads 30 February as 2 March. */
function isInstant(text: string, at: number): boolean {
  return !Number.isNaN(at) && toTimestamp(at).startsWith(text.slice(0, 19));
}

function placeOf(where = "query parameter"): string {
  return `${where} \`known_at\``;
}
