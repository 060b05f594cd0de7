import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { runShown } from "./run.ts";
import { makeKeptFiles, runTests, type TestResult } from "./run-tests.ts";

/** A dataset has the same bytes on each Node. */
const bytesTest = "cli/dataset-bytes";
/** Test files by the parts of Node that they use, which differ between versions. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  "the SQLite binding": [
    "store/backup",
    "store/file",
    "store/lock",
    "store/market-image",
    "store/migrate",
    "store/private-copy",
    "store/shared-read",
    "store/check/check",
  ],
  "threads and processes": ["faults/mirror-thread", "jobs/mirror/body-reader", "jobs/roi/thread"],
  signals: ["faults/kill", "faults/signals", "faults/torn-log"],
  "the HTTP server": [
    "api/compression",
    "api/connections",
    "api/export",
    "api/server",
    "api/streams",
    "api/transport",
    "api/waiting",
    "contract/replay",
  ],
  "type stripping": ["cli/database", "cli/import", "cli/index", "cli/mcp", "cli/runtimes", "web/pages"],
  "the writer of Parquet files": [bytesTest],
  "the client": ["cli/export", "cli/sync", "client/exports", "client/follow", "client/package", "client/service"],
};

/** The oldest supported Node of a host, and the one before the checkout's own, each with its tests. The package is tested on three. */
export const otherNodes = [
  { version: "22.18.0", names: Object.values(chosen).flat() },
  { version: "24.21.0", names: [bytesTest] },
];

/** Runs tests on a version of Node, which npm installs into a temporary folder. */
export async function runOnNode({ version, names }: (typeof otherNodes)[number]): Promise<TestResult> {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-node-"));
  // Tests start programs as another user.
  chmodSync(folder, 0o755);
  try {
    const node = await installNode(version, folder);
    const env = { ...process.env, PATH: dirname(node) + delimiter + (process.env.PATH ?? "") };
    const options = { node, env };
    if ((await makeKeptFiles(options)) !== 0)
      return { passed: 0, failed: 1, failures: [`Node ${version} could not be prepared`], skipped: [] };
    const files = names.map((name) => `test/${name}.test.ts`);
    return await runTests(files, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Installs a version of Node from the npm registry in `folder`. Resolves to the path of its program.
 * @throws when npm fails.
 */
export async function installNode(version: string, folder: string): Promise<string> {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const words = ["install", "--prefix", folder, "--no-save", "--no-package-lock", `${name}@${version}`];
  if ((await runShown(["npm", ...words])) !== 0) throw new Error(`Node ${version} cannot be installed`);
  return join(folder, "node_modules", name, "bin", "node");
}
