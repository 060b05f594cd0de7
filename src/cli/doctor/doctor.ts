import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { type Config, settings } from "../../config/config.ts";
import { exitCodes } from "../../values/failure/operator-error.ts";
import { systemClock } from "../../values/time/clock.ts";
import { type Call, usageError } from "../command.ts";
import { attempt, type Finding, notLookedAt, ok, type Status } from "./finding.ts";
import { checkBackups, checkBinding, checkMirror, checkNode, checkPermissions, checkSpace } from "./machine.ts";

/** Bounds of what counts as well. */
export type Bounds = { feedHoursMax: number; backupHoursMax: number; freeBytesMin: number };

/** A feed is stale in `/v1/status` after as long; a daily backup may take two hours; the log of a busy server takes some 64 MB. */
export const boundDefaults: Bounds = { feedHoursMax: 24, backupHoursMax: 26, freeBytesMin: 256_000_000 };

/** Checks a set-up from outside, changes nothing in it and prints a line for each check. */
export async function doctor(call: Call): Promise<number> {
  const bounds = {
    feedHoursMax: wholeOf(call, "feed-hours", boundDefaults.feedHoursMax),
    backupHoursMax: wholeOf(call, "backup-hours", boundDefaults.backupHoursMax),
    freeBytesMin: wholeOf(call, "free-bytes", boundDefaults.freeBytesMin),
  };
  const findings = await examine(call.config, bounds, systemClock.now(), call.feedValues);
  const counts = { ok: 0, warning: 0, failed: 0 } satisfies Record<Status, number>;
  for (const { status } of findings) counts[status] += 1;
  if (call.has("json")) call.out.line(JSON.stringify({ ...counts, checks: findings }));
  else {
    for (const finding of findings) call.out.line(lineOf(finding));
    call.out.line(`${findings.length} checks: ${counts.ok} ok, ${counts.warning} warnings, ${counts.failed} failed`);
  }
  if (counts.failed > 0) return exitCodes.checkFailed;
  return counts.warning > 0 ? exitCodes.checkWarned : exitCodes.ok;
}

/** Settings of a set-up that the doctor looks at. */
export type DoctorConfig = Pick<
  Config,
  "db" | "mirrorConfig" | "backups" | "privateDb" | "privateDbFile" | "follow" | "trust" | "followStaleHours"
>;

/** Checks the set-up that `config` describes, at the instant `now` (UTC ms). `feedValues`: what a mirror's sources take from the environment. What cannot be looked at is never ok. */
export async function examine(
  config: DoctorConfig,
  { feedHoursMax, backupHoursMax, freeBytesMin }: Bounds,
  now: number,
  feedValues: Call["feedValues"] = {},
): Promise<Finding[]> {
  const { db, mirrorConfig, backups } = config;
  const path = pathOf(db);
  const binding = await checkBinding();
  const hasPrivate = config.privateDb !== "" || config.privateDbFile !== "";
  const isFollower = config.follow !== "";
  const data = await dataFindings(path, binding, feedHoursMax, now, isFollower);
  const { checkFollow, checkPrivateDatabase } = await import("./nodes.ts");
  return [
    checkNode(),
    binding,
    // What is charged is in the private database, and so is the clock that counts.
    ...data.filter(({ check }) => !(hasPrivate && ["clock", "ledger"].includes(check))),
    ...(hasPrivate ? [await checkPrivateDatabase(config)] : []),
    ...(isFollower ? [await checkFollow(path, config, now)] : []),
    attempt("permissions", () => checkPermissions(path)),
    attempt("space", () => checkSpace(path, freeBytesMin)),
    isFollower && backups === ""
      ? ok("backups", "the file needs none: it is taken from releases")
      : checkBackups(backups, path, backupHoursMax, now),
    await checkMirror(mirrorConfig, mirrorConfig !== settings.mirrorConfig.fallback, feedValues),
  ];
}

/** The same spelling that every command uses. The store has this function as well, but may not be loaded without a SQLite binding. */
function pathOf(db: string): string {
  try {
    return realpathSync(db);
  } catch {
    return resolve(db);
  }
}

async function dataFindings(
  path: string,
  binding: Finding,
  feedHoursMax: number,
  now: number,
  isFollower: boolean,
): Promise<Finding[]> {
  if (binding.status === "failed") {
    return ["file", "clock", "feeds", "ledger", "server"].map((check) => notLookedAt(check, "SQLite cannot be loaded"));
  }
  const { checkFile, checkServer } = await import("./data.ts");
  const server = attempt("server", () => checkServer(path));
  if (!isFollower) return [...checkFile(path, feedHoursMax, now), server];
  if (!existsSync(path))
    return [...["file", "feeds"].map((check) => notLookedAt(check, "no release was taken yet")), server];
  const file = checkFile(path, feedHoursMax, now);
  // Nobody else may import into the file of a follower.
  return [...file.map((one) => (one.check === "feeds" && one.fix !== null ? ofPublisher(one) : one)), server];
}

function ofPublisher(finding: Finding): Finding {
  return { ...finding, fix: "look at the publisher of the releases, which polls the feeds" };
}

function lineOf({ check, status, found, fix }: Finding): string {
  return `${status.padEnd(7)} ${check.padEnd(11)} ${found}${fix === null ? "" : `; ${fix}`}`;
}

function wholeOf(call: Call, flag: string, fallback: number): number {
  const given = call.flag(flag);
  if (given === undefined) return fallback;
  if (!/^(0|[1-9][0-9]{0,14})$/.test(given)) throw usageError(`--${flag}: takes a whole number`);
  return Number(given);
}
