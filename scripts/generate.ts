import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deriveFiles } from "./contract/derive.ts";
import { findDerivedDrift, readIfPresent } from "./contract/derived-drift.ts";
import { parseDocument, readDocumentText, repositoryRoot } from "./contract/document.ts";
import { findMigrationDrift, schemas } from "./contract/migration-drift.ts";
import { deriveGuides } from "./guides/tables.ts";
import { lockFile, lockWithoutBuild } from "./support/lock-file.ts";
import { packageManifest, packageManifestOf } from "./support/package-manifest.ts";

const usage = "usage: npm run generate, or npm run generate:check to compare only";

process.exitCode = await main(process.argv.slice(2));

/**
 * Writes generated/ from openapi.yaml, and the tables of README and guides from the program. Also writes the built package's manifest and
 * the entries that npm omits from the lock file. With --check it compares all of these and the migrations instead. Exit code 1: drift, 2:
 * wrong usage.
 */
async function main(args: string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== "--check");
  if (unknown !== undefined) {
    console.error(`unknown argument ${unknown}\n${usage}`);
    return 2;
  }
  const document = parseDocument(readDocumentText());
  const files = new Map([...(await deriveFiles(document)), ...deriveGuides(repositoryRoot)]);
  files.set(lockFile, lockWithoutBuild(repositoryRoot));
  files.set(packageManifest, packageManifestOf(repositoryRoot));
  if (!args.includes("--check")) {
    write(files);
    return 0;
  }
  const drift = [
    ...findDerivedDrift(repositoryRoot, files),
    ...Object.values(schemas).map((schema) => findMigrationDrift(repositoryRoot, schema)),
  ].filter((found) => found !== null);
  for (const found of drift) console.error(found);
  if (drift.length === 0)
    console.log(
      "generated/ agrees with openapi.yaml, src/client and db/migrations, migrations with schemas, tables of README and guides with the program",
    );
  return drift.length === 0 ? 0 : 1;
}

function write(files: Map<string, string>): void {
  const changed = [...files].filter(([path, text]) => readIfPresent(join(repositoryRoot, path)) !== text);
  for (const [path, text] of changed) {
    mkdirSync(dirname(join(repositoryRoot, path)), { recursive: true });
    writeFileSync(join(repositoryRoot, path), text);
    console.log(path);
  }
  console.log(`${changed.length} of ${files.size} files changed`);
}
