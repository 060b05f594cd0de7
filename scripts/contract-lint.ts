import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { documentFile, readDocumentText, repositoryRoot } from "./contract/document.ts";
import { findBreaches } from "./contract/rules.ts";

const linterDeadlineMs = 120_000;

/** Linters stay at home: no telemetry, no question for a newer version. */
const environment = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

process.exitCode = main();

/** Lints openapi.yaml with Redocly, Spectral and the project's own rules. Exit code 1 on any error or warning. */
function main(): number {
  const verdicts = [lintWithRedocly(), lintWithSpectral(), lintWithOwnRules()];
  return verdicts.every((isClean) => isClean) ? 0 : 1;
}

function lintWithRedocly(): boolean {
  const args = ["lint", documentFile, "--config", ".redocly.yaml", "--format", "json", "--max-problems", "1000"];
  const report = runLinter("node_modules/@redocly/cli/bin/cli.js", args);
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

function lintWithSpectral(): boolean {
  const args = [
    "lint",
    documentFile,
    "--ruleset",
    ".spectral.yaml",
    "--format",
    "json",
    "--quiet",
    "--fail-severity",
    "hint",
  ];
  const report = runLinter("node_modules/@stoplight/spectral-cli/dist/index.js", args);
  const results = Array.isArray(report) ? (report as SpectralResult[]) : undefined;
  return conclude(
    "spectral:oas",
    results?.map((result) => `${result.code} ${result.path.join("/")}: ${result.message}`),
  );
}

type SpectralResult = { code: string; message: string; path: string[] };

function lintWithOwnRules(): boolean {
  const breaches = findBreaches(readDocumentText());
  return conclude(
    "own rules",
    breaches.map((breach) => `${breach.rule} ${breach.at}: ${breach.message}`),
  );
}

/** Runs a linter and gives its JSON report, or null with what it said on stderr when it made none. */
function runLinter(script: string, args: string[]): unknown {
  const run = spawnSync(process.execPath, [join(repositoryRoot, script), ...args], {
    cwd: repositoryRoot,
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: linterDeadlineMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    return JSON.parse(run.stdout);
  } catch {
    console.error(`${script} made no report (exit code ${run.status}):\n${run.stderr}${run.error ?? ""}`);
    return null;
  }
}

/** Prints the verdict; a linter without a report is not clean. */
function conclude(linter: string, problems: string[] | undefined): boolean {
  for (const problem of problems ?? []) console.error(`${linter}: ${problem}`);
  const verdict = problems === undefined ? "did not run" : `${problems.length} errors and warnings`;
  console.log(`${linter}: ${verdict}`);
  return problems?.length === 0;
}
