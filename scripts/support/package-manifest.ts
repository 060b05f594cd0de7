import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The manifest of the built package, which `npm pack ./scripts/package` packs. */
export const packageManifest = "scripts/package/package.json";

/** Packages that the program loads or serves from their own folders. The build bundles all others into `dist`. */
export const installedPackages = ["better-sqlite3", "lit-html", "uplot"] as const;

const sharedFields = ["name", "version", "description", "license", "type", "private", "engines", "bin", "exports"];
const files = ["db", "dist", "generated", "openapi.yaml", "src"];
const build = "node ../build-package.ts";

/** Returns the text of the built package's manifest, made from the checkout's manifest below `root`. */
export function packageManifestOf(root: string): string {
  const whole = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown> & {
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
  };
  const { start, itemtape } = whole.scripts;
  const manifest = {
    ...Object.fromEntries(sharedFields.map((name) => [name, whole[name]])),
    files,
    scripts: { start, itemtape, prepack: build, postpack: `${build} --clean` },
    dependencies: Object.fromEntries(installedPackages.map((name) => [name, whole.dependencies[name]])),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
