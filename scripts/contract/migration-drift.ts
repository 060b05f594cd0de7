import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const generateDeadlineMs = 120_000;
/** Files of each database schema, its migrations and their settings, and the points to check in a migration. */
export const schemas = {
  file: {
    schema: "db/schema",
    folder: "db/migrations",
    config: "db/drizzle.config.ts",
    review: " (STRICT, WITHOUT ROWID)",
  },
  postgres: {
    schema: "db/postgres/schema.ts",
    folder: "db/postgres/migrations",
    config: "db/postgres/drizzle.config.ts",
    review: "",
  },
} as const;

/**
 * Compares a schema with its newest migration. It uses a copy, because drizzle-kit writes the missing migration. Returns the drift and its
 * remedy in words, null without drift.
 */
export function findMigrationDrift(
  root: string,
  { schema, folder, config, review }: (typeof schemas)[keyof typeof schemas] = schemas.file,
): string | null {
  const remedy = `run \`npx drizzle-kit generate --config ${config}\` in a terminal, review the SQL${review} and commit it`;
  const copy = mkdtempSync(join(tmpdir(), "itemtape-migrations-"));
  try {
    cpSync(join(root, "db"), join(copy, "db"), {
      recursive: true,
      filter: (path) => !/\.db(-\w+)?$|\.lock$/.test(path),
    });
    cpSync(join(root, "package.json"), join(copy, "package.json"));
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    // The schema imports the stored text of an export's record from `src`.
    symlinkSync(join(root, "src"), join(copy, "src"));
    const before = readdirSync(join(copy, folder));
    // Without a terminal drizzle-kit cannot ask and exits 0 anyway, so only its output shows the result.
    const run = spawnSync(
      process.execPath,
      [join(root, "node_modules/drizzle-kit/bin.cjs"), "generate", "--config", config],
      { cwd: copy, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", timeout: generateDeadlineMs },
    );
    const output = `${run.stdout ?? ""}${run.stderr ?? ""}`;
    const written = readdirSync(join(copy, folder)).filter((name) => !before.includes(name));
    if (run.status === 0 && written.length === 0 && output.includes("No schema changes")) return null;
    if (written.length > 0) return `${folder}: ${schema} holds changes that no migration makes; ${remedy}`;
    return `${folder}: drizzle-kit could not compare the schema; ${remedy}. Its output:\n${tail(output || String(run.error))}`;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function tail(output: string): string {
  return output.trim().split("\n").slice(-8).join("\n");
}
