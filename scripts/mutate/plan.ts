import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { parseSources } from "../support/syntax.ts";
import { instrument, type Mutant } from "./mutants.ts";

/** Folders whose mutants are tried as a routine, with the tests that should notice. */
export const testsOf: Readonly<Record<string, readonly string[]>> = {
  "src/access": ["test/access"],
  "src/roi": ["test/roi", "test/jobs/roi"],
  "src/wire": ["test/wire", "test/domain", "test/import/catalog"],
  "src/store/codec": [
    "test/store/codec",
    "test/store/check",
    "test/store/market-image.test.ts",
    "test/import/pools/publish.test.ts",
    "test/jobs/roi/calculate.test.ts",
    ...["changes", "frame-memory", "hourly-history", "openable-history"].map((name) => `test/domain/${name}.test.ts`),
  ],
};
/** These read the text of the source, which is another one while mutants are in it. */
const readsSource = ["test/roi/no-floats.test.ts"];
/** Test files run for one source file, the nearest by imports first. */
const filesMax = 8;

/** A source file with the mutants that are tried, and the test files that lead to it. `isInThreads`: threads load it, too. */
export type FilePlan = { file: string; text: string; mutants: Mutant[]; tests: string[]; isInThreads: boolean };

/** Returns `count` mutants of the folder, or all where it has fewer, drawn by `seed`, by file; and how many there are. */
export function planOf(folder: string, { count, seed }: { count: number; seed: number }) {
  const files = filesIn(folder).filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));
  const graph = importGraph([...filesIn("src"), ...filesIn("test")].filter((file) => /\.m?ts$/.test(file)));
  const tests = filesIn("test").filter(
    (file) => file.endsWith(".test.ts") && !readsSource.includes(file) && isOf(testFolders(folder), file),
  );
  const threaded = inThreads(graph);
  const sources = parseSources(new Map(files.map((file) => [file, readFileSync(file, "utf8")])));
  let nextId = 1;
  const whole = files.map((file): FilePlan => {
    const { text, mutants } = instrument(file, sources.get(file)!, nextId);
    nextId += mutants.length;
    return { file, text, mutants, tests: nearest(graph, file, tests), isInThreads: threaded.has(file) };
  });
  const drawn = new Set(draw(nextId - 1, count, seed));
  const plans = whole.map((plan) => ({ ...plan, mutants: plan.mutants.filter(({ id }) => drawn.has(id)) }));
  return { plans, whole: nextId - 1 };
}

function testFolders(folder: string): readonly string[] {
  return (
    testsOf[folder] ?? testsOf[Object.keys(testsOf).find((known) => folder.startsWith(`${known}/`)) ?? ""] ?? ["test"]
  );
}

function isOf(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => file === folder || file.startsWith(`${folder}/`));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name).replaceAll("\\", "/"))
    .sort();
}

/** Returns what each file imports. A source that is loaded by its name, as threads are, counts as imported. */
function importGraph(files: readonly string[]): Map<string, string[]> {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(file, "utf8").replaceAll(/(?:import|export) type [^;]*;/g, "");
      const relative = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)];
      const paths = relative.map(([, path = ""]) => normalize(join(dirname(file), path)).replaceAll("\\", "/"));
      const named = [...text.matchAll(/"(src\/[^"]+\.ts)"/g)].map(([, path = ""]) => path);
      return [file, [...paths, ...named].filter((path) => known.has(path))];
    }),
  );
}

/** Returns the files that threads load: their entries, and whatever those import. */
function inThreads(graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const isEntry = (file: string) => file.startsWith("src/") && /^serveThread\(/m.test(readFileSync(file, "utf8"));
  const found = new Set([...graph.keys()].filter(isEntry));
  for (const file of found) for (const imported of graph.get(file) ?? []) found.add(imported);
  return found;
}

/** Returns the test files that lead to `file`, the one of its name first, then in ascending distance, of equally far ones those of its folder first. */
function nearest(graph: ReadonlyMap<string, readonly string[]>, file: string, tests: readonly string[]): string[] {
  const importers = new Map<string, string[]>();
  for (const [from, to] of graph) for (const one of to) importers.set(one, [...(importers.get(one) ?? []), from]);
  const distances = new Map([[file, 0]]);
  for (const [current, distance] of distances) {
    for (const importer of importers.get(current) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  }
  const own = `${basename(file, ".ts")}.test.ts`;
  const folder = dirname(file).replace(/^src/, "test");
  const farness = (test: string) =>
    basename(test) === own ? 0 : distances.get(test)! - (dirname(test) === folder ? 0.5 : 0);
  return tests
    .filter((test) => distances.has(test))
    .sort((a, b) => farness(a) - farness(b))
    .slice(0, filesMax);
}

/** Returns `count` different numbers from 1 to `max`, the same ones for the same seed. */
function draw(max: number, count: number, seed: number): number[] {
  const numbers = Array.from({ length: max }, (_, index) => index + 1);
  const next = randomNumbers(seed);
  for (let index = numbers.length - 1; index > 0; index -= 1) {
    const other = Math.floor(next() * (index + 1));
    [numbers[index], numbers[other]] = [numbers[other]!, numbers[index]!];
  }
  return numbers.slice(0, count);
}

/** Returns numbers in [0, 1) that look random (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
