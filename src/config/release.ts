import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../values/root.ts";

const hashDigits = 7;

/** Returns the version of this program, in a checkout with its commit, such as `0.1.0+0a1b2c3`. */
export function releaseName(folder: string = fileURLToPath(root)): string {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  const commit = commitOf(join(folder, ".git"));
  return commit === null ? version : `${version}+${commit.slice(0, hashDigits)}`;
}

function commitOf(folder: string): string | null {
  try {
    const head = readFileSync(join(folder, "HEAD"), "utf8").trim();
    const commit = head.startsWith("ref: ") ? commitOfBranch(folder, head.slice("ref: ".length)) : head;
    return /^[0-9a-f]{40}$/.test(commit) ? commit : null;
  } catch {
    return null;
  }
}

/** Reads the commit of a branch from its own file, or from git's packed refs. */
function commitOfBranch(folder: string, name: string): string {
  const own = join(folder, name);
  if (existsSync(own)) return readFileSync(own, "utf8").trim();
  const lines = readFileSync(join(folder, "packed-refs"), "utf8").split("\n");
  return lines.find((line) => line.endsWith(` ${name}`))?.split(" ")[0] ?? "";
}
