import type { Documented } from "../documented.ts";
import { curlSample } from "./curl.ts";
import { pythonSample } from "./python.ts";
import { typescriptSample } from "./typescript.ts";

/** Writes a program that calls `operation` at `base` (an origin), with the example values of the contract. */
type Writer = (operation: Documented, base: string) => string;

/** Sample languages by file extension. */
export const sampleLanguages = {
  sh: { name: "curl", write: curlSample },
  ts: { name: "TypeScript", write: typescriptSample },
  py: { name: "Python", write: pythonSample },
} as const satisfies Record<string, { name: string; write: Writer }>;

export type SampleEnding = keyof typeof sampleLanguages;

export const sampleEndings = Object.keys(sampleLanguages) as SampleEnding[];

/**
 * Returns a complete program. It reads the key from the environment, prints the response, and exits with a nonzero code after a failure.
 */
export function sampleText(operation: Documented, ending: SampleEnding, base: string): string {
  return sampleLanguages[ending].write(operation, base);
}
