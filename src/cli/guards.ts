import type { GuardName } from "../import/quotes/guards.ts";
import { type Call, usageError } from "./command.ts";

/**
 * Returns the guards that a flag names, separated by commas; none where it is not given.
 * @throws {OperatorError} for a name that no guard has; it lists them.
 */
export async function guardsOf(call: Call, flag: string): Promise<GuardName[]> {
  const written = call.flag(flag);
  if (written === undefined) return [];
  const { guardNames } = await import("../import/quotes/guards.ts");
  return written.split(",").map((name) => {
    const guard = guardNames.find((known) => known === name);
    if (guard === undefined) throw usageError(`--${flag}: \`${name}\` is no guard; there are ${guardNames.join(", ")}`);
    return guard;
  });
}
