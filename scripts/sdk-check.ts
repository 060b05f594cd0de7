import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { progressOn } from "../src/values/progress.ts";
import { systemClock } from "../src/values/time/clock.ts";
import { readDocumentText } from "./contract/document.ts";
import { checkGenerator, type SdkResult } from "./sdk/check.ts";
import { type Generator, generatorsFolder } from "./sdk/generator.ts";
import { parseOptions, usage } from "./sdk/options.ts";
import { reportText } from "./sdk/report.ts";
import { openSubject, parseServedDocument, StaleDocument } from "./sdk/subject.ts";
import { printUsage, UsageError } from "./support/flags.ts";
import { installPackages } from "./support/installed.ts";
import { runShown } from "./support/run.ts";

const tests = ["node", "node_modules/mocha/bin/mocha.js", "scripts/sdk/sdk-check.test.ts"] as const;
process.exitCode = await main(process.argv.slice(2));

/**
 * Checks the SDKs that third-party generators make from openapi.yaml. Exit code 1: an SDK or a test fails, or generated/ is stale; 2: wrong
 * usage.
 */
async function main(args: readonly string[]): Promise<number> {
  try {
    const { generators, runsTests } = parseOptions(args);
    installPackages(generatorsFolder);
    const results = await checkAll(generators);
    process.stdout.write(`${reportText(results)}\n`);
    const isFaulty = results.some(({ failures }) => failures.length > 0);
    return isFaulty || (runsTests && (await runShown(tests)) !== 0) ? 1 : 0;
  } catch (error) {
    if (error instanceof StaleDocument) {
      process.stderr.write(`${error.message}\n`);
      return 1;
    }
    if (!(error instanceof UsageError)) throw error;
    return printUsage(error, usage);
  }
}

async function checkAll(chosen: readonly Generator[]): Promise<SdkResult[]> {
  const document = parseServedDocument(readDocumentText());
  const progress = progressOn(process.stderr, systemClock);
  const dir = mkdtempSync(join(tmpdir(), "itemtape-sdks-"));
  progress.phase("the demo world");
  const { subject, stop } = await openSubject();
  const end = async () => {
    progress.end();
    await stop();
    rmSync(dir, { recursive: true, force: true });
  };
  // Ctrl+C also ends the generators, but leaves their files.
  process.once("SIGINT", () => void end().finally(() => process.exit(130)));
  try {
    const results: SdkResult[] = [];
    for (const generator of chosen)
      results.push(await checkGenerator(generator, { document, subject, dir, clock: systemClock, progress }));
    return results;
  } finally {
    await end();
  }
}
