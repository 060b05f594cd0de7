import type { Progress } from "../../src/values/progress.ts";
import type { DataSet } from "./data-set.ts";
import type { Cores } from "./machine.ts";
import type { Options, Part } from "./options.ts";

/** The equipment of every part. */
export type Bench = { data: DataSet; cores: Cores; options: Options; progress: Progress };

/** One measurement: its values by the name and unit that the report prints. */
export type Figures = Record<string, number>;
/** A measured table: the values of all rounds by row and figure. */
export type Result = { title: string; cases: Record<string, Record<string, number[]>>; compared?: Compared };
export type Results = Record<string, Result>;
/** Figures whose ratios to those of another row are printed; null: of the row that the name before the last `, ` is. */
type Compared = Readonly<Record<string, string | null>>;

/** Promises about a row: a bound such as `<= 2` by figure, by `figure ÷ row`, or by `figure - row - row` for what is beyond others. */
export type Goals = Readonly<Record<string, string>>;

/** What is measured once in each round, numbered from 0. */
export type Measure<Context> = (context: Context, round: number, bench: Bench) => Figures | Promise<Figures>;
type Row<Context> = { name: string; measure: Measure<Context>; goals: Goals };
/** What closes whatever a table has opened, the last first. */
export type Closing = (() => unknown)[];

type Definition<Context> = {
  part: Part;
  title: (bench: Bench) => string;
  /** Opens what the rows are measured on; null: that is not possible on this machine. */
  open: (bench: Bench, closing: Closing) => Promise<Context | null>;
  rows: (row: (name: string, measure: Measure<Context>, goals?: Goals) => Row<Context>) => readonly Row<Context>[];
  /** Figures to print, in this order; left out: all. */
  figures?: readonly string[];
  compared?: Compared;
  roundsMax?: number;
};

/** A table of the report. */
export type Table = {
  part: Part;
  /** By the row that they are about. */
  goals: Readonly<Record<string, Goals>>;
  /** Resolves to null where it cannot be measured. */
  measure(bench: Bench): Promise<Result | null>;
};

/** Defines a table: a row for each case, measured side by side. */
export function table<Context>(definition: Definition<Context>): Table {
  const rows = definition.rows((name, measure, goals = {}) => ({ name, measure, goals }));
  const goals = Object.fromEntries(rows.map(({ name, goals }) => [name, goals]));
  return { part: definition.part, goals, measure: (bench) => measureTable(definition, rows, bench) };
}

async function measureTable<Context>(
  definition: Definition<Context>,
  rows: readonly Row<Context>[],
  bench: Bench,
): Promise<Result | null> {
  const { open, title, compared } = definition;
  const closing: Closing = [];
  try {
    bench.progress.phase(`opening: ${definition.part}`);
    const context = await open(bench, closing);
    if (context === null) return null;
    const cases = await measureRounds(definition, rows, context, bench);
    return { title: title(bench), cases, ...(compared === undefined ? {} : { compared }) };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Measures each row in every round. The order changes, so that no row always follows the same one. */
async function measureRounds<Context>(
  { part, figures, roundsMax = Number.POSITIVE_INFINITY }: Definition<Context>,
  rows: readonly Row<Context>[],
  context: Context,
  bench: Bench,
) {
  const rounds = Math.min(bench.options.rounds, roundsMax);
  const all: Result["cases"] = Object.fromEntries(rows.map(({ name }) => [name, {}]));
  bench.progress.phase(`${part}, measurements`, rounds * rows.length);
  for (let round = 0; round < rounds; round += 1) {
    const turned = rows.map((_, index) => rows[(index + round) % rows.length]!);
    for (const { name, measure } of round % 2 === 0 ? turned : turned.reverse()) {
      const measured = await measure(context, round, bench);
      for (const figure of figures ?? Object.keys(measured)) {
        const value = measured[figure];
        if (value === undefined) continue;
        all[name]![figure] ??= [];
        all[name]![figure].push(value);
      }
      bench.progress.advance(1);
    }
  }
  return all;
}
