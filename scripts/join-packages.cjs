// Joins the modules of packages that the program imports into a few files beside them. A start of the program, or of one of its threads,
// then loads about 10 files of them, not 250. This script runs after each installation. Without development packages the program loads the
// modules themselves.
const { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

/** Imports of sources, by the package beside which they are joined, with their exports. */
const joined = {
  "drizzle-orm": {
    "drizzle-orm": 'export * from "drizzle-orm";',
    "drizzle-orm/better-sqlite3": 'export * from "drizzle-orm/better-sqlite3";',
    "drizzle-orm/better-sqlite3/migrator": 'export * from "drizzle-orm/better-sqlite3/migrator";',
    "drizzle-orm/migrator": 'export * from "drizzle-orm/migrator";',
    "drizzle-orm/pg-core": 'export * from "drizzle-orm/pg-core";',
    "drizzle-orm/sqlite-core": 'export * from "drizzle-orm/sqlite-core";',
  },
  "openapi-backend": {
    "ajv-formats": 'import it from "ajv-formats"; export default it;',
    "ajv/dist/2020.js": 'import it from "ajv/dist/2020.js"; export const { Ajv2020 } = it;',
    "openapi-backend": 'import it from "openapi-backend"; export const { OpenAPIBackend } = it;',
  },
};
/** CommonJS modules require modules of Node, which an ES module cannot do without this. */
const js = 'import { createRequire as requireOf } from "node:module";\nconst require = requireOf(import.meta.url);';

for (const [name, entries] of Object.entries(joined)) {
  const home = join(__dirname, "..", "node_modules", name);
  const folder = join(home, "joined");
  const draft = `${folder}-${process.pid}`;
  // An update of the package replaces its folder, and so removes the files of the last version.
  if (!existsSync(home) || existsSync(folder)) continue;
  try {
    const { buildSync } = require("esbuild");
    mkdirSync(draft);
    const sources = Object.entries(entries).map(([specifier, text]) => {
      const source = join(draft, `${specifier.replaceAll("/", "--")}.in.mjs`);
      writeFileSync(source, text);
      return [specifier.replaceAll("/", "--"), source];
    });
    buildSync({
      entryPoints: Object.fromEntries(sources),
      outdir: draft,
      outExtension: { ".js": ".mjs" },
      banner: { js },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      external: ["better-sqlite3"],
      logLevel: "error",
    });
    for (const [, source] of sources) rmSync(source);
    renameSync(draft, folder);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
  }
}
