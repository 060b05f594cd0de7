import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { fileText, readFeedFile } from "../feed-file.ts";
import type { CatalogDocuments } from "./build-catalog.ts";
import { type CsgoApiDocuments, type CsgoApiList, csgoApiLists } from "./csgo-api.ts";
import { piecesOf, type SourceDocument } from "./source-rows.ts";

export const cs2LibPackage = "@ianlucas/cs2-lib";

/**
 * Reads catalog documents from files (`.json` or `.json.gz`), folders of them (one level of folders inside included), or the
 * name of the package installed under `node_modules` of `workingFolder`. Several files of one list are pieces of it. The package's
 * lists are code that is run, so only its name brings that about and never what a folder calls itself.
 * @throws {OperatorError} when a file is missing, unreadable, given twice or of no known name.
 */
export async function readCatalogSources(paths: readonly string[], workingFolder: string): Promise<CatalogDocuments> {
  if (paths.length === 0)
    throw new OperatorError(`no catalog given: name files, folders or ${cs2LibPackage}`, exitCodes.usage);
  const found = new Map<Role, SourceDocument>();
  const take = (role: Role, document: SourceDocument): void => {
    const first = found.get(role);
    if (first !== undefined && piecesOf(first).some(({ file }) => file === document.file))
      throw new OperatorError(`${document.file}: given twice; name it once`);
    found.set(role, first === undefined ? document : { ...first, pieces: [...(first.pieces ?? []), document] });
  };
  for (const path of paths) {
    if (path === cs2LibPackage) {
      for (const [role, document] of await readPackage(await packageFolder(workingFolder))) take(role, document);
      continue;
    }
    const folder = await folderOf(path, workingFolder);
    if (folder === null) {
      const role = roleOf(path);
      if (role === null) throw new OperatorError(`${path}: not a catalog file; known names: ${knownNames()}`);
      take(role, await readDocument(resolve(workingFolder, path)));
    } else {
      if (await isPackage(folder))
        throw new OperatorError(
          `${path}: the package is code; run npm install ${cs2LibPackage} and give its name instead`,
        );
      for (const file of await catalogFiles(folder)) take(roleOf(file) as Role, await readDocument(file));
    }
  }
  return assemble(found, paths);
}

type Role = "items" | "english" | "russian" | CsgoApiList;

const cs2LibRoles = ["items", "english", "russian"] as const;
const roles: readonly Role[] = [...cs2LibRoles, ...csgoApiLists];

function roleOf(path: string): Role | null {
  const [, name] = /^(?:cs2-lib-)?(.+?)(?:-\d+)?\.json(?:\.gz)?$/.exec(basename(path)) ?? [];
  return roles.find((role) => role === name) ?? null;
}

function knownNames(): string {
  return [...cs2LibRoles.map((role) => `cs2-lib-${role}`), ...csgoApiLists]
    .map((name) => `${name}.json[.gz]`)
    .join(", ")
    .concat("; a piece of one has a number, such as patches-2.json");
}

/** Returns the folder that is meant, or null for a file. */
async function folderOf(path: string, workingFolder: string): Promise<string | null> {
  const direct = resolve(workingFolder, path);
  const kind = await stat(direct).catch(() => null);
  if (kind === null) throw new OperatorError(`${path}: no such file or folder`, exitCodes.noInput);
  return kind.isDirectory() ? direct : null;
}

async function packageFolder(workingFolder: string): Promise<string> {
  const folder = join(workingFolder, "node_modules", cs2LibPackage);
  const kind = await stat(folder).catch(() => null);
  if (kind?.isDirectory() === true) return folder;
  throw new OperatorError(`${cs2LibPackage}: not installed here; run npm install ${cs2LibPackage}`, exitCodes.noInput);
}

async function catalogFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  const rows = await readdir(folder, { withFileTypes: true });
  for (const row of rows.sort((a, b) => a.name.localeCompare(b.name))) {
    const inner = row.isDirectory() ? await readdir(join(folder, row.name)) : [];
    files.push(row.name, ...inner.sort().map((name) => join(row.name, name)));
  }
  const known = files.filter((file) => roleOf(file) !== null).map((file) => join(folder, file));
  if (known.length === 0) throw new OperatorError(`${folder}: no catalog files in it; known names: ${knownNames()}`);
  return known;
}

async function readDocument(file: string): Promise<SourceDocument> {
  const text = fileText(await readFeedFile(file));
  try {
    return { file, value: JSON.parse(text) };
  } catch (error) {
    throw new OperatorError(`${file}: not JSON (${(error as Error).message}); nothing was imported`);
  }
}

async function isPackage(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
  try {
    return (JSON.parse(text) as { name?: unknown }).name === cs2LibPackage;
  } catch {
    return false;
  }
}

const packageModules = {
  items: "dist/items.mjs",
  english: "dist/translations/english.mjs",
  russian: "dist/translations/russian.mjs",
} as const;

/** The package publishes its lists as modules with one export each; only these three are loaded, not its 28 languages. */
async function readPackage(folder: string): Promise<[Role, SourceDocument][]> {
  const documents: [Role, SourceDocument][] = [];
  for (const role of cs2LibRoles) {
    const file = join(folder, packageModules[role]);
    try {
      const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
      documents.push([role, { file, value: Object.values(module)[0] }]);
    } catch (error) {
      throw new OperatorError(
        `${file}: cannot be loaded (${(error as Error).message}); install ${cs2LibPackage} 7 anew`,
      );
    }
  }
  return documents;
}

function assemble(found: ReadonlyMap<Role, SourceDocument>, paths: readonly string[]): CatalogDocuments {
  const items = found.get("items");
  const english = found.get("english");
  const given = paths.join(", ");
  if (items === undefined && (english !== undefined || found.has("russian")))
    throw new OperatorError(`${given}: names without the item list; add cs2-lib-items.json`);
  if (items !== undefined && english === undefined)
    throw new OperatorError(`${items.file}: the item list has no names; add cs2-lib-english.json`);
  const csgoApi: CsgoApiDocuments = {};
  for (const list of csgoApiLists) {
    const document = found.get(list);
    if (document !== undefined) csgoApi[list] = document;
  }
  return {
    cs2Lib:
      items === undefined || english === undefined ? null : { items, english, russian: found.get("russian") ?? null },
    csgoApi: Object.keys(csgoApi).length === 0 ? null : csgoApi,
  };
}
