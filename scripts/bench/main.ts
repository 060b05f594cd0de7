import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Progress, progressOn } from "../../src/values/progress.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { parseWordsOrExit } from "../support/flags.ts";
import { installPackages } from "../support/installed.ts";
import { median } from "../support/numbers.ts";
import { table } from "../support/table.ts";
import { createDataSet } from "./data-set.ts";
import { type Bench, type BenchRow, benchRows } from "./rows.ts";
import { type Server, type Subject, startServer } from "./servers.ts";
import { NotMeasured, Storage } from "./storage.ts";
import { catalogItems } from "./storage-bodies.ts";
import { storageRows } from "./storage-rows.ts";

const here: Subject = { name: "here", folder: fileURLToPath(new URL("../../", import.meta.url)) };
const allRows = { ...benchRows, ...storageRows };
const usage = `usage: npm run bench -- [--storage] [--turns N] [--seconds S] [--items N] [--against FOLDER]... [ROW...]
measures processor time and memory beside peers and, in the same turns, in other checkouts; prints medians
rows: ${Object.keys(benchRows).join(" ")}
rows of --storage, bytes written and processor: ${Object.keys(storageRows).join(" ")}`;

const { values, positionals } = parseWordsOrExit(
  {
    /** Runs all rows of written bytes, with one turn by default. */
    storage: { type: "boolean", default: false },
    turns: { type: "string" },
    /** Processor time of the server in one measurement of requests or exports. */
    seconds: { type: "string", default: "0.5" },
    items: { type: "string" },
    /** Other checkouts. */
    against: { type: "string", multiple: true, default: [] },
  },
  usage,
);
const chosen = values.storage ? storageRows : benchRows;
const names = positionals.length === 0 ? Object.keys(chosen) : positionals;
const isStorage = names.every((name) => Object.hasOwn(storageRows, name));
const turns = Number(values.turns ?? (isStorage ? 1 : 3));
const items = Number(values.items ?? (isStorage ? catalogItems : 30_000));
const unknown = names.find((name) => !Object.hasOwn(allRows, name));
if (unknown !== undefined || !(turns >= 1 && Number(values.seconds) > 0 && items >= 200)) {
  process.stderr.write(
    `${unknown === undefined ? "a number is too small" : `no row is called ${unknown}`}\n${usage}\n`,
  );
  process.exit(2);
}
await bench();

async function bench(): Promise<void> {
  installPackages(fileURLToPath(new URL(".", import.meta.url)));
  const folder = mkdtempSync(join(tmpdir(), "itemtape-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.once("SIGINT", () => process.exit(130));
  const progress = progressOn(process.stderr, systemClock);
  const data = isStorage ? null : await dataSet(folder, progress);
  const servers = new Map<string, Promise<Server>>();
  const serverOf = (subject: Subject) => {
    const server = servers.get(subject.name) ?? startServer({ ...subject, ...data!.files() });
    servers.set(subject.name, server);
    return server;
  };
  const hasPeer = names.some((name) => benchRows[name]?.peer !== undefined);
  const exportBytes = hasPeer ? await data!.copyAnswers((await serverOf(here)).port) : 0;
  const storage = new Storage(folder, items);
  const equipment = { here, data: data!, storage, exportBytes, seconds: Number(values.seconds), serverOf };
  const others = values.against.map((path) => ({ name: basename(resolve(path)), folder: `${resolve(path)}/` }));
  const lines: string[][] = [
    ["", "unit", "peer", "here", "÷ peer", "budget", ...others.flatMap(({ name }) => [name, "here ÷ it"])],
  ];
  progress.phase("measurements", names.length * turns);
  for (const name of names) {
    const row = allRows[name]!;
    const peers = row.peer === undefined ? [] : [{ name: row.peer, folder: null }];
    try {
      const measured = await inTurns(row, [...peers, ...others, here], equipment, () => progress.advance(1));
      lines.push(lineOf(name, row, measured, others));
    } catch (error) {
      if (!(error instanceof NotMeasured)) {
        print(lines);
        throw error;
      }
      lines.push([name, row.unit, "", "", "", error.message]);
    }
  }
  progress.end();
  for (const server of servers.values()) await (await server).close();
  print(lines);
}

function print(lines: readonly string[][]): void {
  process.stdout.write(
    `Node ${process.versions.node}, medians of ${turns} turns, ${items} items\n${table(lines).join("\n")}\n`,
  );
}

function dataSet(folder: string, progress: Progress) {
  progress.phase("making items, quotes and accounts");
  return createDataSet(folder, items);
}

/** Measures a row of all subjects in each turn, in reverse order in every second turn. Resolves to the values by subject. */
async function inTurns(row: BenchRow, subjects: readonly Subject[], bench: Bench, advance: () => void) {
  const values: Record<string, number[]> = {};
  for (let turn = 0; turn < turns; turn += 1) {
    for (const subject of turn % 2 === 0 ? subjects : subjects.toReversed()) {
      values[subject.name] ??= [];
      values[subject.name]!.push(await row.measure(subject, bench, turn));
    }
    advance();
  }
  return values;
}

/** Returns the medians, and the medians of the ratios within a turn. */
function lineOf(
  name: string,
  { unit, peer, budget }: BenchRow,
  values: Record<string, number[]>,
  others: readonly Subject[],
): string[] {
  const own = values.here!;
  const ratio = (of: readonly number[]) => median(own.map((value, turn) => value / of[turn]!));
  const ofPeer = values[peer ?? ""];
  const judged = ofPeer === undefined ? median(own) : ratio(ofPeer);
  return [
    name,
    unit,
    ofPeer === undefined ? "" : digits(median(ofPeer)),
    digits(median(own)),
    ofPeer === undefined ? "" : digits(judged),
    budget === undefined ? "" : `<= ${budget}${judged <= budget ? "" : ", missed"}`,
    ...others.flatMap((other) => [digits(median(values[other.name]!)), digits(ratio(values[other.name]!))]),
  ];
}

function digits(value: number): string {
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}
