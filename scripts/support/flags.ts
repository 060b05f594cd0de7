import { type ParseArgsConfig, parseArgs } from "node:util";

/** Flags that a script does not take; the message names the flag. */
export class UsageError extends Error {}

/** Parses flags without operands. @throws {UsageError} when a flag is unknown or lacks its value. */
export function parseFlags<const Options extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]);
  }
}

/** Returns `given` if it is one of `choices`. @throws {UsageError} when it is none of them. */
export function oneOf<T extends string>(flag: string, given: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === given);
  if (found === undefined) throw new UsageError(`--${flag}: takes ${choices.join(", ")}, not \`${given}\``);
  return found;
}
