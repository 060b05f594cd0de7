// Reads packages and their licenses, apart from the build, which reads sources.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const licenseFile = /^(un)?licen[cs]e\b|^(copying|notice)\b/i;
const headingOfReadme = /^#+ *licen[cs]e.*$/im;

/** A package with data in the build, but without its folder. */
type DataPackage = { name: string; version: string; license: string; licenseText: string };

/** The fields of a package's manifest that its license needs. */
type Manifest = { name: string; version: string; license?: unknown; author?: string | { name: string } };

/**
 * Returns the licenses of `data` and of the packages that contain `sources`, sorted by name: name, version, license and its text. `sources`
 * are paths relative to `root`.
 * @throws {Error} when a package does not name its license.
 */
export function licensesOf(root: string, sources: readonly string[], data: readonly DataPackage[]): string {
  const folders = new Set(sources.map((path) => packageFolder.exec(path)?.[0]).filter((path) => path !== undefined));
  const entries = new Set([
    ...[...folders].map((path) => entryOf(join(root, path))),
    ...data.map((one) => entryText(one, one.licenseText)),
  ]);
  const head = `This program contains the packages below, each under its own license.
A package without a license text may use the text of another package here with the same license.
`;
  return [head, ...[...entries].sort()].join("\n");
}

function entryOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  if (typeof license !== "string") throw new Error(`${name} ${version} does not name its license`);
  const files = readdirSync(folder).sort();
  const texts = files.filter((file) => licenseFile.test(file)).map((file) => textOf(folder, file));
  if (texts.length === 0) {
    const readme = files.find((file) => /^readme/i.test(file));
    const section = readme === undefined ? undefined : sectionOf(textOf(folder, readme));
    const by = typeof author === "string" ? author : (author?.name ?? "its authors");
    texts.push(`By ${by}. ${section ?? "The package has no license text."}`);
  }
  return entryText({ name, version, license }, texts.join("\n\n"));
}

function entryText({ name, version, license }: Omit<DataPackage, "licenseText">, text: string): string {
  return `==== ${name} ${version}, ${license} ====\n\n${text}\n`;
}

/** Returns the section of a README about the license. */
function sectionOf(readme: string): string | undefined {
  const [, below] = readme.split(headingOfReadme);
  return below === undefined ? undefined : `Its README says:\n\n${below.split(/^#+ /m, 1)[0]!.trim()}`;
}

function textOf(folder: string, file: string): string {
  return readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
}
