import type { Documented } from "../documented.ts";
import { curlSample } from "./curl.ts";
import { pythonSample } from "./python.ts";
import { typescriptSample } from "./typescript.ts";

/** A program that calls `operation` of the server at `base` (an origin) with the example values of the contract. */
type Writer = (operation: Documented, base: string) => string;

/** Languages of the samples by the ending of their files. */
export const sampleLanguages = {
  sh: { name: "curl", write: curlSample },
  ts: { name: "TypeScript", write: typescriptSample },
  py: { name: "Python", write: pythonSample },
} as const satisfies Record<string, { name: string; write: Writer }>;

export type SampleEnding = keyof typeof sampleLanguages;

export const sampleEndings = Object.keys(sampleLanguages) as SampleEnding[];

/** Returns a whole program: it takes the key from the environment, prints the answer, and ends with another code than 0 if it got none. */
export function sampleText(operation: Documented, ending: SampleEnding, base: string): string {
  return sampleLanguages[ending].write(operation, base);
}
