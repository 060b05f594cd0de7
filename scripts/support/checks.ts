import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runShown } from "./run.ts";

/**
 * A check of a checkout and its program. `reads`: the files and folders that decide with package-lock.json whether it passes. With `isByFile`
 * its last word is the folder to check, it takes files instead, and says of each what it would by itself.
 */
export type Check = {
  name: string;
  words: readonly [string, ...string[]];
  reads?: readonly string[];
  isByFile?: boolean;
};

const tsc = "node_modules/typescript-native/bin/tsc";

/** The checks of a checkout beside its tests; the slowest first. The compiler itself keeps what it has seen. */
const checksOfCheckout: readonly Check[] = [
  { name: "types", words: ["node", tsc, "--noEmit"] },
  {
    name: "the contract's rules",
    words: ["node", "--import", "tsx", "scripts/contract-lint.ts"],
    reads: ["openapi.yaml", ".redocly.yaml", ".spectral.yaml", "scripts", "package.json"],
  },
  {
    name: "format and lint",
    words: ["node", "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
    reads: ["."],
    isByFile: true,
  },
  {
    name: "derived files",
    words: ["node", "--import", "tsx", "scripts/generate.ts", "--check"],
    reads: ["."],
  },
  { name: "types of the pages' scripts", words: ["node", tsc, "--noEmit", "-p", "src/web/browser"] },
  { name: "types of the dashboard's scripts", words: ["node", tsc, "--noEmit", "-p", "src/web/dashboard/browser"] },
];

/** Size and time of each file, by its path. */
type Stamps = Record<string, string>;
/** What each check read when it passed, by its name. */
type Verdicts = Record<string, Stamps>;

/** More changed files than this are not named one by one. */
const namedFilesMax = 200;
/** Settings of a check by file are among these: when one changes, every file is checked again. */
const settings = /^(its command|\.[^/]*|package-lock\.json|scripts\/lint\/.*)$/;

/**
 * Runs all checks at once. `failures` names those that failed, with their commands. Unless `all` is asked for, a check that passed
 * is not run again before what it reads changes, and one by file looks at the changed files alone.
 */
export async function runChecks({
  all,
  root = process.cwd(),
  checks = checksOfCheckout,
}: {
  all: boolean;
  root?: string;
  checks?: readonly Check[];
}): Promise<{ passed: number; failed: number; failures: readonly string[] }> {
  const verdictsPath = join(root, "node_modules", ".cache", "itemtape-checks.json");
  const before = readVerdicts(verdictsPath);
  const stamps = checks.map((check) => stampsOf(root, check));
  const plans = checks.map((check, index) =>
    all ? check.words : wordsToRun(check, stamps[index], before[check.name]),
  );
  const namesOf = (isRun: boolean) =>
    checks.filter((_, index) => (plans[index] !== null) === isRun).map(({ name }) => name);
  process.stdout.write(`checking ${namesOf(true).join(", ") || "nothing"}\n`);
  if (namesOf(false).length > 0) process.stdout.write(`unchanged since they passed: ${namesOf(false).join(", ")}\n`);
  const codes = await Promise.all(plans.map((words) => (words === null ? 0 : runShown(words, { cwd: root }))));
  const failed = checks.filter((_, index) => codes[index] !== 0);
  keepVerdicts(
    verdictsPath,
    Object.fromEntries(
      checks.flatMap(({ name }, index) => (codes[index] === 0 && stamps[index] ? [[name, stamps[index]]] : [])),
    ),
  );
  const failures = failed.map(({ name, words }) => `${name} (${words.join(" ")})`);
  return { passed: checks.length - failed.length, failed: failed.length, failures };
}

/** Returns the command of a check for what has changed since it passed; null: nothing has. */
function wordsToRun(
  { words, isByFile }: Check,
  now: Stamps | undefined,
  before: Stamps | undefined,
): Check["words"] | null {
  if (now === undefined || before === undefined) return words;
  const changed = Object.keys({ ...before, ...now }).filter((path) => now[path] !== before[path]);
  if (changed.length === 0) return null;
  const isWhole = isByFile !== true || changed.length > namedFilesMax || changed.some((path) => settings.test(path));
  if (isWhole) return words;
  const files = changed.filter((path) => now[path] !== undefined);
  if (files.length === 0) return null;
  const [program, ...rest] = words;
  return [program, ...rest.slice(0, -1), "--no-errors-on-unmatched", ...files];
}

/** Returns the stamps of all files that a check reads; undefined: nobody knows which it does. */
function stampsOf(root: string, { words, reads }: Check): Stamps | undefined {
  if (reads === undefined) return undefined;
  const stamps: Stamps = { "its command": [process.version, process.platform, ...words].join(" ") };
  const add = (path: string) => {
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) {
      for (const name of readdirSync(join(root, path)))
        if (name !== "node_modules" && name !== ".git") add(path === "." ? name : `${path}/${name}`);
    } else if (found !== undefined) stamps[path] = `${found.size} ${found.mtimeMs}`;
  };
  for (const path of [...reads, "package-lock.json"]) add(path);
  return stamps;
}

function readVerdicts(path: string): Verdicts {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}

/** A checkout that cannot be written to keeps nothing. */
function keepVerdicts(path: string, verdicts: Verdicts): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(verdicts));
  } catch {
    // The next run checks all of it again.
  }
}
