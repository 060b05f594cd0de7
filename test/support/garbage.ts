import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects garbage now, with any flags of the process. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  // Only a context that is made after the flag has the function.
  runInNewContext("gc")();
}
