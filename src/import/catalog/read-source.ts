import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { fileText, readFeedFile, refusedFile } from "../feed-file.ts";
import type { CatalogDocuments } from "./build-catalog.ts";
import { type CsgoApiDocuments, type CsgoApiList, csgoApiLists } from "./csgo-api.ts";
import { isSkin } from "./csgo-api-skins.ts";
import { documentsOf, readShippedList, shippedWord } from "./shipped-catalog.ts";
import { filesOfDocument, type SourceDocument } from "./source-rows.ts";

export const cs2LibPackage = "@ianlucas/cs2-lib";

/**
 * Reads catalog documents. A path is a JSON file (plain or gzip), a folder, the package name, or the word for the shipped catalog. Of a
 * folder, one level of subfolders is read too, and other files are ignored.
 *
 * The package must be installed under `node_modules` of `workingFolder`. Files are recognized by shape and ids, never by name. Several
 * files of one list are combined. The package's lists are code, so only the package name runs them, never a folder.
 * @throws {OperatorError} when a file is missing, unreadable, given twice or of another shape.
 */
export async function readCatalogSources(paths: readonly string[], workingFolder: string): Promise<CatalogDocuments> {
  if (paths.length === 0)
    throw new OperatorError(
      `no catalog given: name files, folders, ${cs2LibPackage} or ${shippedWord}`,
      exitCodes.usage,
    );
  const found = new Map<Role, SourceDocument>();
  const take = (role: Role, document: SourceDocument): void => {
    const first = found.get(role);
    if (first !== undefined && filesOfDocument(first).some(({ file }) => file === document.file))
      throw new OperatorError(`${document.file}: given twice; name it once`);
    found.set(role, first === undefined ? document : { ...first, moreFiles: [...(first.moreFiles ?? []), document] });
  };
  for (const path of paths) {
    if (path === shippedWord) {
      const documents = documentsOf(readShippedList());
      for (const role of cs2LibRoles) take(role, documents[role]);
      continue;
    }
    if (path === cs2LibPackage) {
      for (const [role, document] of await readPackage(await packageFolder(workingFolder))) take(role, document);
      continue;
    }
    const folder = await folderOf(path, workingFolder);
    if (folder !== null && (await isPackage(folder)))
      throw new OperatorError(
        `${path}: the package is code; run npm install ${cs2LibPackage} and give its name instead`,
      );
    const files = folder === null ? [resolve(workingFolder, path)] : await jsonFilesIn(folder);
    const documents = await catalogDocuments(files);
    if (documents.length === 0) throw new OperatorError(`${path}: has no catalog list; the lists are ${knownLists}`);
    for (const [role, document] of documents) take(role, document);
  }
  return assemble(found, paths);
}

type Role = "items" | "english" | "russian" | CsgoApiList;

const cs2LibRoles = ["items", "english", "russian"] as const;
const knownLists = `the item list of cs2-lib, its English and Russian names, and csgo-api's ${csgoApiLists.join(", ")}`;

/** Returns the documents among `files` that are catalog lists, with their roles. */
async function catalogDocuments(files: readonly string[]): Promise<[Role, SourceDocument][]> {
  const documents: [Role, SourceDocument][] = [];
  for (const file of files) {
    const document = await readDocument(file);
    const role = roleOf(document.value);
    if (role !== null) documents.push([role, document]);
  }
  return documents;
}

/** Returns the csgo-api container list in a folder, possibly combined from several files. Undefined if the folder has none. */
export async function containerListIn(folder: string): Promise<SourceDocument | undefined> {
  const documents = await catalogDocuments(await jsonFilesIn(folder));
  const [first, ...moreFiles] = documents.flatMap(([role, document]) => (role === "crates" ? [document] : []));
  return first === undefined ? undefined : { ...first, moreFiles };
}

/** Returns the kind of list of a document, by its first row with a known id. Null if unknown. */
function roleOf(value: unknown): Role | null {
  if (Array.isArray(value)) return value.map(listOfRow).find((role) => role !== null) ?? null;
  if (typeof value !== "object" || value === null) return null;
  const entries = Object.entries(value);
  const names = entries.flatMap(([, entry]) => (typeof entry?.name === "string" ? [entry.name as string] : []));
  if (names.length === 0 || !entries.every(([key]) => /^\d+$/.test(key))) return null;
  return names.some((name) => /\p{Script=Cyrillic}/u.test(name)) ? "russian" : "english";
}

function listOfRow(row: { id?: unknown; type?: unknown; weapon?: object } | null): Role | null {
  if (typeof row?.id === "number") return typeof row.type === "string" ? "items" : null;
  const prefix = /^([a-z_]+)-/.exec(String(row?.id))?.[1];
  if (prefix === "skin" && !isSkin(row ?? {})) return null;
  return csgoApiLists.find((list) => [prefix, `${prefix}s`, `${prefix}es`].includes(list)) ?? null;
}

/** Returns the folder at `path`, or null for a file. */
async function folderOf(path: string, workingFolder: string): Promise<string | null> {
  const direct = resolve(workingFolder, path);
  const kind = await stat(direct).catch(() => null);
  if (kind === null) throw new OperatorError(`${path}: the file or folder does not exist`, exitCodes.noInput);
  return kind.isDirectory() ? direct : null;
}

async function packageFolder(workingFolder: string): Promise<string> {
  const folder = join(workingFolder, "node_modules", cs2LibPackage);
  const kind = await stat(folder).catch(() => null);
  if (kind?.isDirectory() === true) return folder;
  throw new OperatorError(`${cs2LibPackage}: not installed here; run npm install ${cs2LibPackage}`, exitCodes.noInput);
}

async function jsonFilesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  const rows = await readdir(folder, { withFileTypes: true });
  for (const row of rows.sort((a, b) => a.name.localeCompare(b.name))) {
    const inner = row.isDirectory() ? await readdir(join(folder, row.name)) : [];
    files.push(row.name, ...inner.sort().map((name) => join(row.name, name)));
  }
  return files.filter((file) => /\.json(?:\.gz)?$/.test(file)).map((file) => join(folder, file));
}

/**
 * Reads a JSON document, plain or gzip.
 * @throws {OperatorError} when the file cannot be read or is not JSON.
 */
export async function readDocument(file: string): Promise<SourceDocument> {
  const text = fileText(await readFeedFile(file));
  try {
    return { file, value: JSON.parse(text) };
  } catch (error) {
    throw refusedFile(file, `not JSON (${(error as Error).message})`);
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

/** The package publishes each list as a module with one export. Only these three are loaded, not its 28 languages. */
async function readPackage(folder: string): Promise<[Role, SourceDocument][]> {
  const documents: [Role, SourceDocument][] = [];
  for (const role of cs2LibRoles) {
    const file = join(folder, packageModules[role]);
    try {
      const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
      documents.push([role, { file, value: Object.values(module)[0] }]);
    } catch (error) {
      throw new OperatorError(
        `${file}: cannot be loaded (${(error as Error).message}); install ${cs2LibPackage} 7 again`,
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
    throw new OperatorError(`${given}: names without an item list; add the item list of cs2-lib`);
  if (items !== undefined && english === undefined)
    throw new OperatorError(`${items.file}: the item list has no names; add its English names`);
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
