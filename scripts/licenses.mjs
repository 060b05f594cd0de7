// Knows packages and their licenses, apart from the build, which knows sources.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const licenseFile = /^(un)?licen[cs]e\b|^(copying|notice)\b/i;
const headingOfReadme = /^#+ *licen[cs]e.*$/im;

/**
 * Returns the text that states the licenses of the packages that `sources` are from: each one's name, version, license and the text of
 * it, by name. `sources`: paths from `root`.
 * @throws where a package does not say its license.
 */
export function licensesOf(root, sources) {
  const folders = new Set(sources.map((path) => packageFolder.exec(path)?.[0]).filter((path) => path !== undefined));
  const entries = new Set([...folders].map((path) => entryOf(join(root, path))));
  const head = `The program in this folder holds the packages below, translated, each under its own license.
Where one has no text of it, the text may be that of another one here with a license of the same name.
`;
  return [head, ...[...entries].sort()].join("\n");
}

/** Returns a package's heading and below it what it says of its license. */
function entryOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`${name} ${version} does not say its license`);
  const files = readdirSync(folder).sort();
  const texts = files.filter((file) => licenseFile.test(file)).map((file) => textOf(folder, file));
  if (texts.length === 0) {
    const readme = files.find((file) => /^readme/i.test(file));
    const section = readme === undefined ? undefined : sectionOf(textOf(folder, readme));
    texts.push(
      `By ${author?.name ?? author ?? "its authors"}. ${section ?? "The package has no text of its license."}`,
    );
  }
  return `==== ${name} ${version}, ${license} ====\n\n${texts.join("\n\n")}\n`;
}

/** Returns the section of a README on its license. */
function sectionOf(readme) {
  const [, below] = readme.split(headingOfReadme);
  return below === undefined ? undefined : `It says in its README:\n\n${below.split(/^#+ /m, 1)[0].trim()}`;
}

function textOf(folder, file) {
  return readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
}
