import { displayText } from "../values/text/display-text.ts";
import { systemClock, toTimestamp } from "../values/time/clock.ts";

/** Numeric levels, as shown in log lines. `silent` is above all others. */
const levels = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Number.POSITIVE_INFINITY } as const;

type Level = Exclude<keyof typeof levels, "silent">;

/** A sink for whole lines. Each line ends with a line feed. */
export type LogLines = { write(line: string): void };

/** One function per level. Writes the facts in their given order, then the message. */
export type Log = Readonly<Record<Level, (facts: object, message: string) => void>>;

/**
 * Creates a log that writes one JSON object per line with `level`, `time`, the facts and `msg`. Levels below `least` are skipped. With
 * `isForPeople` a line has the form `12:30:05 warn: message (fact value, …)`.
 */
export function createLog(least: string, lines: LogLines, { isForPeople = false } = {}): Log {
  const from: number = levels[least as keyof typeof levels] ?? levels.info;
  const writer =
    (level: Level): Log[Level] =>
    (facts, message) => {
      if (levels[level] < from) return;
      const time = toTimestamp(systemClock.now());
      const line = isForPeople
        ? `${time.slice(11, 19)} ${level}: ${message}${factsText(facts)}`
        : JSON.stringify({ level: levels[level], time, ...facts, msg: message });
      lines.write(`${line}\n`);
    };
  return {
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
    fatal: writer("fatal"),
  };
}

function factsText(facts: object): string {
  const texts = Object.entries(facts).map(([name, value]) => {
    return `${name} ${displayText(typeof value === "object" ? JSON.stringify(value) : String(value))}`;
  });
  return texts.length === 0 ? "" : ` (${texts.join(", ")})`;
}
