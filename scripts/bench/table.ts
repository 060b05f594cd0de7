import type { Progress } from "../../src/values/progress.ts";
import type { Closing, DataSet } from "./data-set.ts";
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

/** A table of the report. `goals`: by the row that they are about. `measure` resolves to null where it cannot be measured. */
export type Table = {
  part: Part;
  goals: Readonly<Record<string, Goals>>;
  measure(bench: Bench): Promise<Result | null>;
};

/** Defines a table: a row for each case, measured side by side. */
export function table<Context>({ part, title, open, compared = {}, ...more }: Definition<Context>): Table {
  const { figures, roundsMax = Number.POSITIVE_INFINITY } = more;
  const rows = more.rows((name, measure, goals = {}) => ({ name, measure, goals }));
  const measureRows = async (context: Context, bench: Bench) => {
    const rounds = Math.min(bench.options.rounds, roundsMax);
    const cases: Result["cases"] = {};
    bench.progress.phase(`${part}, measurements`, rounds * rows.length);
    for (let round = 0; round < rounds; round += 1) {
      // In another order each time, so that no row always follows the same one.
      const turned = rows.map((_, index) => rows[(index + round) % rows.length]!);
      for (const { name, measure } of round % 2 === 0 ? turned : turned.reverse()) {
        const measured = await measure(context, round, bench);
        const series = cases[name] ?? {};
        cases[name] = series;
        for (const figure of figures ?? Object.keys(measured)) {
          const value = measured[figure];
          if (value !== undefined) series[figure] = [...(series[figure] ?? []), value];
        }
        bench.progress.advance(1);
      }
    }
    return cases;
  };
  return {
    part,
    goals: Object.fromEntries(rows.map(({ name, goals }) => [name, goals])),
    async measure(bench) {
      const closing: Closing = [];
      try {
        bench.progress.phase(`opening: ${part}`);
        const context = await open(bench, closing);
        return context && { title: title(bench), cases: await measureRows(context, bench), compared };
      } finally {
        for (const close of closing.reverse()) await close();
      }
    },
  };
}
