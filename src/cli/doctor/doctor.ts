import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Config, settings } from "../../config/config.ts";
import { readHeader } from "../../store/file/header.ts";
import { spaceOf } from "../../store/file/space.ts";
import { draftOf } from "../../values/drafts.ts";
import { exitCodes } from "../../values/failure/operator-error.ts";
import { plural } from "../../values/text/counted.ts";
import { hourMs } from "../../values/time/calendar.ts";
import { systemClock } from "../../values/time/clock.ts";
import { roundAge } from "../../values/time/time-text.ts";
import { type Call, usageError } from "../command.ts";
import { attempt, bytesText, type Finding, failed, notRun, ok, type Status, warning } from "./finding.ts";

/** Limits of the checks. */
export type Bounds = { feedHoursMax: number; backupHoursMax: number; freeBytesMin: number };

/** 24 hours as in `/v1/status`; 26, because a daily backup may need two hours; 256 MB, because the log of a busy server has some 64 MB. */
export const boundDefaults: Bounds = { feedHoursMax: 24, backupHoursMax: 26, freeBytesMin: 256_000_000 };

/** Checks an installation from outside, changes nothing in it and prints a line for each check. */
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
  return counts.warning > 0 && call.has("strict") ? exitCodes.checkWarned : exitCodes.ok;
}

/** Settings of an installation that the doctor reads. */
type DoctorConfig = Pick<
  Config,
  | "db"
  | "mirrorConfig"
  | "backups"
  | "privateDb"
  | "privateDbFile"
  | "follow"
  | "trust"
  | "followStaleHours"
  | "releaseTo"
  | "releaseKey"
  | "releaseOwnNodes"
>;

/**
 * Checks the installation with the settings `config` at the instant `now` (UTC ms). `feedValues`: environment values of a mirror's sources.
 * A check that could not run is never ok.
 */
export async function examine(
  config: DoctorConfig,
  { feedHoursMax, backupHoursMax, freeBytesMin }: Bounds,
  now: number,
  feedValues: Call["feedValues"] = {},
): Promise<Finding[]> {
  const { db, mirrorConfig, backups } = config;
  const path = pathOf(db);
  const binding = await attempt("sqlite", checkBinding);
  const hasPrivate = config.privateDb !== "" || config.privateDbFile !== "";
  const isFollower = config.follow !== "";
  const data = await dataFindings(path, binding, feedHoursMax, now, isFollower);
  const { checkFollow, checkPrivateDatabase, checkReleases } = await import("./nodes.ts");
  return [
    checkNode(),
    binding,
    // With PostgreSQL, the file contains neither the charges nor the clock that counts.
    ...data.filter(({ check }) => !(hasPrivate && ["clock", "ledger"].includes(check))),
    ...(hasPrivate ? [await attempt("private", () => checkPrivateDatabase(config))] : []),
    ...(isFollower ? [await attempt("follow", () => checkFollow(path, config, now))] : []),
    ...(config.releaseTo === "" ? [] : [await attempt("releases", () => checkReleases(path, config, now))]),
    await attempt("permissions", () => checkPermissions(path)),
    await attempt("space", () => checkSpace(path, freeBytesMin)),
    isFollower && backups === ""
      ? ok("backups", "not needed, because releases replace the file")
      : checkBackups(backups, path, backupHoursMax, now),
    await attempt("mirror", () => checkMirror(mirrorConfig, path, feedValues)),
  ];
}

/**
 * Returns the path in the same spelling as every command. The store has an equal function, but it may not be loaded without a SQLite
 * binding.
 */
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
    return ["file", "clock", "catalog", "feeds", "ledger", "server"].map((check) =>
      notRun(check, "SQLite cannot be loaded"),
    );
  }
  const { checkFile, checkServer } = await import("./data.ts");
  const server = await attempt("server", () => checkServer(path));
  if (!isFollower) return [...checkFile(path, feedHoursMax, now), server];
  if (!existsSync(path))
    return [...["file", "catalog", "feeds"].map((check) => notRun(check, "no release was fetched yet")), server];
  const file = checkFile(path, feedHoursMax, now);
  // Other imports into the file of a follower are not possible, so fixes concern the publisher.
  return [
    ...file.map((one) => (["catalog", "feeds"].includes(one.check) && one.fix !== null ? ofPublisher(one) : one)),
    server,
  ];
}

function ofPublisher(finding: Finding): Finding {
  return { ...finding, fix: "check the publisher of the releases, which imports the catalog and polls the feeds" };
}

function lineOf({ check, status, found, fix }: Finding): string {
  return `${status.padEnd(7)} ${check.padEnd(11)} ${found}${fix === null ? "" : `; ${fix}`}`;
}

function wholeOf(call: Call, flag: string, fallback: number): number {
  const given = call.flag(flag);
  if (given === undefined) return fallback;
  if (!/^(0|[1-9][0-9]{0,14})$/.test(given)) throw usageError(`--${flag}: must be a whole number`);
  return Number(given);
}

/** Bits of a mode that let other users change a file or the content of a folder. */
const othersWrite = 0o022;
const anyOther = 0o077;

/** Reports the current Node. A version that cannot run the program is refused before any command. */
function checkNode(): Finding {
  const { node, napi } = process.versions;
  return ok("node", `Node ${node} with Node-API ${napi} on ${process.platform} ${process.arch}`);
}

async function checkBinding(): Promise<Finding> {
  const { sqliteVersion } = await import("../../store/database.ts");
  return ok("sqlite", `SQLite ${sqliteVersion()} is loaded`);
}

/** Checks that other users can neither read nor replace the file and its log. */
function checkPermissions(path: string): Finding {
  const check = "permissions";
  if (process.platform === "win32") return ok(check, "not compared: this system has no modes of the POSIX kind");
  const folder = dirname(path);
  const modeOf = (place: string) => (statSync(place, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  const open = ["", "-wal", "-shm"].map((suffix) => path + suffix).filter((place) => (modeOf(place) & anyOther) !== 0);
  if (open.length > 0) {
    const modes = open.map((place) => `${place} has mode ${modeOf(place).toString(8)}`).join(", ");
    return failed(check, `other users may read or write: ${modes}`, `run \`chmod 600 ${open.join(" ")}\``);
  }
  const mode = modeOf(folder);
  const found = `the folder ${folder} has mode ${mode.toString(8)}`;
  if ((mode & othersWrite) !== 0)
    return failed(check, `${found}: others may replace the file`, `run \`chmod 700 ${folder}\``);
  if ((mode & anyOther) !== 0) return warning(check, `${found}: others may list it`, `run \`chmod 700 ${folder}\``);
  return ok(check, `the file and its folder ${folder} are for their owner only`);
}

/** Compares the free space with `bytesMin`, and with the size of the file and its log. */
function checkSpace(path: string, bytesMin: number): Finding {
  const { databaseBytes, walBytes, freeBytes } = spaceOf(path);
  const found = `${bytesText(freeBytes)} free, the file has ${bytesText(databaseBytes)} and its log ${bytesText(walBytes)}`;
  if (freeBytes < bytesMin) {
    const fix = "free some space; requests are refused with 503 without it";
    return failed("space", `${found}: less than ${bytesText(bytesMin)} free`, fix);
  }
  if (freeBytes < databaseBytes + walBytes) {
    return warning("space", `${found}: no room for a second copy`, "free some space, or keep backups on another disk");
  }
  return ok("space", found);
}

/** Finds the newest backup in `folder`, "" if the folder is not configured. It ignores files of other programs. */
function checkBackups(folder: string, path: string, hoursMax: number, now: number): Finding {
  const check = "backups";
  if (folder === "")
    return warning(check, "their folder is not configured", "name their folder with --backups or ITEMTAPE_BACKUPS");
  const fix = `make one with \`npx itemtape db backup ${join(folder, "NAME.db")}\``;
  try {
    const own = statSync(path, { throwIfNoEntry: false });
    const found = readdirSync(folder)
      .filter((name) => draftOf(folder, name) === null)
      .map((name) => join(folder, name))
      // A link may be broken, and a timer may remove an older backup meanwhile.
      .map((place) => ({ place, stat: statSync(place, { throwIfNoEntry: false }) }))
      .flatMap(({ place, stat }) => (stat?.isFile() === true ? { place, stat } : []))
      .filter(({ stat }) => !(stat.ino === own?.ino && stat.dev === own.dev))
      .flatMap(({ place, stat }) => ({ place, atMs: stat.mtimeMs, header: readHeader(place) }))
      .filter(({ header }) => header !== null)
      .toSorted((one, other) => other.atMs - one.atMs);
    const [newest] = found;
    if (newest === undefined) return failed(check, `${folder} has no backup`, fix);
    const text = `the newest of ${found.length} is ${roundAge(Math.max(0, now - newest.atMs))} old (${newest.place})`;
    if (newest.header?.isWhole === false)
      return failed(check, `${text} and cut off: it is shorter than its pages`, fix);
    if (now - newest.atMs > hoursMax * hourMs) return failed(check, `${text}, older than ${hoursMax} h`, fix);
    return ok(check, text);
  } catch (error) {
    return failed(check, `${folder} cannot be read (${(error as Error).message})`, "name their folder with --backups");
  }
}

/** Reads the configuration of the mirror: the configured file, which must exist, or the default one beside the database. */
async function checkMirror(config: string, database: string, feedValues: Call["feedValues"]): Promise<Finding> {
  const isNamed = config !== settings.mirrorConfig.fallback;
  const beside = join(dirname(database), basename(config));
  const path = !isNamed && existsSync(beside) ? beside : config;
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!isNamed && !isThere) return ok("mirror", `not configured; missing file: ${path}`);
  const { readMirrorConfig } = await import("../../jobs/mirror/mirror-config.ts");
  const feeds = readMirrorConfig(path, feedValues);
  return ok("mirror", `${path} names ${plural(feeds.length, "feed")}: ${feeds.map(({ feed }) => feed).join(", ")}`);
}
