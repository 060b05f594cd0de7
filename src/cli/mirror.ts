import { guardNames } from "../import/guards/findings.ts";
import type { MirrorEvents } from "../jobs/mirror/mirror-events.ts";
import type { MirrorSetup } from "../jobs/mirror/mirror-setup.ts";
import { StorageFailures } from "../log/storage-failures.ts";
import { isFullCode } from "../store/file/refusal.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { plural } from "../values/text/counted.ts";
import { minuteMs, secondMs } from "../values/time/calendar.ts";
import { systemClock } from "../values/time/clock.ts";
import { type Call, commandsOf, json, noSettings, type Output, usageError } from "./command.ts";
import { guardsIn } from "./guards.ts";
import { ownFile, withDatabase } from "./open.ts";
import { printResult } from "./print.ts";
import { untilSignal } from "./signals.ts";

/** Maximum wait of `--once` for another import, in ms. */
const onceWaitMs = minuteMs;

export const mirrorCommands = commandsOf(noSettings, [
  {
    usage: "mirror accept FEED",
    flags: {
      "guard GUARD,GUARD": "guards that the next body may break",
      json,
    },
    settings: ["db"],
    description: "accept a feed's next body despite broken guards",
    example: "mirror accept steam --guard shrink",
    run: acceptGuards,
  },
  {
    usage: "mirror",
    flags: { once: "poll each feed once and end; exits with 75 if one failed" },
    settings: ["db", "logLevel", "mirrorConfig", "publishEveryMs"],
    description: "poll the configured feeds and publish changes",
    example: "mirror --once",
    run: runMirror,
  },
]);

async function runMirror(call: Call): Promise<number> {
  const { readMirrorConfig } = await import("../jobs/mirror/mirror-config.ts");
  const { adoptTerms, conflictText } = await import("../import/quotes/mapping-terms.ts");
  const { holdLock } = await import("../store/file/lock.ts");
  const feeds = readMirrorConfig(call.config.mirrorConfig, call.feedValues);
  const path = await ownFile(call);
  const lock = holdLock(path, "mirror");
  const poll = call.has("once") ? once : forever;
  for (const conflict of adoptTerms(
    path,
    feeds.map(({ adapter }) => adapter),
  ).conflicts)
    call.out.note(conflictText(conflict));
  const setup = { databasePath: path, feeds, publishEveryMs: call.config.publishEveryMs };
  return untilSignal((signal) => poll(call, setup, signal)).finally(() => lock.release());
}

async function acceptGuards(call: Call): Promise<void> {
  const { writeTransaction } = await import("../store/database.ts");
  const { FeedWriter } = await import("../store/write/feeds.ts");
  const { GuardAcceptanceWriter } = await import("../store/write/guard-acceptances.ts");
  const [feed] = call.operands as [string];
  const guards = guardsIn(call, guardNames, "guard");
  if (guards.length === 0) throw usageError(`--guard is missing; the guards are ${guardNames.join(", ")}`);
  const unknown = `${feed}: the file has no feed with this name; the reports of a mirror name its feeds`;
  await withDatabase(call, (database) => {
    if (!new FeedWriter(database).has(feed)) throw new OperatorError(unknown, exitCodes.noInput);
    const acceptances = new GuardAcceptanceWriter(database);
    writeTransaction(database, () => {
      for (const guard of guards) acceptances.accept(feed, guard, systemClock.now());
    });
  });
  const text = `The next accepted body of ${feed} may break ${guards.join(", ")}, once.`;
  printResult(call, { feed, guards }, [text]);
}

async function forever({ config, out }: Call, setup: MirrorSetup, signal: AbortSignal): Promise<number> {
  const { createEvents, logWarnings } = await import("../log/events.ts");
  const { systemMirror } = await import("../jobs/mirror/mirror-setup.ts");
  const events = createEvents(config.logLevel);
  logWarnings(events);
  const names = setup.feeds.map(({ feed }) => feed).join(", ");
  out.line(`Itemtape mirrors ${names} into ${config.db} (stop with Ctrl+C)`);
  const failures = new StorageFailures(systemClock);
  events.onStorageErred((failure) => {
    if (!isFullCode(failure.code, setup.databasePath)) failures.add(failure);
  });
  const broken = new AbortController();
  failures.lasting.then((error) => {
    events.storageFailed(error);
    broken.abort();
  });
  await systemMirror(setup, events, AbortSignal.any([signal, broken.signal])).run();
  await events.flushed();
  return broken.signal.aborted ? exitCodes.unexpected : exitCodes.ok;
}

async function once({ out }: Call, setup: MirrorSetup, signal: AbortSignal): Promise<number> {
  const { systemMirror } = await import("../jobs/mirror/mirror-setup.ts");
  let failures = 0;
  const events = spokenEvents(out, () => {
    failures += 1;
  });
  const isWritten = await systemMirror(setup, events, signal).once(onceWaitMs);
  return failures === 0 && isWritten && !signal.aborted ? exitCodes.ok : exitCodes.temporary;
}

/** Returns the events of a mirror as plain lines for people. */
function spokenEvents({ line }: Output, failed: () => void): MirrorEvents {
  const seconds = (ms: number) => `${Math.ceil(ms / secondMs)} s`;
  const complain = (text: string) => {
    failed();
    line(text);
  };
  return {
    feedVerified({ feed, items, refused, bytes, came, changed, went, moves, named, not_judged }) {
      line(
        `${feed}: verified, ${plural(items, "item")} in ${bytes} bytes${refused === 0 ? "" : `, ${plural(refused, "price")} refused`}`,
      );
      if (came !== undefined) line(`${feed}: ${plural(came, "quote")} came, ${changed} changed, ${went} went`);
      if (moves !== undefined) line(`${feed}: largest moves: ${moves}`);
      if (named !== undefined) line(`${feed}: named: ${named}`);
      if (not_judged !== undefined) line(`${feed}: guards ${not_judged}`);
    },
    feedUnchanged: ({ feed }) => line(`${feed}: verified, unchanged`),
    feedFailed: ({ feed, reason }) => complain(`${feed}: failed: ${reason}`),
    feedFrozen: ({ feed }) => line(`${feed}: unchanged for very long`),
    feedBehind: ({ feed, saved_at }) => line(`${feed}: answers with content that it saved at ${saved_at}`),
    guardAccepted: ({ feed, finding }) => line(`${feed}: accepted: ${finding}`),
    feedLagging: ({ feed, late_ms }) => line(`${feed}: polled ${seconds(late_ms)} late`),
    frameRecorded: ({ feed, hour, items, quotes }) =>
      line(`${feed}: frame of ${hour} recorded, ${plural(items, "item")}, ${plural(quotes, "quote")}`),
    frameDropped: ({ feed, hour, reason }) => complain(`${feed}: frame of ${hour} dropped: ${reason}`),
    generationPublished: ({ feeds, generation, items }) =>
      line(`published ${generation} with ${feeds}: ${plural(items, "item")}`),
    publicationPostponed: ({ feeds, wait_ms }) =>
      line(`${feeds}: not published yet, the last publication is too recent; run it again in ${seconds(wait_ms)}`),
    daysFinalized: ({ days, rows, index_levels, corrected_levels: corrected }) => {
      const again = corrected === 0 ? "" : `, ${corrected} corrected`;
      line(`finalized ${plural(days, "day")} of feeds: ${rows} daily rows, ${index_levels} index levels${again}`);
    },
    mirrorWaiting: () => line("another import is writing; waiting for it"),
    mirrorFailed: ({ reason }) => complain(`failed: ${reason}`),
    // Already reported with the failure.
    storageErred: () => undefined,
  };
}
