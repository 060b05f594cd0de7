import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documentFile, repositoryRoot } from "./contract/document.ts";
import { rewriteValues } from "./contract/rewrite.ts";

const linterDeadlineMs = 300_000;

/** The linter must not use the network: no telemetry and no check for a newer version. */
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

// Redocly lints openapi.yaml, or the document of the first argument, by `.redocly.yaml`. Exit code 1 on any finding.
const cli = join(repositoryRoot, "node_modules/@redocly/cli/bin/cli.js");
const config = join(repositoryRoot, ".redocly.yaml");
const file = process.argv[2] ?? join(repositoryRoot, documentFile);
const args = ["lint", file, "--config", config, "--format", "stylish", "--max-problems", "1000"];
const { status } = spawnSync(process.execPath, [cli, ...args], { env, timeout: linterDeadlineMs, stdio: "inherit" });
const isLaidOut = isAsRecorded(readFileSync(file, "utf8"));
process.exitCode = status === 0 && isLaidOut ? 0 : 1;

/** Reports the first line that the recorder would write differently, because it would appear in the diff of another change. */
function isAsRecorded(text: string): boolean {
  const recorded = rewriteValues(text, []).split("\n");
  const line = text.split("\n").findIndex((one, index) => one !== recorded[index]);
  if (line >= 0)
    process.stderr.write(`${file}:${line + 1}: \`npm run contract:record\` lays this line out differently\n`);
  return line < 0;
}
