import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/values/time/clock.ts";
import { writtenBytes } from "../support/processor.ts";
import { runCommand, type Subject, secondsOf } from "./servers.ts";
import { Bodies, type BodyOrder } from "./storage-bodies.ts";

/** Reports why this machine cannot measure a row. */
export class NotMeasured extends Error {}

/** Cost of a command. `seconds`: processor time; `megabytes`: written to the disk; `report`: its JSON. */
export type Cost = { seconds: number; megabytes: number; report: Record<string, unknown> };

/** Type of the file system in memory, which writes nothing to disk. */
const tmpfs = 0x01_02_19_94;
/** A command that opens a file and finds nothing to do. */
const startWords = ["feeds", "drop", "--unchecked-for", "1", "--dry-run", "--json"];
export const accounts = 4;
/** Numbers of sources of the markets. */
export const marketSizes = [2, 6, 12];

/**
 * Files of the market that each subject creates with its own commands at their first use, and costs of commands on copies of them. Every
 * file is written once; copies are deleted after a measurement.
 */
export class Storage {
  readonly items: number;
  readonly bodies: Bodies;
  readonly #folder: string;
  readonly #made = new Set<string>();
  readonly #costs = new Map<string, Promise<unknown>>();
  readonly #keys = new Map<string, string[]>();

  constructor(folder: string, items: number) {
    this.items = items;
    this.#folder = join(folder, "storage");
    mkdirSync(this.#folder);
    this.bodies = new Bodies(this.#folder, items, systemClock.now());
  }

  /** Measures once for all rows that use a part of the result. */
  once<T>(name: string, measure: () => Promise<T>): Promise<T> {
    const cost = (this.#costs.get(name) as Promise<T> | undefined) ?? measure();
    this.#costs.set(name, cost);
    return cost;
  }

  /** Returns the market with the given number of sources, one of `marketSizes`. With 0 sources it has only the catalog and accounts. */
  market(subject: Subject, sources: number): string {
    return this.#file(subject, `${sources}`, (path) => {
      if (sources === 0) return this.#makeCatalog(subject, path);
      const fewer = marketSizes.findLast((size) => size < sources) ?? 0;
      copyFileSync(this.market(subject, fewer), path);
      for (let source = fewer + 1; source <= sources; source += 1)
        runJson(subject, path, this.bodies.words({ source, percent: 0, minutes: 1, hasUrls: false }));
    });
  }

  /** Returns the market with the given number of sources. The first source has a separate url and time for each quote. */
  marketWithUrls(subject: Subject, sources: number): string {
    return this.#file(subject, `${sources}-urls`, (path) => {
      copyFileSync(this.market(subject, sources), path);
      runJson(subject, path, this.bodies.words({ source: 1, percent: 0, minutes: 2, hasUrls: true }));
    });
  }

  /** Creates a file with a year of daily rows of the first source. `mb`: its growth. */
  year(subject: Subject): Promise<{ file: string; mb: number; cost: Cost }> {
    return this.once(`year ${subject.name}`, async () => {
      const catalog = this.market(subject, 0);
      const file = catalog.replace(/0\.db$/, "year.db");
      copyFileSync(catalog, file);
      const cost = await this.#costOn(subject, file, this.bodies.dailyWords(365, 2));
      return { file, mb: fileMb(file) - fileMb(catalog), cost };
    });
  }

  /** Returns the secrets of Quant keys, one per account. They are the same in all files of a subject. */
  keys(subject: Subject): readonly string[] {
    this.market(subject, 0);
    return this.#keys.get(subject.name)!;
  }

  /** Passes a copy of a file to `work`. The copy is deleted afterwards with all files beside it. */
  async withCopy<T>(file: string, work: (path: string) => T | Promise<T>): Promise<T> {
    const folder = `${file}-copy`;
    mkdirSync(folder);
    try {
      const path = join(folder, "market.db");
      copyFileSync(file, path);
      return await work(path);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Measures a command on a copy of a file. The processor time of the program's start is subtracted. */
  async cost(subject: Subject, file: string, words: readonly string[]): Promise<Cost> {
    const start = await this.once(`start ${subject.name}`, () =>
      this.withCopy(this.market(subject, 0), (path) => this.#costOn(subject, path, startWords)),
    );
    const cost = await this.withCopy(file, (path) => this.#costOn(subject, path, words));
    return { ...cost, seconds: cost.seconds - start.seconds };
  }

  /**
   * Measures the import of a body.
   * @throws {NotMeasured}
   */
  async importCost(subject: Subject, file: string, order: BodyOrder): Promise<Cost> {
    const cost = await this.cost(subject, file, this.bodies.words(order));
    if (cost.report.settled_days !== 0) throw new NotMeasured("an hour of yesterday: try after 03:00 UTC");
    return cost;
  }

  /** Counts the syncs during the import of a body. */
  syncs(subject: Subject, file: string, order: BodyOrder): Promise<number> {
    const counts = join(this.#folder, "syncs");
    const trace = ["strace", "-f", "--seccomp-bpf", "-c", "-e", "trace=fsync,fdatasync", "-o", counts];
    if (spawnSync("strace", [...trace.slice(1), "true"]).status !== 0) throw new NotMeasured("needs strace");
    return this.withCopy(file, (path) => {
      runJson(subject, path, this.bodies.words(order), trace);
      const lines = readFileSync(counts, "utf8").matchAll(/^ *[0-9.]+ +[0-9.]+ +\d+ +(\d+) .*f(?:data)?sync$/gm);
      return Array.from(lines, ([, calls]) => Number(calls)).reduce((sum, calls) => sum + calls, 0);
    });
  }

  #file(subject: Subject, name: string, make: (path: string) => void): string {
    const path = join(this.#folder, `${subject.name}-${name}.db`);
    if (!this.#made.has(path)) make(path);
    this.#made.add(path);
    return path;
  }

  async #costOn(subject: Subject, path: string, words: readonly string[]): Promise<Cost> {
    let report: Cost["report"] = {};
    const before = writtenOn(path);
    const seconds = await secondsOf(() => {
      report = runJson(subject, path, words);
    });
    return { seconds, megabytes: (writtenOn(path) - before) / 1e6, report };
  }

  #makeCatalog(subject: Subject, path: string): void {
    runJson(subject, path, ["db", "create"]);
    runJson(subject, path, ["import", "catalog", this.bodies.catalog(), "--json"]);
    const keys = Array.from({ length: accounts }, () => {
      const account = `${runJson(subject, path, ["accounts", "create", "Bench", "--json"]).account_id}`;
      runJson(subject, path, ["accounts", "plan", account, "quant", "--json"]);
      return `${runJson(subject, path, ["keys", "create", account, "--json"]).secret}`;
    });
    this.#keys.set(subject.name, keys);
  }
}

/** Runs a command on a file. Returns its last line, parsed as JSON with `--json`, or nothing. */
export function runJson(subject: Subject, path: string, words: readonly string[], before: readonly string[] = []) {
  const output = runCommand(subject.folder!, [...words, "--db", path], before).trim();
  return (words.includes("--json") ? JSON.parse(output.split("\n").at(-1)!) : {}) as Record<string, unknown>;
}

/**
 * Returns the bytes written so far by the bench and its children that have ended.
 * @throws {NotMeasured}
 */
export function writtenOn(path: string): number {
  const bytes = writtenBytes("self");
  if (bytes === null) throw new NotMeasured("needs /proc/PID/io of Linux");
  if (statfsSync(path).type === tmpfs) throw new NotMeasured("TMPDIR is in memory: nothing is written");
  return bytes;
}

/** Returns the size of a file and its log, MB. */
export function fileMb(path: string): number {
  const bytes = (name: string) => (existsSync(name) ? statSync(name).size : 0);
  return (bytes(path) + bytes(`${path}-wal`)) / 1e6;
}
