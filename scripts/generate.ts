import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deriveFiles } from "./contract/derive.ts";
import { readDocumentText, repositoryRoot } from "./contract/document.ts";
import { findMigrationDrift } from "./contract/migration-drift.ts";

const usage = "usage: npm run generate, or npm run generate:check to compare only";

process.exitCode = await main(process.argv.slice(2));

/** Writes generated/ from openapi.yaml, or with --check compares it and the migrations. Exit code 1: drift, 2: wrong usage. */
async function main(args: string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== "--check");
  if (unknown !== undefined) {
    console.error(`unknown argument ${unknown}\n${usage}`);
    return 2;
  }
  const files = await deriveFiles(readDocumentText());
  if (!args.includes("--check")) {
    write(files);
    return 0;
  }
  const drift = [...findDrift(files), findMigrationDrift(repositoryRoot)].filter((found) => found !== null);
  for (const found of drift) console.error(found);
  if (drift.length === 0) console.log("generated/ agrees with openapi.yaml, db/migrations with db/schema");
  return drift.length === 0 ? 0 : 1;
}

function write(files: Map<string, string>): void {
  mkdirSync(join(repositoryRoot, "generated"), { recursive: true });
  for (const [path, text] of files) {
    const isNew = readIfPresent(path) !== text;
    if (isNew) writeFileSync(join(repositoryRoot, path), text);
    console.log(`${path}${isNew ? "" : " (unchanged)"}`);
  }
}

/** Each file that is missing, different or not derived at all, with what to do about it. */
function findDrift(files: Map<string, string>): string[] {
  const drift: string[] = [];
  for (const [path, expected] of files) {
    const actual = readIfPresent(path);
    if (actual === null) drift.push(`${path}: is missing; run \`npm run generate\` and commit it`);
    else if (actual !== expected) {
      drift.push(
        `${path}: differs from openapi.yaml from line ${firstDifference(actual, expected)}; run \`npm run generate\` and commit it`,
      );
    }
  }
  const directory = join(repositoryRoot, "generated");
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    if (!files.has(`generated/${name}`)) drift.push(`generated/${name}: is not derived from openapi.yaml; remove it`);
  }
  return drift;
}

function firstDifference(actual: string, expected: string): number {
  const expectedLines = expected.split("\n");
  const actualLines = actual.split("\n");
  const index = expectedLines.findIndex((line, position) => line !== actualLines[position]);
  return (index === -1 ? expectedLines.length : index) + 1;
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(join(repositoryRoot, path), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
