import { createDemoFile, type DemoKeys } from "../../src/demo/demo.ts";
import type { Ids } from "../../src/values/ids.ts";

/** The instant at which the examples of the contract were recorded, UTC ms. */
export const demoAt = Date.UTC(2026, 0, 15, 12);

/** Days of daily history that examples and tests look back: with a year the file would be twice as large, and each test copies it. */
const dailyDays = 60;

/** Creates the demo file that the examples of the contract show: the same ids, secrets and times in each run. */
export function createExampleFile(path: string): DemoKeys {
  return createDemoFile(path, demoAt, { ids: new CountingIds("secret"), dailyDays });
}

/** Makes identifiers by counting, so that each run gets the same ones. */
export class CountingIds implements Ids {
  #count = 0;
  readonly #tag: string;

  constructor(tag = "demo") {
    this.#tag = tag;
  }

  readonly requestId = (at: number): string => `req_${at.toString(36).padStart(9, "0")}${this.#next(17)}`;
  readonly handle = (prefix: string): string => prefix + this.#next(20);
  readonly secret = (length: number): string => this.#next(length);

  #next(length: number): string {
    this.#count += 1;
    return `${this.#tag}${this.#count.toString(36)}`.padStart(length, "0").slice(-length);
  }
}
