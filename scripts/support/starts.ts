import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installNode } from "./other-nodes.ts";
import { runCollected, runShown } from "./run.ts";
import type { TestResult } from "./run-tests.ts";

/** The test of a start, which runs README and one guide in a clone of the checkout. */
export const ringTest = join("test", "start", "ring.test.ts");

type Start = { title: string; words: readonly [string, ...string[]] };

/** Versions of npm in the versions of Node below, or newer ones. */
const npms = { old: "10.9.9", new: "11.19.1" } as const;
const short = ["--documents", "README.md,live-prices.md", "--once"];
/** The document that splits the starts with all documents into two parts of equal duration. */
const halfway = "data-in.md";
/** Hosts on which the commands of README and guides run in a fresh clone. The first runs all documents twice, in two parts. */
const hosts = [
  { node: "20.20.2", npm: npms.new, words: ["--until", halfway] },
  { node: "20.20.2", npm: npms.new, words: ["--after", halfway] },
  { node: "20.20.2", npm: npms.old, words: short },
  { node: "22.18.0", npm: npms.old, words: short },
  { node: "26.10.0", npm: npms.new, words: short },
] as const;
/** Number of concurrent starts, longest first. Each spends much of its time waiting for npm and the disk. */
const lanes = 3;
/** Versions of Node on which npm installs the package in an empty folder. */
const packageNodes = ["22.18.0", "24.21.0", "26.10.0"];

/**
 * Runs all starts of the program that are possible on one machine: hosts with other versions of Node and npm, the package, and generated
 * SDKs.
 */
export async function runStarts(): Promise<TestResult> {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-starts-"));
  // The start test runs programs as another user.
  chmodSync(folder, 0o755);
  const failures: string[] = [];
  try {
    const starts = await startsIn(folder);
    const waiting = starts.values();
    // All lanes share one iterator, so each runs the next start.
    const play = async () => {
      for (const { title, words } of waiting) {
        const startedMs = performance.now();
        const { code, output } = await runCollected(words);
        const seconds = Math.round((performance.now() - startedMs) / 1000);
        process.stdout.write(`\n${title}: ${seconds} s\n${output}`);
        if (code !== 0) failures.push(`${title} (${words.join(" ")})`);
      }
    };
    await Promise.all(Array.from({ length: lanes }, play));
    return { passed: starts.length - failures.length, failed: failures.length, failures, skipped: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startsIn(folder: string): Promise<Start[]> {
  const versions = new Set([...hosts.map(({ node }) => node), ...packageNodes]);
  const installed = Array.from(versions, async (version) => {
    return [version, await installNode(version, join(folder, version))] as const;
  });
  const nodes = new Map(await Promise.all(installed));
  const packed = join(folder, "package");
  mkdirSync(packed);
  if ((await runShown(["npm", "pack", "./scripts/package", "--pack-destination", packed])) !== 0)
    throw new Error("the package cannot be packed");
  const [tarball = ""] = readdirSync(packed);
  return [
    ...hosts.map(({ node, npm, words }): Start => {
      return {
        title: `README and guides on a host with Node ${node} and npm ${npm}, ${words.join(" ")}`,
        words: ["node", "test/start/ring-run.ts", "--node", nodes.get(node)!, "--npm", npm, ...words],
      };
    }),
    { title: "generated SDKs", words: ["npm", "run", "--silent", "sdk:check"] },
    ...packageNodes.map((version): Start => {
      const words = ["node", "test/start/tarball-run.ts", nodes.get(version)!, join(packed, tarball)] as const;
      return { title: `the package on Node ${version}`, words };
    }),
  ];
}
