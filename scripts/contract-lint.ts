import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { documentFile, repositoryRoot } from "./contract/document.ts";

const linterDeadlineMs = 300_000;

/** The linter must not use the network: no telemetry and no check for a newer version. */
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

// Redocly lints openapi.yaml, or the document of the first argument, by `.redocly.yaml`. Exit code 1 on any finding.
const cli = join(repositoryRoot, "node_modules/@redocly/cli/bin/cli.js");
const config = join(repositoryRoot, ".redocly.yaml");
const file = process.argv[2] ?? join(repositoryRoot, documentFile);
const args = ["lint", file, "--config", config, "--format", "stylish", "--max-problems", "1000"];
const { status } = spawnSync(process.execPath, [cli, ...args], { env, timeout: linterDeadlineMs, stdio: "inherit" });
process.exitCode = status ?? 1;
