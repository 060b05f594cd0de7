import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

type Environment = { program: string; platform: NodeJS.Platform; environment: NodeJS.ProcessEnv; home: string };

/**
 * Returns the default folder of the database and of the mirror's configuration. In a checkout it is `db` in the current folder. If npm
 * installed the package, it is the platform's data folder, because the next version replaces the package's own folder.
 */
export function dataFolder({ program, platform, environment, home }: Environment): string {
  if (!program.split(sep).includes("node_modules")) return "db";
  const given = platform === "win32" ? environment.LOCALAPPDATA : environment.XDG_DATA_HOME;
  if (given !== undefined && isAbsolute(given)) return join(given, "itemtape");
  if (platform === "win32") return join(home, "AppData", "Local", "itemtape");
  if (platform === "darwin") return join(home, "Library", "Application Support", "itemtape");
  return join(home, ".local", "share", "itemtape");
}

/** The data folder of this program. */
export const ownDataFolder = dataFolder({
  program: fileURLToPath(import.meta.url),
  platform: process.platform,
  environment: process.env,
  home: homeFrom(homedir),
});

/** Returns the home folder from `find`. Returns "/" if `find` throws, as for a user unknown to the system. */
export function homeFrom(find: () => string): string {
  try {
    return find();
  } catch {
    return "/";
  }
}

/**
 * Creates the program's own data folder, private to the user, if `path` is in it. It does not create other folders, because a name may be
 * misspelt.
 */
export function makeOwnFolder(path: string): void {
  if (dirname(path) === ownDataFolder) mkdirSync(ownDataFolder, { recursive: true, mode: 0o700 });
}
