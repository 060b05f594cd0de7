import { execFile } from "node:child_process";
import { join } from "node:path";
import { documentFile, readDocumentText, repositoryRoot } from "./contract/document.ts";
import { findBreaches } from "./contract/rules.ts";

const linterDeadlineMs = 300_000;

/** The linter stays at home: no telemetry, no question for a newer version. */
const environment = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

process.exitCode = await main();

/** Lints openapi.yaml with Redocly and the project's own rules. Exit code 1 on any error or warning. */
async function main(): Promise<number> {
  const verdicts = await Promise.all([lintWithRedocly(), lintWithOwnRules()]);
  return verdicts.every((isClean) => isClean) ? 0 : 1;
}

async function lintWithRedocly(): Promise<boolean> {
  const args = ["lint", documentFile, "--config", ".redocly.yaml", "--format", "json", "--max-problems", "1000"];
  const report = await runRedocly(args);
  const problems = (report as { problems?: RedoclyProblem[] } | null)?.problems;
  return conclude(
    "redocly recommended-strict",
    problems?.map((problem) => `${problem.ruleId} ${pointer(problem)}: ${problem.message}`),
  );
}

type RedoclyProblem = { ruleId: string; message: string; location?: { pointer?: string }[] };

function pointer(problem: RedoclyProblem): string {
  return problem.location?.[0]?.pointer ?? documentFile;
}

function lintWithOwnRules(): boolean {
  const breaches = findBreaches(readDocumentText());
  return conclude(
    "own rules",
    breaches.map((breach) => `${breach.rule} ${breach.at}: ${breach.message}`),
  );
}

/** Runs Redocly and resolves to its JSON report, or null with its stderr when it made none. */
function runRedocly(args: string[]): Promise<unknown> {
  const script = join(repositoryRoot, "node_modules/@redocly/cli/bin/cli.js");
  const options = { cwd: repositoryRoot, env: environment, timeout: linterDeadlineMs, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    // A linter that finds something ends with an error, and reports all the same.
    const child = execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        console.error(`Redocly made no report (${error?.message ?? "no error"}):\n${stderr}`);
        resolve(null);
      }
    });
    child.stdin?.end();
  });
}

/** Prints the verdict; a linter without a report is not clean. */
function conclude(linter: string, problems: string[] | undefined): boolean {
  for (const problem of problems ?? []) console.error(`${linter}: ${problem}`);
  const verdict = problems === undefined ? "did not run" : `${problems.length} errors and warnings`;
  console.log(`${linter}: ${verdict}`);
  return problems?.length === 0;
}
