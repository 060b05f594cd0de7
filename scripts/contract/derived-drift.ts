import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Returns each file of `generated/` below `root` that is missing, different or superfluous, with a remedy. */
export function findDerivedDrift(root: string, files: ReadonlyMap<string, string>): string[] {
  const drift: string[] = [];
  for (const [path, expected] of files) {
    const actual = readIfPresent(join(root, path));
    if (actual === null) drift.push(`${path}: is missing; run \`npm run generate\` and commit it`);
    else if (actual !== expected) {
      drift.push(
        `${path}: differs from its source from line ${firstDifference(actual, expected)}; run \`npm run generate\` and commit it`,
      );
    }
  }
  for (const path of filesIn(join(root, "generated"))) {
    if (!files.has(`generated/${path}`)) drift.push(`generated/${path}: is not derived from anything; remove it`);
  }
  return drift;
}

/** Returns the paths of all files below a folder, with `/`. */
function filesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

function firstDifference(actual: string, expected: string): number {
  const expectedLines = expected.split("\n");
  const actualLines = actual.split("\n");
  const index = expectedLines.findIndex((line, position) => line !== actualLines[position]);
  return (index === -1 ? expectedLines.length : index) + 1;
}

/** Returns the text of a file, null if it does not exist. */
export function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
