import type { ExportProgress } from "../../client/index.ts";
import { secondMs } from "../../values/calendar.ts";
import type { Clock } from "../../values/clock.ts";
import type { ProgressStream } from "../../values/progress.ts";

export type ExportLines = { draw(progress: ExportProgress): void; end(): void };

const redrawMs = 100;
const lineMs = 10 * secondMs;
const barCells = 20;
const columnsUnknown = 80;

/**
 * Shows how far an export is, on a terminal as a line that moves, elsewhere as a line now and then. The number of items is not
 * known before the end: the bar shows how far the item ids are. What matters stands first, for narrow terminals.
 */
export function exportProgress(stream: ProgressStream, clock: Clock): ExportLines {
  const isTerminal = stream.isTTY === true;
  let shownMs: number | null = null;
  return {
    draw: (progress) => {
      const nowMs = clock.monotonicMs();
      if (shownMs !== null && nowMs - shownMs < (isTerminal ? redrawMs : lineMs)) return;
      if (isTerminal) stream.write(`\r\u001b[2K${barOf(progress).slice(0, (stream.columns || columnsUnknown) - 1)}`);
      else stream.write(shownMs === null ? "exporting\n" : `exporting: ${soFar(progress)}\n`);
      shownMs = nowMs;
    },
    end: () => {
      if (isTerminal) stream.write("\r\u001b[2K");
    },
  };
}

function barOf(progress: ExportProgress): string {
  const cells = Math.round((Math.min(progress.itemId, progress.upTo) / Math.max(1, progress.upTo)) * barCells);
  return `${soFar(progress)} [${"#".repeat(cells)}${"-".repeat(barCells - cells)}]`;
}

function soFar({ items, bytes }: ExportProgress): string {
  return `${items} items ${megabytes(bytes)}`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
