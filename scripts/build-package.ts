import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packageList } from "../src/values/root.ts";
import { pageScripts } from "../src/web/page-scripts.ts";
import { licensesOf } from "./licenses.ts";
import { packageManifest } from "./support/package-manifest.ts";

/**
 * Files that the package contains unchanged. The names of data and samples are exact, because an operator may store other files beside
 * them.
 */
const copied = [
  /^(LICENSE|README\.md|openapi\.yaml)$/,
  /^db\/(catalog\.json\.br|pool-completions\.json)$/,
  /^db\/(postgres\/)?migrations\/(\d{4}_\w+\.sql|meta\/_journal\.json)$/,
  /^generated\/(openapi\.json|pages\/(client|find-items)\.js|requests\.json)$/,
  /^generated\/client\/(LICENSE|README\.md|itemtape\.(d\.ts|js|py)|package\.json)$/,
  /^src\/(?!store\/drizzle-paths).*\.(mjs|css|schema\.json)$/,
  /^src\/import\/quotes\/mappings\/[\w-]+\.json$/,
  /^src\/kit\/(adapters\/adapter\.py|scenarios\/[\w-]+\.json)$/,
  /^src\/web\/browser\/(mark\.svg|font\/(LICENSE|inter-latin\.woff2))$/,
  /^src\/web\/docs\/guides\/([\w-]+\.md|pictures\/[\w-]+\.png|files\/[\w.-]+)$/,
  /^src\/web\/docs\/samples\/((call|export|key)\.sh|(copy_export|sample)\.py)$/,
];
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "scripts/package");

// npm calls this script in `scripts/package`: before it packs the folder, and afterwards with --clean.
clean();
if (!process.argv.includes("--clean")) {
  const { bundle, bundleContractDiff, programEntries } = await import("./support/bundle.ts").catch(() => {
    console.error("the build needs esbuild, a development package; run `npm ci` without `--omit=dev`");
    process.exit(1);
  });
  // This import needs packages, so it follows the check for them.
  const { shippedFacts } = await import("../src/import/catalog/shipped-catalog.ts");
  for (const path of filesToCopy()) cpSync(join(root, path), join(folder, path));
  for (const [path, text] of pageScripts()) {
    mkdirSync(dirname(join(folder, "src", path)), { recursive: true });
    writeFileSync(join(folder, "src", path), text);
  }
  const built = [
    await bundle({ root, entries: programEntries, outdir: folder }),
    await bundleContractDiff(root, folder),
  ];
  const outputs = built.flatMap(({ metafile }) => Object.values(metafile.outputs));
  const sources = [...new Set(outputs.flatMap(({ inputs }) => Object.keys(inputs)))];
  writeFileSync(join(folder, "dist/licenses.txt"), licensesOf(root, sources, [shippedFacts()]));
  writeFileSync(join(folder, packageList), `${[...filesBelow(folder), packageList].sort().join("\n")}\n`);
}

/** Removes everything but the manifest, including files of an interrupted build. */
function clean(): void {
  for (const name of readdirSync(folder))
    if (name !== basename(packageManifest)) rmSync(join(folder, name), { recursive: true });
}

function filesToCopy(): string[] {
  const tracked = trackedFiles();
  const below = ["db", "generated", "src"].flatMap((name) =>
    filesBelow(join(root, name)).map((path) => `${name}/${path}`),
  );
  return [...readdirSync(root), ...below].filter(
    (path) => copied.some((pattern) => pattern.test(path)) && (tracked?.has(path) ?? true),
  );
}

/** Returns the paths of all files below a folder, with slashes. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

/** Returns the paths that git tracks. Returns null without git, as in an unpacked archive; then the list of files is sufficient. */
function trackedFiles(): ReadonlySet<string> | null {
  if (!existsSync(join(root, ".git"))) return null;
  const { status, stdout } = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  return status === 0 ? new Set(stdout.split("\0")) : null;
}
