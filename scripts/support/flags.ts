import { type ParseArgsConfig, parseArgs } from "node:util";

/** Reports invalid flags of a script. The message names the flag, or is "" if the user requested the usage. */
export class UsageError extends Error {}

/** Prints the usage, after the fault of the flags if any. Returns the exit code. */
export function printUsage({ message }: UsageError, usage: string): number {
  if (message === "") process.stdout.write(`${usage}\n`);
  else process.stderr.write(`${message}\n${usage}\n`);
  return message === "" ? 0 : 2;
}

/** Parses the program's flags and operands. Ends the program with the usage if they are wrong or help is requested. */
export function parseWordsOrExit<const Options extends NonNullable<ParseArgsConfig["options"]>>(
  options: Options,
  usage: string,
) {
  return orExit(usage, () => parse({ args: process.argv.slice(2), options, allowPositionals: true, strict: true }));
}

/** Returns the result of `read`, or ends the program with the usage if it throws a UsageError. */
export function orExit<T>(usage: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.exit(printUsage(error, usage));
  }
}

/**
 * Parses flags without operands.
 * @throws {UsageError} when a flag is unknown or lacks its value, or help is requested.
 */
export function parseFlags<const Options extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: Options,
) {
  return parse({ args: [...args], options, strict: true }).values;
}

function parse<const Config extends ParseArgsConfig & { args: string[] }>(config: Config) {
  if (config.args.includes("--help") || config.args.includes("-h")) throw new UsageError("");
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]);
  }
}

/** Parses the flags of the long run `name`. Ends the program with a list of them if one is wrong or help is requested. */
export function parseLongRunOrExit<const Options extends NonNullable<ParseArgsConfig["options"]>>(
  name: string,
  options: Options,
) {
  const flags = Object.entries(options).map(([flag, { type, default: value }]) => {
    const given = Array.isArray(value) || value === undefined ? "…" : value;
    return type === "boolean" ? `[--${flag}]` : `[--${flag} ${given}]`;
  });
  const usage = ["usage: npm test -- --long", name, ...flags].join(" ");
  return orExit(usage, () => parseFlags(process.argv.slice(2), options));
}

/**
 * Returns `given` if it is one of `choices`.
 * @throws {UsageError} otherwise.
 */
export function oneOf<T extends string>(flag: string, given: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === given);
  if (found === undefined) throw new UsageError(`--${flag}: must be ${choices.join(", ")}, not \`${given}\``);
  return found;
}
