import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { runShown } from "./run.ts";
import { allTestFiles, makeKeptFiles, runTests, type TestResult } from "./run-tests.ts";

/** The oldest Node that a host may bring. The checkout's own is the newest; a package is tried on three. */
const versions = ["22.18.0"];
/** A third of the test files: what touches the SQLite binding, threads, HTTP, the process itself, and the client's package. */
const chosen =
  /^test[/\\](store|api|cli|web[/\\]client|contract[/\\]replay|faults[/\\](kill|mirror-kill|torn-log|signals))\b/;

/** It observes the program by a hook for loading, with which Node 22 cannot require from CommonJS. */
const hooked = /[\\/]fixed-settings\.test\.ts$/;

/** Runs a third of the tests on the oldest Node, which comes from the npm registry into a temporary folder. */
export async function runOnOtherNodes(): Promise<TestResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-nodes-"));
  // Tests start programs as another user.
  chmodSync(folder, 0o755);
  try {
    const results: TestResult[] = [];
    for (const version of versions) results.push(await runOn(version, join(folder, version)));
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOn(version: string, folder: string): Promise<TestResult> {
  process.stdout.write(`\nNode ${version}\n`);
  const node = await installNode(version, folder);
  const env = { ...process.env, PATH: dirname(node) + delimiter + (process.env.PATH ?? "") };
  const options = { node, env };
  if ((await makeKeptFiles(options)) !== 0)
    return { passed: 0, failed: 1, failures: [`Node ${version} could not be prepared`], skipped: [] };
  const files = allTestFiles().filter((path) => chosen.test(path) && !hooked.test(path));
  const result = await runTests(files, options);
  const { passed, failed } = result;
  process.stdout.write(`on Node ${version}, in ${files.length} files: ${passed} passed, ${failed} failed\n`);
  return result;
}

/** Installs a version of Node from the npm registry in `folder`. Resolves to the path of its program. @throws when npm fails. */
export async function installNode(version: string, folder: string): Promise<string> {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const words = ["install", "--prefix", folder, "--no-save", "--no-package-lock", `${name}@${version}`];
  if ((await runShown(["npm", ...words])) !== 0) throw new Error(`Node ${version} cannot be installed`);
  return join(folder, "node_modules", name, "bin", "node");
}
