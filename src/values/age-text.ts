import { minuteMs } from "./calendar.ts";

/** Writes an age (ms) in a few words: `18 min`, `5 h`, `3 d`. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / minuteMs));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
