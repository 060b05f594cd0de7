import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

type Surroundings = { program: string; platform: NodeJS.Platform; environment: NodeJS.ProcessEnv; home: string };

/**
 * Returns the folder of the database and the mirror's configuration where nobody names one: `db` below the current folder for a
 * checkout; the platform's folder for data of programs where npm installed the package, whose own folder goes with the next version.
 */
export function dataFolder({ program, platform, environment, home }: Surroundings): string {
  if (!program.split(sep).includes("node_modules")) return "db";
  const given = platform === "win32" ? environment.LOCALAPPDATA : environment.XDG_DATA_HOME;
  if (given !== undefined && isAbsolute(given)) return join(given, "itemtape");
  if (platform === "win32") return join(home, "AppData", "Local", "itemtape");
  if (platform === "darwin") return join(home, "Library", "Application Support", "itemtape");
  return join(home, ".local", "share", "itemtape");
}

/** The folder of this program. */
export const ownDataFolder = dataFolder({
  program: fileURLToPath(import.meta.url),
  platform: process.platform,
  environment: process.env,
  home: homeFrom(homedir),
});

/** Returns the home folder that `find` finds; the root where it throws, as for a user whom the system does not know. */
export function homeFrom(find: () => string): string {
  try {
    return find();
  } catch {
    return "/";
  }
}

/** Makes the program's own folder, open to nobody else, if a file is to be made there. Other folders are not made: a name may be misspelt. */
export function makeOwnFolder(path: string): void {
  if (dirname(path) === ownDataFolder) mkdirSync(ownDataFolder, { recursive: true, mode: 0o700 });
}
