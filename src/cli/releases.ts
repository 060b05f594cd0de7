import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Manifest } from "../releases/manifest.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { systemIds } from "../values/ids.ts";
import { hourMs } from "../values/time/calendar.ts";
import { systemClock, toTimestamp } from "../values/time/clock.ts";
import { type Call, commandsOf, json, noSettings, required, wholeNumberFlag } from "./command.ts";
import { pathOf } from "./open.ts";
import { printResult } from "./print.ts";
import { rootCommands } from "./release-roots.ts";
import { untilSignal } from "./signals.ts";

/** Age at which a release is reported as stale, in hours. */
const staleHours = 24;
const retentionMax = 999_999;
const withoutPrices = "a market without prices";
const trustFlag = "trusted root, as `release root show` of the publisher prints it";

export const releaseCommands = [
  ...rootCommands,
  ...commandsOf(noSettings, [
    {
      usage: "release seal",
      flags: {
        "to FOLDER": "folder of releases; every user may read it",
        "key FILE": "private online key from `release root init`",
        "keep N": "newest releases to keep (default: 24)",
        "keep-hours HOURS": "hours to keep older releases (default: 24)",
        "own-nodes": "seal also if a provider may not be passed on; the release says that it is not for others",
        "take-over": "continue a folder of another file, which seals no more",
        json,
      },
      settings: ["db"],
      description: "seal the market, without accounts, into a signed release",
      example: "release seal --to /srv/releases --key keys/online.pem",
      run: seal,
    },
    {
      usage: "release check PLACE",
      flags: { "trust ROOT": trustFlag, json },
      description: "verify all releases of a folder or address, or the pages of a fetched file",
      example: "release check https://prices.example/releases --trust root:1:DIGITS",
      run: check,
    },
    {
      usage: "release fetch PLACE",
      flags: {
        "trust ROOT": trustFlag,
        "to FILE": "database file to write",
        json,
      },
      description: "fetch the newest release of a folder or address",
      example: "release fetch https://prices.example/releases --trust root:1:DIGITS --to market.db",
      run: take,
    },
  ]),
];

async function seal(call: Call): Promise<void> {
  const { readReleaseKey } = await import("../releases/key.ts");
  const { sealRelease } = await import("../releases/seal.ts");
  const order = {
    databasePath: await pathOf(call),
    folder: required(call, "to", "the folder of releases"),
    key: readReleaseKey(required(call, "key", "the file of the private key")),
    retention: {
      count: wholeNumberFlag(call, "keep", [1, retentionMax]) ?? 24,
      hours: wholeNumberFlag(call, "keep-hours", [0, retentionMax]) ?? 24,
    },
    takeOver: call.has("take-over"),
    ownNodes: call.has("own-nodes"),
  };
  const newLineage = () => systemIds().handle("rel_");
  const { isNew, number, generation, chunks, newChunks, newBytes, manifestBytes, bytes, pruned, unknownTerms } =
    await interruptible((signal) => sealRelease(order, { clock: systemClock, newLineage, signal }));
  const news = { new_chunks: newChunks, new_bytes: newBytes, manifest_bytes: manifestBytes };
  const moved = `${newChunks} of ${chunks} chunks are new, ${newBytes + manifestBytes} bytes`;
  const facts = { number, is_new: isNew, generation, chunks, bytes, ...news, pruned, unknown_terms: unknownTerms };
  printResult(call, facts, [
    isNew
      ? `release ${number} of ${generation ?? withoutPrices} sealed into ${order.folder}: ${moved}`
      : `release ${number} in ${order.folder} holds the current market`,
    ...(unknownTerms.length === 0
      ? []
      : [
          `it is unknown whether the prices of ${unknownTerms.join(", ")} may be passed on; \`providers set\` records it`,
        ]),
  ]);
}

async function check(call: Call): Promise<void> {
  const place = call.operands[0]!;
  if (statSync(place, { throwIfNoEntry: false })?.isFile()) return checkFile(call, place);
  const { openSource } = await import("../releases/source.ts");
  const { checkReleases } = await import("../releases/verify.ts");
  const trust = await trustOf(call);
  const { latest, oldest, chunks, bytes, expiresAt, rootExpiresAt } = await interruptible((signal) =>
    checkReleases(openSource(place, signal), trust),
  );
  const times = { expires_at: toTimestamp(expiresAt), root_expires_at: toTimestamp(rootExpiresAt) };
  printResult(call, { ...factsOf(latest), oldest, chunks, bytes, is_stale: isStale(latest), ...times }, [
    releaseText(latest),
    `releases ${oldest} to ${latest.number} are signed, complete and in order: ${chunks} chunks, ${bytes} bytes`,
    `the signatures expire at ${times.expires_at}, the root at ${times.root_expires_at}`,
    ...restrictionText(latest),
  ]);
  noteStale(call, latest);
}

/** Compares a fetched file with its release, which needs no source. A running server may replace the file meanwhile. */
async function checkFile(call: Call, place: string): Promise<void> {
  const { databasePath } = await import("../store/file/file.ts");
  const { HeldCheck } = await import("../releases/held.ts");
  const check = HeldCheck.of(databasePath(place));
  if (check === null)
    throw new OperatorError(
      `${place}: its release is not recorded beside it; \`release fetch\` records it`,
      exitCodes.noInput,
    );
  await interruptible(async (signal) => {
    for (let next: number | null = 0; next !== null; next = check.step(next)) {
      await setImmediate();
      signal.throwIfAborted();
    }
  });
  const { release } = check;
  const text = `${place} is ${releaseText(release)}: all ${release.chunks.length} chunks verified`;
  printResult(call, { ...factsOf(release), chunks: release.chunks.length, is_stale: isStale(release) }, [
    text,
    ...restrictionText(release),
  ]);
  noteStale(call, release);
}

async function take(call: Call): Promise<void> {
  const { fetchRelease } = await import("../releases/fetch.ts");
  const { openSource } = await import("../releases/source.ts");
  const trust = await trustOf(call);
  const to = required(call, "to", "the database file to write");
  const { manifest, isNew, fetchedChunks, fetchedBytes, writtenBytes } = await interruptible((signal) =>
    fetchRelease({ source: openSource(call.operands[0]!, signal), trust, to, signal }),
  );
  const counts = { fetched_chunks: fetchedChunks, fetched_bytes: fetchedBytes, written_bytes: writtenBytes };
  const facts = { ...factsOf(manifest), is_new: isNew, ...counts, is_stale: isStale(manifest) };
  const read = `${fetchedChunks} of ${manifest.chunks.length} chunks were read, ${fetchedBytes} bytes`;
  printResult(call, facts, [
    `${to} is ${releaseText(manifest)}${isNew ? `: verified; ${read}` : " already"}`,
    ...restrictionText(manifest),
  ]);
  noteStale(call, manifest);
}

async function trustOf(call: Call) {
  const { parseTrust } = await import("../releases/trust.ts");
  return parseTrust(required(call, "trust", "the trusted root of the publisher"));
}

function factsOf({ number, lineage, sealed_at, schema, generation, checked_at, not_for_others, bytes }: Manifest) {
  return {
    number,
    lineage,
    sealed_at,
    schema,
    generation,
    checked_at,
    not_for_others: not_for_others ?? [],
    file_bytes: bytes,
  };
}

function restrictionText({ not_for_others = [] }: Manifest): string[] {
  if (not_for_others.length === 0) return [];
  return [
    `not for others: the prices of ${not_for_others.join(", ")} may not be passed on, only used by nodes of its publisher`,
  ];
}

function releaseText({ number, generation, sealed_at }: Manifest): string {
  return `release ${number} of ${generation?.generation ?? withoutPrices}, sealed at ${sealed_at}`;
}

function isStale({ sealed_at }: Manifest): boolean {
  return systemClock.now() - Date.parse(sealed_at) > staleHours * hourMs;
}

function noteStale(call: Call, manifest: Manifest): void {
  if (isStale(manifest) && !call.has("json"))
    call.out.note(`stale: it was sealed more than ${staleHours} hours ago and is the newest`);
}

/** Runs `work` until it ends or a signal arrives. At a signal it stops between two steps and removes unfinished files. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return untilSignal((signal) =>
    work(signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw new OperatorError("interrupted; the existing file is unchanged", exitCodes.temporary);
    }),
  );
}
