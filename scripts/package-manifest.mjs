import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Packages that an installed program loads or serves from their own folders: it holds all others, translated. */
const outside = ["better-sqlite3", "fastest-levenshtein", "uplot"];
/** What only a checkout has a use for. In a package, npm would look for the archive of `optionalDependencies` where it is installed. */
const ofCheckout = ["allowScripts", "devDependencies", "optionalDependencies", "overrides", "scarfSettings"];
/** npm runs the last two where a package is made, never where it is installed. They mend a checkout in which packing was killed. */
const keptScripts = ["start", "itemtape", "prepack", "postpack"];
const place = new URL("../package.json", import.meta.url);
/** Where the manifest of the checkout is while a package is made. */
const aside = new URL("../generated/build/package.json", import.meta.url);
const draft = new URL("../generated/build/package.json.draft", import.meta.url);

/** Writes the manifest of a package in the place of the checkout's, which `restoreManifest` brings back. */
export function writePackageManifest() {
  restoreManifest();
  const text = readFileSync(place, "utf8");
  const whole = JSON.parse(text);
  const kept = Object.entries(whole).filter(([name]) => !ofCheckout.includes(name));
  const scripts = Object.fromEntries(keptScripts.map((name) => [name, whole.scripts[name]]));
  const dependencies = Object.fromEntries(outside.map((name) => [name, whole.dependencies[name]]));
  writeFileSync(aside, text);
  // A rename puts all of it in place or nothing, wherever the process is killed.
  writeFileSync(draft, `${JSON.stringify({ ...Object.fromEntries(kept), scripts, dependencies }, null, 2)}\n`);
  renameSync(draft, place);
}

/** Brings the manifest of the checkout back. Nothing is done where it is in its place: when no package was made, or it was brought back. */
export function restoreManifest() {
  if (!("devDependencies" in JSON.parse(readFileSync(place, "utf8")))) renameSync(aside, place);
  rmSync(aside, { force: true });
}
