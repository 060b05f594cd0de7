import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const generateDeadlineMs = 120_000;
const remedy =
  "run `npx drizzle-kit generate --config db/drizzle.config.ts` in a terminal, review the SQL (STRICT, WITHOUT ROWID) and commit it";

/**
 * Compares db/schema with the newest migration. Works on a copy, because drizzle-kit writes the migration that is missing. Returns the
 * drift in words with its fix, or null when there is none.
 */
export function findMigrationDrift(root: string): string | null {
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
    const before = readdirSync(join(copy, "db/migrations"));
    // Without a terminal drizzle-kit asks nothing and exits 0 even when it would have to ask: only its words tell.
    const run = spawnSync(
      process.execPath,
      [join(root, "node_modules/drizzle-kit/bin.cjs"), "generate", "--config", "db/drizzle.config.ts"],
      { cwd: copy, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", timeout: generateDeadlineMs },
    );
    const output = `${run.stdout ?? ""}${run.stderr ?? ""}`;
    const written = readdirSync(join(copy, "db/migrations")).filter((name) => !before.includes(name));
    if (run.status === 0 && written.length === 0 && output.includes("No schema changes")) return null;
    if (written.length > 0) return `db/migrations: db/schema holds changes that no migration makes; ${remedy}`;
    return `db/migrations: drizzle-kit could not compare the schema; ${remedy}. It said:\n${tail(output || String(run.error))}`;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function tail(output: string): string {
  return output.trim().split("\n").slice(-8).join("\n");
}
