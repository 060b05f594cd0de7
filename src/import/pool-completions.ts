import { readFileSync } from "node:fs";
import { fileOfProgram } from "../values/root.ts";

/** All rare specials of one container, compiled from public sources because an item list truncates them. */
export type PoolCompletion = {
  /** Canonical object of the container, such as `item:4186`. */
  container: string;
  name: string;
  /** Names of the rare specials by canonical object, for example `M9 Bayonet | Fade` for `paint:508:38`. */
  specials: ReadonlyMap<string, string>;
  /** Public sources with repository, commit or release, and files. */
  reference: string;
};

/** Path of the shipped list, relative to the root of the repository. */
export const completionsFile = "db/pool-completions.json";

type Source = { repository: string; commit?: string; release?: string; says: string };
type Family = { finishes: readonly string[]; note?: string };
type ListedCase = {
  container: string;
  name: string;
  knives: readonly string[];
  family: string;
  sources: readonly { source: string; files: readonly string[] }[];
};
type CompletionsFile = {
  sources: Readonly<Record<string, Source>>;
  knives: Readonly<Record<string, number>>;
  finishes: Readonly<Record<string, number>>;
  families: Readonly<Record<string, Family>>;
  cases: readonly ListedCase[];
};

/** Finish of a knife without paint. The item's name is just the knife's name. */
export const unpainted = "Vanilla";

let completions: ReadonlyMap<string, PoolCompletion> | undefined;

/** Returns the shipped completions by the canonical object of their container. */
export function poolCompletions(): ReadonlyMap<string, PoolCompletion> {
  if (completions === undefined) {
    const file = JSON.parse(readFileSync(fileOfProgram(completionsFile), "utf8"));
    completions = new Map(file.cases.map((one: ListedCase) => [one.container, completionOf(file, one)]));
  }
  return completions;
}

function completionOf(file: CompletionsFile, { container, name, knives, family, sources }: ListedCase): PoolCompletion {
  const { finishes } = file.families[family]!;
  const specials = knives.flatMap((knife) =>
    finishes.map((finish): [string, string] => [
      `paint:${file.knives[knife]}:${file.finishes[finish]}`,
      finish === unpainted ? knife : `${knife} | ${finish}`,
    ]),
  );
  const cited = sources.map(({ source, files }) => {
    const { repository, commit, release } = file.sources[source]!;
    return `${repository}${commit === undefined ? "" : ` ${commit.slice(0, 12)}`} (${release ?? files.join(", ")})`;
  });
  return { container, name, specials: new Map(specials), reference: cited.join("; ") };
}
