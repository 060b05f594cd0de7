import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const hashDigits = 7;

/** Version of package.json, and the commit of the checkout where there is one: `0.1.0+1a2b3c4`. */
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
