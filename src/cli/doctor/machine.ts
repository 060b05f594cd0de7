import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readHeader } from "../../store/file/header.ts";
import { spaceOf } from "../../store/file/space.ts";
import { draftOf } from "../../values/drafts.ts";
import { hourMs } from "../../values/time/calendar.ts";
import { roundAge } from "../../values/time/time-text.ts";
import { bytesText, type Finding, failed, failedBy, ok, warning } from "./finding.ts";

/** Bits of a mode with which somebody else may change a file or what lies in a folder. */
const othersWrite = 0o022;
const anyOther = 0o077;

/** Reports the Node that runs this. One that cannot run the program is refused before any command. */
export function checkNode(): Finding {
  const { node, napi } = process.versions;
  return ok("node", `Node ${node} with Node-API ${napi} on ${process.platform} ${process.arch}`);
}

/** Loads the SQLite binding. */
export async function checkBinding(): Promise<Finding> {
  try {
    const { sqliteVersion } = await import("../../store/database.ts");
    return ok("sqlite", `SQLite ${sqliteVersion()} is loaded`);
  } catch (error) {
    return failedBy("sqlite", error);
  }
}

/** Checks that nobody else may read the file and its log, nor put another in its place. */
export function checkPermissions(path: string): Finding {
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

/** Compares the free space with `bytesMin`, and with a copy of the file and its log. */
export function checkSpace(path: string, bytesMin: number): Finding {
  const { databaseBytes, walBytes, freeBytes } = spaceOf(path);
  const found = `${bytesText(freeBytes)} free, the file has ${bytesText(databaseBytes)} and its log ${bytesText(walBytes)}`;
  if (freeBytes < bytesMin) {
    const fix = "make room: what finds none is refused with 503";
    return failed("space", `${found}: less than ${bytesText(bytesMin)} free`, fix);
  }
  if (freeBytes < databaseBytes + walBytes) {
    return warning("space", `${found}: no room for a second copy`, "make room, or keep backups on another disk");
  }
  return ok("space", found);
}

/** Finds the newest backup in `folder`; empty: nobody said where they are. Other files than Itemtape's are passed over. */
export function checkBackups(folder: string, path: string, hoursMax: number, now: number): Finding {
  const check = "backups";
  if (folder === "")
    return warning(check, "nobody said where they are", "name their folder with --backups or ITEMTAPE_BACKUPS");
  const fix = `take one with \`itemtape db backup ${join(folder, "NAME.db")}\``;
  try {
    const own = statSync(path, { throwIfNoEntry: false });
    const found = readdirSync(folder)
      .filter((name) => draftOf(folder, name) === null)
      .map((name) => join(folder, name))
      // A link may lead nowhere, and a timer may remove an older backup meanwhile.
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

/** Reads the configuration of the mirror. `isNamed`: the operator named the file, so that it must be there. */
export async function checkMirror(
  path: string,
  isNamed: boolean,
  feedValues: Readonly<Record<string, string | undefined>> = {},
): Promise<Finding> {
  if (!isNamed && statSync(path, { throwIfNoEntry: false }) === undefined) {
    return ok("mirror", `none is configured: there is no ${path}`);
  }
  try {
    const { readMirrorConfig } = await import("../../jobs/mirror/mirror-config.ts");
    const feeds = readMirrorConfig(path, feedValues);
    return ok("mirror", `${path} names ${feeds.length} feeds: ${feeds.map(({ feed }) => feed).join(", ")}`);
  } catch (error) {
    return failedBy("mirror", error);
  }
}
