import type { Clock } from "./time/clock.ts";

/** Progress of a long command. `total` is in units of work; omit it if the end is unknown. */
export type Progress = {
  phase(name: string, total?: number): void;
  /** `note` is shown after the count until the next note. */
  advance(units: number, note?: string): void;
  end(): void;
};

export const silent: Progress = { phase() {}, advance() {}, end() {} };

/** Output stream for progress. A terminal shows one line that is redrawn, other streams get plain lines. */
export type ProgressStream = { isTTY?: boolean; columns?: number; write(text: string): unknown };

const redrawMs = 100;
/** Milliseconds between two plain lines of one phase. */
const lineEveryMs = 10_000;
const barCells = 24;
/** Width of a terminal that reports no width, or 0. */
const columnsUnknown = 80;

/** Shows progress as a bar on a terminal, as plain lines elsewhere. `end` clears the bar. */
export function progressOn(stream: ProgressStream, clock: Clock): Progress {
  return stream.isTTY === true ? barOn(stream, clock) : linesOn(stream, clock);
}

/** Shows progress as a bar on a terminal, and nothing elsewhere. */
export function barOnTerminal(stream: ProgressStream, clock: Clock): Progress {
  return stream.isTTY === true ? barOn(stream, clock) : silent;
}

function linesOn(stream: ProgressStream, clock: Clock): Progress {
  let name = "";
  let total: number | undefined;
  let done = 0;
  let writtenMs = 0;
  return {
    phase(next, units) {
      if (next !== name) stream.write(units === undefined ? `${next}\n` : `${next}: ${units}\n`);
      if (next !== name || units !== total) done = 0;
      name = next;
      total = units;
      writtenMs = clock.monotonicMs();
    },
    advance(units, note) {
      done += units;
      if (total === undefined || clock.monotonicMs() - writtenMs < lineEveryMs) return;
      writtenMs = clock.monotonicMs();
      stream.write(`${name}: ${done}/${total}${note === undefined ? "" : `, ${note}`}\n`);
    },
    end() {},
  };
}

function barOn(stream: ProgressStream, clock: Clock): Progress {
  let name = "";
  let total: number | undefined;
  let done = 0;
  let noted = "";
  let drawnMs = Number.NEGATIVE_INFINITY;
  const draw = () => {
    drawnMs = clock.monotonicMs();
    const line = total === undefined ? `${name} …` : `${name} ${bar(done, total)} ${done}/${total}${noted}`;
    stream.write(`\r\u001b[2K${line.slice(0, Math.max(1, (stream.columns || columnsUnknown) - 1))}`);
  };
  return {
    phase(next, units) {
      if (next === name && units === total) return;
      name = next;
      total = units;
      done = 0;
      noted = "";
      draw();
    },
    advance(units, note) {
      done += units;
      if (note !== undefined) noted = `, ${note}`;
      if (clock.monotonicMs() - drawnMs >= redrawMs || done === total) draw();
    },
    end: () => void stream.write("\r\u001b[2K"),
  };
}

function bar(done: number, total: number): string {
  const cells = Math.round((Math.min(done, total) / Math.max(1, total)) * barCells);
  return `[${"#".repeat(cells)}${"-".repeat(barCells - cells)}]`;
}
