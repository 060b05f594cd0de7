import { Failure } from "../../src/values/failure/failure.ts";

/** Returns the code of the failure that the work throws, or null if it throws none. */
export function codeOf(work: () => unknown): string | null {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return null;
}
