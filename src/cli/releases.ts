import type { Manifest } from "../releases/manifest.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { systemIds } from "../values/ids.ts";
import { hourMs } from "../values/time/calendar.ts";
import { systemClock } from "../values/time/clock.ts";
import { type Call, commandsOf, json, noSettings, usageError } from "./command.ts";
import { printJson } from "./print.ts";
import { signals } from "./signals.ts";

/** Age at which a release is reported as stale, in hours. */
const staleHours = 24;
const trustFlag = { value: "KEY", description: "public key of the publisher, as `release key` has printed it" };

/** The commands of `release`. */
export const releaseCommands = commandsOf(noSettings, [
  {
    name: "release key",
    operands: ["FILE"],
    flags: { public: { description: "print the public key of a FILE that is there, and make none" } },
    description: "make the key that signs market releases: the private one into FILE, the public one is printed",
    examples: [["release key release.pem", "make the private key; the public one is printed"]],
    run: key,
  },
  {
    name: "release seal",
    flags: {
      to: { value: "FOLDER", description: "the folder of releases; it may be read by everybody" },
      key: { value: "FILE", description: "the private key of `release key`" },
      keep: { value: "N", description: "keep at least the newest N releases (default 24)" },
      "keep-hours": { value: "HOURS", description: "keep releases that are younger (default 24)" },
      "take-over": { description: "continue a folder that another file was sealed into, which is sealed no more" },
      json,
    },
    settings: ["db"],
    description: "seal the market, without accounts and portfolios, into a signed release; also beside a server",
    examples: [["release seal --to /srv/releases --key release.pem", "seal the market as it is"]],
    run: seal,
  },
  {
    name: "release check",
    operands: ["PLACE"],
    flags: { trust: trustFlag, json },
    description: "verify all releases in a folder or at its http(s) address: signatures, chain and every chunk",
    examples: [["release check https://prices.example/releases --trust PUBLIC_KEY", "verify all of a publisher"]],
    run: check,
  },
  {
    name: "release fetch",
    operands: ["PLACE"],
    flags: {
      trust: trustFlag,
      to: { value: "FILE", description: "database file that the market is taken into" },
      json,
    },
    description: "take the newest release of a folder or http(s) address into a file, never an older one than before",
    examples: [
      ["release fetch https://prices.example/releases --trust PUBLIC_KEY --to market.db", "take the newest release"],
    ],
    run: take,
  },
]);

async function key(call: Call): Promise<number> {
  const { createReleaseKey, publicKeyText, readReleaseKey } = await import("../releases/key.ts");
  const [path] = call.operands as [string];
  call.out.line(call.has("public") ? publicKeyText(readReleaseKey(path)) : createReleaseKey(path));
  return exitCodes.ok;
}

async function seal(call: Call): Promise<number> {
  const { readReleaseKey } = await import("../releases/key.ts");
  const { sealRelease } = await import("../releases/seal.ts");
  const { databasePath } = await import("../store/file/file.ts");
  const order = {
    databasePath: databasePath(call.config.db),
    folder: required(call, "to", "the folder of releases"),
    key: readReleaseKey(required(call, "key", "the file of the private key")),
    retention: { count: wholeOf(call, "keep", 24, 1), hours: wholeOf(call, "keep-hours", 24, 0) },
    takeOver: call.has("take-over"),
  };
  const newLineage = () => systemIds().handle("rel_");
  const sealed = await untilSignal((signal) => sealRelease(order, { clock: systemClock, newLineage, signal }));
  if (call.has("json")) {
    const { isNew, number, generation, chunks, newChunks, newBytes, manifestBytes, bytes, pruned } = sealed;
    const news = { new_chunks: newChunks, new_bytes: newBytes, manifest_bytes: manifestBytes };
    printJson(call, { number, is_new: isNew, generation, chunks, bytes, ...news, pruned });
  } else if (sealed.isNew) {
    const of = sealed.generation ?? "a market without prices";
    const moved = `${sealed.newChunks} of ${sealed.chunks} chunks are new, ${sealed.newBytes + sealed.manifestBytes} bytes`;
    call.out.line(`release ${sealed.number} of ${of} sealed into ${order.folder}: ${moved}`);
  } else call.out.line(`release ${sealed.number} in ${order.folder} holds the market as it is`);
  return exitCodes.ok;
}

async function check(call: Call): Promise<number> {
  const { openSource } = await import("../releases/source.ts");
  const { checkReleases } = await import("../releases/verify.ts");
  const trusted = await trustedKey(call);
  const { latest, oldest, chunks, bytes } = await untilSignal((signal) =>
    checkReleases(openSource(call.operands[0]!, signal), trusted),
  );
  if (call.has("json")) printJson(call, { ...factsOf(latest), oldest, chunks, bytes, is_stale: isStale(latest) });
  else {
    call.out.line(`release ${latest.number} of ${nameOf(latest)}, sealed at ${latest.sealed_at}`);
    call.out.line(
      `releases ${oldest} to ${latest.number} are signed, whole and in order: ${chunks} chunks, ${bytes} bytes`,
    );
    noteStale(call, latest);
  }
  return exitCodes.ok;
}

async function take(call: Call): Promise<number> {
  const { fetchRelease } = await import("../releases/fetch.ts");
  const { openSource } = await import("../releases/source.ts");
  const trusted = await trustedKey(call);
  const to = required(call, "to", "the file that the market is taken into");
  const fetched = await untilSignal((signal) =>
    fetchRelease({ source: openSource(call.operands[0]!, signal), trusted, to, signal }),
  );
  const { manifest, isNew, isChained, fetchedChunks, fetchedBytes } = fetched;
  const counts = { fetched_chunks: fetchedChunks, fetched_bytes: fetchedBytes };
  if (call.has("json")) {
    const facts = { ...factsOf(manifest), is_new: isNew, is_chained: isChained, ...counts };
    printJson(call, { ...facts, is_stale: isStale(manifest) });
    return exitCodes.ok;
  }
  const release = `release ${manifest.number} of ${nameOf(manifest)}, sealed at ${manifest.sealed_at}`;
  if (isNew) {
    const read = `${fetchedChunks} of ${manifest.chunks.length} chunks were read, ${fetchedBytes} bytes`;
    call.out.line(`${to} is ${release}: verified; ${read}`);
  } else call.out.line(`${to} is ${release} already`);
  if (!isChained)
    call.out.note("the releases since the last one that was taken are gone: their chain was not followed");
  noteStale(call, manifest);
  return exitCodes.ok;
}

async function trustedKey(call: Call) {
  const { parsePublicKey } = await import("../releases/key.ts");
  return parsePublicKey(required(call, "trust", "the public key of the publisher"));
}

function factsOf({ number, lineage, sealed_at, schema, generation, checked_at, bytes }: Manifest) {
  return { number, lineage, sealed_at, schema, generation, checked_at, file_bytes: bytes };
}

function nameOf({ generation }: Manifest): string {
  return generation?.generation ?? "a market without prices";
}

function isStale({ sealed_at }: Manifest): boolean {
  return systemClock.now() - Date.parse(sealed_at) > staleHours * hourMs;
}

function noteStale(call: Call, manifest: Manifest): void {
  if (isStale(manifest))
    call.out.note(`stale: it was sealed more than ${staleHours} hours ago; nothing newer is there`);
}

/** Returns the value of a flag. @throws {OperatorError} when it is missing; `what` says what it takes. */
function required(call: Call, name: string, what: string): string {
  const value = call.flag(name);
  if (value === undefined || value.trim() === "") throw usageError(`--${name} is missing; it takes ${what}`);
  return value;
}

function wholeOf(call: Call, name: string, fallback: number, min: number): number {
  const given = call.flag(name);
  if (given === undefined) return fallback;
  if (/^(0|[1-9]\d{0,5})$/.test(given) && Number(given) >= min) return Number(given);
  throw usageError(`--${name}: takes a whole number from ${min} to 999999`);
}

/** Runs `work` until it ends or a signal comes; at a signal it stops between two steps and removes what it has begun. */
async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const { first, forget } = signals();
  first.then(() => ending.abort());
  try {
    return await work(ending.signal);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    throw new OperatorError("interrupted; what was there before is unchanged", exitCodes.temporary);
  } finally {
    forget();
  }
}
