import { join } from "node:path";
import { parseLongRunOrExit } from "../../scripts/support/flags.ts";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import { catalogVariants, openCatalog } from "./search-ring.ts";

/** Searches by words, each with a plain-text search of the same result. Quoted text is searched literally. */
const pairs = [
  ["redline", '"redline"'],
  ["doppler", '"doppler"'],
  ["ak-47 redline", '"ak-47 | redline"'],
  ["glock-18 fade", '"glock-18 | fade"'],
  ["kilowatt case", '"kilowatt case"'],
  ["dragon lore", '"dragon lore"'],
  ["nothing of that name", '"nothing of that name"'],
] as const;
const rounds = 15;
const searchesPerRound = 200;
const ratioMax = 1.5;

/** Prints the processor time of searches by words, relative to plain text. The exit code is 1 if the median exceeds the limit. */
async function main(): Promise<void> {
  parseLongRunOrExit("searches", {});
  const path = join(temporaryFolder(), "market.db");
  const variants = await catalogVariants();
  newDatabase(path, (database) => void importCatalog(database, variants, 0));
  const { catalog, asked, close } = await openCatalog(path);
  const search = (q: string) => catalog.list(catalog.prepareList({ q, limit: 100 }, asked), true).data.length;
  /** Microseconds of processor time of one search. */
  const costOf = (q: string) => {
    const before = process.cpuUsage();
    for (let count = 0; count < searchesPerRound; count += 1) search(q);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / searchesPerRound;
  };
  process.stdout.write(`${variants.length} items; microseconds of processor, medians of ${rounds} rounds\n`);
  const ratios = pairs.map(([words, plain]) => {
    if (search(words) !== search(plain)) throw new Error(`${words} and ${plain} do not find the same`);
    const costs = Array.from({ length: rounds }, () => [costOf(words), costOf(plain)] as const);
    const [byWords, asText] = [medianOf(costs.map(([one]) => one)), medianOf(costs.map(([, other]) => other))];
    const ratio = medianOf(costs.map(([one, other]) => one / other));
    process.stdout.write(
      `${words.padEnd(22)} ${byWords.toFixed(0).padStart(6)}  ${plain.padEnd(26)} ${asText.toFixed(0).padStart(6)}  ratio ${ratio.toFixed(2)}, ${search(words)} found\n`,
    );
    return ratio;
  });
  close();
  const median = medianOf(ratios);
  process.stdout.write(`median ratio ${median.toFixed(2)}, limit ${ratioMax}\n`);
  if (median > ratioMax) process.exitCode = 1;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

await main();
