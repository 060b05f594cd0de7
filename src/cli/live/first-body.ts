import type { FeedConfig } from "../../jobs/mirror/mirror-config.ts";
import { sendingEvents } from "../../jobs/mirror/mirror-events.ts";
import { systemMirror } from "../../jobs/mirror/mirror-setup.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import type { Progress } from "../../values/progress.ts";
import { minuteMs } from "../../values/time/calendar.ts";
import { Stopped } from "../signals.ts";

const waitMs = minuteMs;
/** End of a failure's reason after a body was read. The message already contains it. */
const unchanged = "; the whole file was refused and nothing was changed";

/** Maps the beginning of a failure's reason to an exit code and a fix. */
const failures: readonly (readonly [reason: RegExp, exitCode: number, fix: string])[] = [
  [/^HTTP 40[13]/, exitCodes.denied, "the source refuses access: its terms may require a key or another address"],
  [/^HTTP 429/, exitCodes.temporary, "the source limits requests: run the same command again in five minutes"],
  [/^HTTP 5/, exitCodes.temporary, "the source is unavailable: run the same command again later"],
  [/^(HTTP|redirects)/, exitCodes.noInput, "this address has no prices: name another one"],
  [
    /^(the connection|the host|the network|sent nothing|took longer|the body was cut)/,
    exitCodes.temporary,
    "is this machine online? Run the same command again",
  ],
  [/^the file does not exist/, exitCodes.noInput, "name an existing file"],
  [/./, exitCodes.badData, "the body cannot be published"],
];

/**
 * Polls feeds once, publishes their bodies in the file at `databasePath` and records them.
 * @throws {OperatorError} with a fix when a feed gives no acceptable body.
 * @throws {Stopped} when the signal aborts it.
 */
export async function pollFirst(
  databasePath: string,
  feeds: readonly FeedConfig[],
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<void> {
  const reasons: string[] = [];
  progress.phase(`asking ${feeds.map(({ feed }) => feed).join(", ")}`);
  const events = sendingEvents(({ event, facts }) => {
    const { feed = "", reason = "", items } = facts as { feed?: string; reason?: string; items?: number };
    if (event === "feedVerified") progress.phase(`publishing ${items} items of ${feed}`);
    if (event === "feedFailed") reasons.push(`${feed}: ${reason}`);
    if (event === "mirrorFailed" || event === "frameDropped") reasons.push(`${feed || "mirror"}: ${reason}`);
  });
  const isWritten = await systemMirror({ databasePath, feeds, publishEveryMs: 0 }, events, signal).once(waitMs);
  if (signal.aborted) throw signal.reason instanceof Stopped ? signal.reason : new Stopped("SIGINT");
  const [first] = reasons;
  if (first !== undefined) throw failureOf(first);
  if (!isWritten) throw new OperatorError("another import is writing; run the same command again", exitCodes.temporary);
}

function failureOf(text: string): OperatorError {
  const [feed, ...rest] = text.split(": ");
  const reason = rest.join(": ").replace(unchanged, "");
  const [, exitCode, fix] = failures.find(([pattern]) => pattern.test(reason))!;
  return new OperatorError(`${feed}: ${reason}; ${fix}. Nothing was changed.`, exitCode);
}
