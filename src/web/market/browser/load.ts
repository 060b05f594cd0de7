import { ItemtapeError } from "../../browser/api.ts";
import type { ChartState } from "./chart-address.ts";
import { type History, isLasting, type Read } from "./history.ts";
import { bestRows, pointsOf, stepSeconds } from "./points.ts";
import { type Plan, windowBefore } from "./ranges.ts";
import type { Chart, Item, Meta, Provider, Row, Series, Side } from "./types.ts";

const colours = 8;

/** Identity and name of an item in a chart. */
type Named = Pick<Item, "item_id" | "market_hash_name" | "phase">;

/**
 * Input for loading a chart. `pairs` are the recently quoted sides and providers. Their hours are read one by one, so that each gap has the
 * cause of its provider. `items` are the page's item and the compared items.
 */
export type Wanted = {
  state: Pick<ChartState, "sides" | "providers" | "known">;
  plan: Plan;
  items: readonly Named[];
  providers: readonly Provider[];
  pairs: readonly { side: Side; provider: string }[];
  knownSince: string | null;
};

/** Returns the reads for a chart, except the older windows of an open plan. */
export function readsOf({ state, plan, items, pairs }: Wanted): Read[] {
  const { resolution, windows } = plan;
  const isShown = (provider: string) => state.providers.length === 0 || state.providers.includes(provider);
  // Hours of some providers are read by name, because a combined read does not explain the gaps of each provider.
  const named = resolution === "hourly" && state.providers.length > 0 ? state.providers : [null];
  const subjects =
    items.length > 1 || resolution === "daily"
      ? items.flatMap(({ item_id }) =>
          sidesOf(state, items).flatMap((side) => named.map((provider) => ({ itemId: item_id, side, provider }))),
        )
      : pairs
          .filter(({ side, provider }) => state.sides.includes(side) && isShown(provider))
          .map((pair) => ({ itemId: items[0]?.item_id ?? 0, ...pair }));
  return subjects.flatMap((subject) => windows.map((window) => ({ ...subject, resolution, window })));
}

/** Returns the reads of the same prices as known at a minute; none for "". Windows end by its day. */
export function knownReadsOf(reads: readonly Read[], known: string): Read[] {
  const day = known.slice(0, 10);
  const until = (date: string) => (date < day ? date : day);
  // A later window becomes the day itself, so that the API refuses an instant that is too early.
  return (known === "" ? [] : reads).map(({ window: { from, to }, ...read }) => ({
    ...read,
    window: { from: until(from), to: until(to) },
    knownAt: new Date(known).toISOString(),
  }));
}

/** Returns one side if several items are compared, because two lines per item would be too many. */
function sidesOf({ sides }: Pick<ChartState, "sides">, items: readonly Named[]) {
  return items.length > 1 ? sides.slice(0, 1) : sides;
}

/**
 * Reads the data of a chart and builds it.
 * @throws {ItemtapeError | TransportError} if the API does not answer.
 */
export async function loadChart(history: History, wanted: Wanted, signal: AbortSignal): Promise<Chart> {
  const reads = readsOf(wanted);
  const { known } = wanted.state;
  const read = await history.readAll(reads, signal, knownReadsOf(reads, known));
  const answers = reads.map((one, index): Answer => ({ read: one, ...read[index]! }));
  if (wanted.plan.isOpen) {
    const oldest = reads.filter(({ window }) => window.from === wanted.plan.from);
    answers.push(...(await olderAnswers(history, oldest, signal)));
  }
  const { resolution } = wanted.plan;
  const dates = answers.flatMap(({ rows }) => rows.map(({ ts, date = "" }) => (ts ?? date).slice(0, 10)));
  const from = wanted.plan.isOpen ? (dates.sort()[0] ?? wanted.plan.from) : wanted.plan.from;
  const generatedAt =
    answers
      .map(({ meta }) => meta.generated_at)
      .sort()
      .at(-1) ?? `${wanted.plan.to}T00:00:00Z`;
  const meta = { from, to: wanted.plan.to, generated_at: generatedAt };
  const pastReads = knownReadsOf(
    answers.map(({ read }) => read),
    known,
  );
  const past = await pastAnswers(history, pastReads, from, signal);
  const make = wanted.items.length > 1 ? itemSeries : providerSeries;
  const series = make({ answers, past: past.answers }, meta, wanted);
  const start = Date.parse(`${from}T00:00:00Z`) / 1000;
  const step = stepSeconds[resolution];
  const days = (Date.parse(meta.to) - Date.parse(from)) / 86_400_000 + 1;
  const { knownSince } = wanted;
  return {
    knownSince,
    knownAt: past.answers === null ? null : known,
    refusal: past.refusal,
    resolution,
    start,
    step,
    count: (days * stepSeconds.daily) / step,
    from,
    to: meta.to,
    generatedAt,
    series,
  };
}

export type Answer = { read: Read; rows: Row[]; meta: Meta };

/**
 * Reads older windows, one after the other, until one has no rows.
 * @param reads Reads of the oldest window.
 */
async function olderAnswers(history: History, reads: readonly Read[], signal: AbortSignal) {
  const answers: Answer[] = [];
  await Promise.all(
    reads.map(async (read) => {
      let { from } = read.window;
      for (let count = 0; ; count += 1) {
        const window = windowBefore(from, read.resolution, count);
        if (window === null) return;
        const older = { ...read, window };
        const answer = await history.read(older, signal);
        if (answer.rows.length === 0) return;
        answers.push({ read: older, ...answer });
        from = window.from;
      }
    }),
  );
  return answers;
}

/** Reads the rows from a date as known at an earlier instant. Answers are null without reads, or if the API refuses. */
async function pastAnswers(history: History, reads: readonly Read[], from: string, signal: AbortSignal) {
  if (reads.length === 0) return { answers: null, refusal: null };
  try {
    const read = await history.readAll(reads, signal);
    const answers = reads.map((one, index): Answer => {
      const { rows, meta } = read[index]!;
      return { read: one, rows: rows.filter(({ ts, date = "" }) => (ts ?? date) >= from), meta };
    });
    return { answers, refusal: null };
  } catch (error) {
    if (!(error instanceof ItemtapeError && isLasting(error))) throw error;
    return { answers: null, refusal: error };
  }
}

/** `past` are the answers as known at an earlier instant, or null. */
type Answers = { answers: readonly Answer[]; past: readonly Answer[] | null };

function providerSeries({ answers, past }: Answers, meta: Meta, { state, plan, providers }: Wanted): Series[] {
  return state.sides.flatMap((side) =>
    providers.flatMap(({ provider, name }, number) => {
      const rowsIn = (all: readonly Answer[]) =>
        all
          .filter(({ read }) => read.side === side && (read.provider ?? provider) === provider)
          .flatMap((answer) => answer.rows.filter((row) => row.provider === provider));
      const [rows, pastRows] = [rowsIn(answers), past && rowsIn(past)];
      if (rows.length + (pastRows?.length ?? 0) === 0) return [];
      const identity = { key: provider, name, letter: letterOf(number), colour: colourOf(number), side };
      return [{ ...identity, ...linesOf(plan, meta, rows, pastRows) }];
    }),
  );
}

/** Builds a line per item with its best price among the shown providers. */
function itemSeries({ answers, past }: Answers, meta: Meta, { state, plan, items, providers }: Wanted): Series[] {
  const markets = new Map(providers.map(({ provider, name }) => [provider, name]));
  const isShown = ({ provider }: Row) =>
    provider === null || state.providers.length === 0 || state.providers.includes(provider);
  return sidesOf(state, items).flatMap((side) =>
    items.map((item, number) => {
      const rowsIn = (all: readonly Answer[]) => {
        const own = all.filter(({ read }) => read.side === side && read.itemId === item.item_id);
        return bestRows(
          own.flatMap((answer) => answer.rows.filter(isShown)),
          side,
        );
      };
      return {
        key: String(item.item_id),
        name: itemText(item),
        letter: letterOf(number),
        colour: colourOf(number),
        side,
        ...linesOf(plan, meta, rowsIn(answers), past && rowsIn(past)),
        markets,
      };
    }),
  );
}

/** Returns the points of a line, and the rows of the same times as known at the earlier instant. */
function linesOf(
  { resolution }: Plan,
  meta: Meta,
  rows: readonly Row[],
  pastRows: readonly Row[] | null,
): Pick<Series, "points" | "knownRows"> {
  const points = pointsOf(resolution, meta, rows);
  return pastRows === null
    ? { points }
    : { points, knownRows: pointsOf(resolution, meta, pastRows).map(({ row }) => row) };
}

/** Returns the name of an item with its phase. */
export function itemText({ market_hash_name, phase }: Pick<Item, "market_hash_name" | "phase">) {
  return phase === null ? market_hash_name : `${market_hash_name} · ${phase}`;
}

/** Returns a name without its part in brackets, cut to `length` characters. */
export function shortName(name: string, length: number) {
  const short = name.replace(/ \(.*\)$/, "");
  return short.length > length ? `${short.slice(0, length - 1).trimEnd()}…` : short;
}

/** Returns the letter of a line: A, B … Z, A2 … */
export function letterOf(number: number) {
  const round = Math.floor(number / 26);
  return String.fromCharCode(65 + (number % 26)) + (round === 0 ? "" : String(round + 1));
}

/** Returns the colour number of a line, from 1. */
export function colourOf(number: number) {
  return (number % colours) + 1;
}
