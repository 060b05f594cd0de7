import { isObject, type Json, NumberText, readJson } from "../../values/text/strict-json.ts";
import { jsonText } from "./answer.ts";

/** A field with another served value than the model's. Both values are JSON texts. */
export type Difference = { field: string; served: string; recomputed: string };

/** Collects differences in the order of the comparisons. */
export class Differences {
  readonly list: Difference[] = [];

  /** Compares two values as JSON. */
  compare(field: string, served: unknown, recomputed: unknown): void {
    this.compareTexts(field, JSON.stringify(served), JSON.stringify(recomputed));
  }

  /** Compares two records byte by byte: fields by name, then the order of the keys. Lists are one value. */
  compareJson(field: string, served: Json, recomputed: Json): void {
    if (!isObject(served) || !isObject(recomputed)) {
      this.compareTexts(field, jsonText(served), jsonText(recomputed));
      return;
    }
    const before = this.list.length;
    for (const key of new Set([...served.keys(), ...recomputed.keys()])) {
      this.compareJson(`${field}.${key}`, served.get(key) ?? missing, recomputed.get(key) ?? missing);
    }
    if (this.list.length > before) return;
    this.compareTexts(`${field} (order)`, JSON.stringify([...served.keys()]), JSON.stringify([...recomputed.keys()]));
  }

  compareTexts(field: string, served: string, recomputed: string): void {
    if (served !== recomputed) this.list.push({ field, served, recomputed });
  }
}

/** Represents a missing key. No JSON value has this text. */
const missing = new NumberText("(missing)");

/** Returns a computed value as a JSON reader would parse it. */
export function asJson(value: unknown): Json {
  return readJson(JSON.stringify(value));
}
