import { readFileSync } from "node:fs";
import { fileOfProgram } from "../values/root.ts";

/** The whole list of the rare specials of one container, written down from public sources because an item list cuts it off. */
export type PoolCompletion = {
  /** Canonical object of the container, such as `item:4186`. */
  container: string;
  name: string;
  /** Names of its rare specials by canonical object, such as `paint:508:38`: `M9 Bayonet | Fade`. */
  specials: ReadonlyMap<string, string>;
  /** Public sources with repository, commit or release, and files. */
  reference: string;
};

/** Path of the shipped list from the root of the repository. */
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

/** Finish of a knife without paint. Its name is that of the knife alone. */
export const unpainted = "Vanilla";

let completions: ReadonlyMap<string, PoolCompletion> | undefined;

/** Returns the shipped completions by canonical object of their container. */
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
