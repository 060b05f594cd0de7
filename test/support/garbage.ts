import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects garbage now, whatever flags the process was started with. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  // Only a context that is made after the flag has the function.
  runInNewContext("gc")();
}
