import { type Call, usageError } from "./command.ts";

/** Description of the flag for guards. */
export const acceptFlag = "accept a body although it breaks these guards";

/**
 * Returns the guards in a flag, separated by commas and restricted to `names`. Returns an empty array without the flag.
 * @throws {OperatorError} for another name; it lists them.
 */
export function guardsIn<Name extends string>(call: Call, names: readonly Name[], flag = "accept"): Name[] {
  return (call.flag(flag)?.split(",") ?? []).map((name) => {
    const guard = names.find((known) => known === name);
    if (guard === undefined)
      throw usageError(`--${flag}: \`${name}\` is not a guard; the guards are ${names.join(", ")}`);
    return guard;
  });
}
