import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const hashDigits = 7;

/** Returns the version of this program; in a checkout with its commit, such as `0.1.0+0a1b2c3`. */
export function releaseName(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const commit = commitOf(join(root, ".git"));
  return commit === null ? version : `${version}+${commit.slice(0, hashDigits)}`;
}

function commitOf(folder: string): string | null {
  try {
    const head = readFileSync(join(folder, "HEAD"), "utf8").trim();
    const commit = head.startsWith("ref: ")
      ? readFileSync(join(folder, head.slice("ref: ".length)), "utf8").trim()
      : head;
    return /^[0-9a-f]{40}$/.test(commit) ? commit : null;
  } catch {
    return null;
  }
}
