import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createExampleFile, fewItemsList } from "../../scripts/support/example-world.ts";
import { hasPostgres, postgresBinary, preparePostgres } from "../../scripts/support/postgres.ts";
import type { DemoKeys } from "../../src/demo/demo.ts";
import { buildCatalog } from "../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { readCatalogSources } from "../../src/import/catalog/read-source.ts";
import { calculateIndexInBatches } from "../../src/jobs/indexes/calculate.ts";
import { closeDatabase, openWriter } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file/file.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { finalizeDaysInBatches } from "../../src/store/write/finalize-days.ts";
import { sealDaysInBatches } from "../../src/store/write/seal-days.ts";
import { dayOf } from "../../src/values/time/calendar.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { realDataFolder } from "./skip.ts";

/** The template database of the cached PostgreSQL server. */
export const privateTemplate = "private_template";

/** A file with the demo world of the contract's examples, to be copied and never changed, and the secrets in it. */
export type DemoFile = { path: string; keys: DemoKeys };

const repository = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(repository, "node_modules", ".cache", "itemtape-test-files");
const keptMs = 24 * 3_600_000;
let demo: DemoFile | undefined;
let fewDays: DemoFile | undefined;
let past: DemoFile | undefined;
let fewItems: DemoFile | undefined;
let fewItemsPast: DemoFile | undefined;
/** Number of completed days with daily rows and frames in a file of few days. */
const keptDays = 2;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  demoPastFile();
  demoFewItemsPastFile();
  if (existsSync(realDataFolder)) await realCatalogFile();
  if (hasPostgres()) await postgresFiles();
}

/** Returns the demo file. It is cached per state of the sources, because it needs seconds to make. */
export function demoFile(): DemoFile {
  demo ??= exampleFile("demo", createExampleFile);
  return demo;
}

/**
 * Returns a demo file with a tenth of the items and the history of the last days only. For tests that do not depend on the market size, or
 * that publish or export it several times.
 */
export function demoFewItemsFile(): DemoFile {
  fewItems ??= exampleFile("demo-few-items", (path) => {
    const keys = createExampleFile(path, fewItemsList());
    removeOldDays(path);
    return keys;
  });
  return fewItems;
}

function exampleFile(name: string, create: (path: string) => DemoKeys): DemoFile {
  const folder = folderOf(name);
  if (!existsSync(folder)) {
    const draft = draftOf(folder);
    writeFileSync(join(draft, "keys.json"), JSON.stringify(create(join(draft, "demo.db"))));
    keep(draft, folder);
  }
  return { path: join(folder, "demo.db"), keys: JSON.parse(readFileSync(join(folder, "keys.json"), "utf8")) };
}

/**
 * Returns the demo file with the history of the last days alone, and the same keys. It is half as large, and `db check` reads it in a
 * third of the time: for tests that check a file and ask for no history.
 */
export function demoFewDaysFile(): DemoFile {
  fewDays ??= changedCopy("demo-few-days", demoFile(), removeOldDays);
  return fewDays;
}

/**
 * Returns the same file after its last day is over: all days are finalized and sealed, which a mirror that runs by the system's clock
 * would do first.
 */
export function demoPastFile(): DemoFile {
  past ??= changedCopy("demo-past", demoFewDaysFile(), endLastDay);
  return past;
}

/** Returns the demo file of few items after its last day is over, in the same way. */
export function demoFewItemsPastFile(): DemoFile {
  fewItemsPast ??= changedCopy("demo-few-items-past", demoFewItemsFile(), endLastDay);
  return fewItemsPast;
}

function changedCopy(name: string, { path: from, keys }: DemoFile, change: (path: string) => void): DemoFile {
  const folder = folderOf(name);
  if (!existsSync(folder)) {
    const draft = draftOf(folder);
    const path = join(draft, "demo.db");
    copyFileSync(from, path);
    change(path);
    keep(draft, folder);
  }
  return { path: join(folder, "demo.db"), keys };
}

function endLastDay(path: string): void {
  const database = openWriter(path, 0);
  const today = dayOf(systemClock.now());
  runAtOnce(finalizeDaysInBatches(database, today, systemClock));
  runAtOnce(calculateIndexInBatches(database, today, { clock: systemClock }));
  runAtOnce(sealDaysInBatches(database, today, systemClock));
  closeDatabase(database);
}

type Trigger = { name: string; sql: string };

function removeOldDays(path: string): void {
  const database = openWriter(path, 0);
  const { $client: client } = database;
  const first = (client.prepare("SELECT max(day) FROM sealed_days").pluck().get() as number) - keptDays + 1;
  // A server never forgets a sealed day, and a trigger sees to it.
  const triggers = client.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as Trigger[];
  client.transaction(() => {
    for (const { name } of triggers) client.exec(`DROP TRIGGER ${name}`);
    for (const table of ["daily_by_day", "daily_by_item", "recent_days", "sealed_days", "frame_segments", "feed_days"])
      client.prepare(`DELETE FROM ${table} WHERE day < ?`).run(first);
    client.prepare("DELETE FROM frames WHERE hour < ?").run(first * 24);
    for (const { sql } of triggers) client.exec(sql);
  })();
  client.exec("VACUUM");
  closeDatabase(database);
}

/** Returns the path of a file with only the real catalog, imported at 1970-01-01. Tests copy it. */
export async function realCatalogFile(): Promise<string> {
  const folder = folderOf("catalog");
  if (!existsSync(folder)) {
    const documents = await readCatalogSources([join(realDataFolder, "catalog")], realDataFolder);
    const draft = draftOf(folder);
    const path = join(draft, "catalog.db");
    createDatabase(path, () => {});
    const database = openWriter(path, 0);
    importCatalog(database, buildCatalog(documents).variants, 0);
    database.$client.close();
    keep(draft, folder);
  }
  return join(folder, "catalog.db");
}

/** Returns the folder of a PostgreSQL server that does not run, to be copied. Its database `privateTemplate` has the private tables. */
export async function postgresFiles(): Promise<string> {
  const version = basename(dirname(dirname(postgresBinary("postgres"))));
  const folder = folderOf(`postgres${version}`, ["db/postgres", "src/store/postgres", "scripts/support"]);
  if (!existsSync(folder)) {
    const made = await preparePostgres(privateTemplate);
    const draft = draftOf(folder);
    copyFolder(made, draft);
    rmSync(made, { recursive: true });
    keep(draft, folder);
  }
  return folder;
}

/** Copies the contents of a folder with its permissions and owners. */
export function copyFolder(from: string, to: string): void {
  execFileSync("cp", ["-Rp", `${from}/.`, to]);
}

/** The folder of a file that is cached until one of the sources changes. The default is all sources of the program. */
function folderOf(name: string, sources?: readonly string[]): string {
  return join(cache, `${name}-${stampOfSources(sources)}`);
}

function draftOf(folder: string): string {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  return draft;
}

/** Moves a draft to its cache folder atomically for other processes. Removes entries older than a day. */
function keep(draft: string, folder: string): void {
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
  for (const name of readdirSync(cache)) {
    const found = join(cache, name);
    if (Date.now() - statSync(found).mtimeMs > keptMs) rmSync(found, { recursive: true, force: true });
  }
}

/** A stamp of the names, sizes and times of all source files of the cached files. */
function stampOfSources(sources: readonly string[] = ["src", "db", "generated", "scripts/support"]): string {
  const hash = createHash("sha256").update(process.version);
  const files = sources.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  for (const path of [...files.sort(), "package-lock.json"]) {
    if (!/\.(ts|mjs|json|sql)$/.test(path)) continue;
    const { size, mtimeMs } = statSync(join(repository, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}
