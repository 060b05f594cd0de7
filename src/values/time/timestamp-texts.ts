import { dayMs, dayOf, dayText, hourMs, minuteMs, secondMs } from "./calendar.ts";

const padded = (count: number, digits: number) =>
  Array.from({ length: count }, (_, value) => String(value).padStart(digits, "0"));
const twoDigits = padded(60, 2);
const threeDigits = padded(1000, 3);
const datesKept = 512;

/** Formats instants as `toTimestamp` and days as `dayText`, but several times faster. Caches the texts of recent days. */
export class TimestampTexts {
  readonly #days = new Array<number>(datesKept).fill(Number.NaN);
  readonly #dates = new Array<string>(datesKept).fill("");
  #lastAt = Number.NaN;
  #lastText = "";

  of(at: number): string {
    if (at !== this.#lastAt) {
      this.#lastText = this.#make(at);
      this.#lastAt = at;
    }
    return this.#lastText;
  }

  /** Returns `YYYY-MM-DD` of a day since 1970. */
  date(day: number): string {
    const place = day & (datesKept - 1);
    if (this.#days[place] !== day) {
      this.#days[place] = day;
      this.#dates[place] = dayText(day);
    }
    return this.#dates[place]!;
  }
  #make(at: number): string {
    const day = dayOf(at);
    const inDay = at - day * dayMs;
    const hours = twoDigits[Math.floor(inDay / hourMs)];
    const minutes = twoDigits[Math.floor(inDay / minuteMs) % 60];
    const seconds = twoDigits[Math.floor(inDay / secondMs) % 60];
    return `${this.date(day)}T${hours}:${minutes}:${seconds}.${threeDigits[inDay % secondMs]}Z`;
  }
}
