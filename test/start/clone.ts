import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { repository } from "../support/guides.ts";

/** A copy of the working tree, as a person has it after a download. */
export class Clone {
  /** Holds the checkout and the ring's files. */
  readonly #parent = mkdtempSync(join(tmpdir(), "itemtape-ring-"));
  readonly folder = join(this.#parent, "checkout");
  readonly #files = new Set(workingFiles());

  /** @param withModules true links the modules of this checkout into the copy, false leaves them to `npm ci`. */
  constructor(withModules: boolean) {
    for (const path of this.#files) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      copyFileSync(join(repository, path), join(this.folder, path));
    }
    if (withModules) linkModules(join(repository, "node_modules"), join(this.folder, "node_modules"));
  }

  /** Makes a folder for files that are not part of the checkout. */
  folderBeside(name: string): string {
    return mkdtempSync(join(this.#parent, `${name}-`));
  }

  /** Removes all files that commands have made, but not the modules and their caches. */
  clean(): void {
    for (const path of this.#made()) rmSync(join(this.folder, path), { recursive: true });
    for (const path of ["package.json", "package-lock.json"])
      copyFileSync(join(repository, path), join(this.folder, path));
  }

  /** Copies the files that `clean` would remove. Returns the folder of the copy, for `putBack`. */
  copyMade(): string {
    const folder = this.folderBeside("made");
    const made = this.#made();
    if (made.length > 0) execFileSync("cp", ["-a", "--parents", ...made, folder], { cwd: this.folder });
    return folder;
  }

  /** Puts the files of a copy into the checkout. */
  putBack(folder: string): void {
    execFileSync("cp", ["-a", `${folder}/.`, this.folder]);
  }

  /** Returns the paths of files and folders that are neither tracked nor modules. */
  #made(): string[] {
    const kept = new Set(["node_modules"]);
    for (const path of this.#files) for (let at = path; at !== "."; at = dirname(at)) kept.add(at);
    const visit = (folder: string): string[] =>
      readdirSync(join(this.folder, folder), { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (!kept.has(path)) return [path];
        return entry.isDirectory() && entry.name !== "node_modules" ? visit(path) : [];
      });
    return visit(".");
  }

  /** Returns the paths of files that git would add. */
  added(): string[] {
    const words = ["ls-files", "--others", "--exclude-standard"];
    const listed = execFileSync("git", [`--git-dir=${gitFolder()}`, "--work-tree=.", ...words], {
      cwd: this.folder,
      encoding: "utf8",
    });
    return listed.split("\n").filter((path) => path !== "" && !this.#files.has(path));
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }
}

/** Returns an environment without variables of this process, except a person's usual ones. `cache` is the folder of npm's cache. */
export function shellEnvironment(path: string, cache: string): NodeJS.ProcessEnv {
  const foreign = /^(ITEMTAPE_|TEST_|npm_|NODE(?!_EXTRA_CA_CERTS$)|INIT_CWD$|PG|MOCHA|XDG_|FORCE_COLOR$)/i;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const npm = { npm_config_cache: cache, npm_config_audit: "false", npm_config_prefer_offline: "true" };
  return { ...Object.fromEntries(own), ...npm, NO_COLOR: "1", PATH: path };
}

/** Returns the PATH of this process without the folders that npm puts first, so that `node` is the host's. */
export function hostPath(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !/node_modules[/\\]\.bin$|node-gyp-bin$/.test(folder)).join(delimiter);
}

function gitFolder(): string {
  return execFileSync("git", ["rev-parse", "--absolute-git-dir"], { cwd: repository, encoding: "utf8" }).trim();
}

/** Paths of all files that are committed, or are there and not ignored. */
function workingFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: repository,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  return listed.split("\0").filter((path) => path !== "" && existsSync(join(repository, path)));
}

/** Links the files of the modules, but not the caches. npm rewrites its own list in place, so the copy has its own. */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  const names = readdirSync(from).filter((name) => name !== ".cache");
  const copy = (...flags: string[]) => execFileSync("cp", [...flags, ...names, to], { cwd: from, stdio: "pipe" });
  try {
    copy("-al");
  } catch {
    // The temporary folder is on another file system.
    rmSync(to, { recursive: true });
    mkdirSync(to);
    copy("-a");
  }
  const list = join(relative(repository, from), ".package-lock.json");
  rmSync(join(to, ".package-lock.json"));
  copyFileSync(join(repository, list), join(to, ".package-lock.json"));
}
