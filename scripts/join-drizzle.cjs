// Joins the modules of drizzle-orm that the program imports into a few files beside them. A start of the program, or of one of its threads,
// then loads 5 files, not 111. This script runs after each installation. Without development packages the program loads the 111.
const { existsSync, renameSync } = require("node:fs");
const { join } = require("node:path");

const drizzle = join(__dirname, "..", "node_modules", "drizzle-orm");
const folder = join(drizzle, "joined");
const draft = `${folder}-${process.pid}`;
const parts = ["", "/better-sqlite3", "/better-sqlite3/migrator", "/migrator", "/pg-core", "/sqlite-core"];

// An update of drizzle-orm replaces its folder, and so removes the files of the last version.
if (existsSync(drizzle) && !existsSync(folder)) {
  try {
    require("esbuild").buildSync({
      entryPoints: Object.fromEntries(
        parts.map((part) => [`drizzle-orm${part.replaceAll("/", "--")}`, `drizzle-orm${part}`]),
      ),
      absWorkingDir: join(__dirname, ".."),
      outdir: draft,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      external: ["better-sqlite3"],
      logLevel: "error",
    });
    renameSync(draft, folder);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
  }
}
