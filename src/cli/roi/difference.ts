import { isObject, type Json, NumberText, readJson } from "../../values/text/strict-json.ts";
import { jsonText } from "./answer.ts";

/** A field that was served with another value than the model gives. Both values are JSON texts. */
export type Difference = { field: string; served: string; recomputed: string };

/** Collects what differs, in the order of the questions. */
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

/** Stands for a key that is not there; no value of JSON is written like this. */
const missing = new NumberText("(missing)");

/** Returns a value of ours as a reader of JSON sees it. */
export function asJson(value: unknown): Json {
  return readJson(JSON.stringify(value));
}
