import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const generateDeadlineMs = 120_000;
/** Where the schema of a database, its migrations and their settings are, and what a migration must be looked at for. */
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
 * Compares a schema with its newest migration. Works on a copy, because drizzle-kit writes the migration that is missing. Returns the
 * drift in words with its fix, or null when there is none.
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
    // The schema takes the stored text of an export's record from there.
    symlinkSync(join(root, "src"), join(copy, "src"));
    const before = readdirSync(join(copy, folder));
    // Without a terminal drizzle-kit asks nothing and exits 0 even when it would have to ask: only its words tell.
    const run = spawnSync(
      process.execPath,
      [join(root, "node_modules/drizzle-kit/bin.cjs"), "generate", "--config", config],
      { cwd: copy, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", timeout: generateDeadlineMs },
    );
    const output = `${run.stdout ?? ""}${run.stderr ?? ""}`;
    const written = readdirSync(join(copy, folder)).filter((name) => !before.includes(name));
    if (run.status === 0 && written.length === 0 && output.includes("No schema changes")) return null;
    if (written.length > 0) return `${folder}: ${schema} holds changes that no migration makes; ${remedy}`;
    return `${folder}: drizzle-kit could not compare the schema; ${remedy}. It said:\n${tail(output || String(run.error))}`;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function tail(output: string): string {
  return output.trim().split("\n").slice(-8).join("\n");
}
