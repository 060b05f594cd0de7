import { existsSync, statSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Config, configFrom, defaultOf, feedPrefix, type SettingName, settings } from "../config/config.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { displayText } from "../values/text/display-text.ts";
import { perhaps } from "../values/text/suggestion.ts";

/** A flag of a command. Without `value` it is a switch. A value in brackets is optional; a value that ends in `...` may be repeated. */
type Flag = { value?: string; description: string };

/** Describes the flag of most commands that also print for programs. */
export const json = "print JSON";
/** Describes the flag of commands that show a secret. */
export const secretJson = "print JSON with the secret, even to a file";
/** Describes the flag for the address of the service, for client commands. */
export const urlFlag = "service to ask (ITEMTAPE_URL, default http://127.0.0.1:8080)";
/** Describes the flag of client commands that print rows for spreadsheets. */
export const csvFlag = "print CSV; amounts in cents, null empty";

/**
 * One line of the command table. `operands` are positional words. All are required except the ones in brackets; `...` after the last means
 * one or more.
 */
export type Command = {
  name: string;
  operands: readonly string[];
  flags: Readonly<Record<string, Flag>>;
  settings: readonly SettingName[];
  description: string;
  /** An example for the help: the words after `itemtape`. */
  example: string;
  /** Name of the command with a help that lists the settings except `mainSettings`. */
  settingsOf?: string;
  /** Hint after an unknown flag, such as ", …". */
  flagHint?: string;
  /** Returns further lines for `--help`, such as about the operands. */
  explain?(operands: readonly string[]): Promise<readonly string[]>;
  /** Resolves to the exit code; undefined means 0. */
  run(call: Call): Promise<number> | Promise<void>;
};

/** Settings of commands that use only the database file. */
export const fileSettings: readonly SettingName[] = ["db"];
const mainSettings: readonly SettingName[] = ["db", "host", "port"];
/** Settings of commands without settings, such as clients of the service. */
export const noSettings: readonly SettingName[] = [];

/**
 * A command in the list of its noun. `usage` is its name with its operands in capitals: `keys create ACCOUNT`. `flags` are descriptions by
 * the flag and its value: `name NAME`.
 */
type ListedCommand = Omit<Command, "name" | "operands" | "flags" | "settings"> & {
  usage: string;
  flags?: Readonly<Record<string, string>>;
  settings?: readonly SettingName[];
};

/** Returns the commands of a noun. Each has `settings` unless it lists its own, and only the flags that it lists. */
export function commandsOf(settings: readonly SettingName[], listed: readonly ListedCommand[]): readonly Command[] {
  return listed.map(({ usage, flags = {}, ...command }) => {
    const words = usage.split(" ");
    const operands = words.filter((word) => /[A-Z]/.test(word));
    const name = words.slice(0, words.length - operands.length).join(" ");
    const described = Object.entries(flags).map(([flag, description]): [string, Flag] => {
      const [own = "", value] = flag.split(" ");
      return [own, { description, ...(value !== undefined && { value }) }];
    });
    return { name, operands, flags: Object.fromEntries(described), settings, ...command };
  });
}

/** The arguments of a command and its outputs. */
export type Call = {
  operands: readonly string[];
  flag(name: string): string | undefined;
  /** Returns the values of a flag that may be repeated: [""] for the flag without a value, [] without the flag. */
  flags(name: string): readonly string[];
  has(name: string): boolean;
  config: Config;
  /** Returns whether a flag or variable sets the setting. */
  isGiven(name: SettingName): boolean;
  /** The key for a client of the service, which is read only from the environment. */
  apiKey: string | undefined;
  /** Address of the service if `--url` is absent. */
  url: string | undefined;
  /** Whether a flag or variable sets the level of the log. */
  isLogAsked: boolean;
  /** Environment variables with secret values that a mirror's configuration may use. */
  feedValues: Readonly<Record<string, string | undefined>>;
  out: Output;
};

export type Output = {
  line(text: string): void;
  note(text: string): void;
  isTerminal: boolean;
  /** Whether to use colours: on a terminal, unless NO_COLOR is set. */
  hasColour?: boolean;
  /** Characters per line of the terminal, if it reports them. */
  columns?: number | undefined;
  /** Asks the user one question and returns the answer. Absent without a terminal. */
  ask?(question: string): Promise<string>;
  /** Returns whether the reader of the output has gone. */
  isDisconnected?(): boolean;
  /**
   * Resolves when all lines are written. Returns the code of a failure, such as `ENOSPC`, or null after a success or if only the reader has
   * gone.
   */
  flushed?(): Promise<string | null>;
};

/** Returns the call on the demo's file, unless a database is set. */
export function onDemoFile(call: Call): Call {
  return call.isGiven("db") ? call : { ...call, config: { ...call.config, db: settings.db.fallback } };
}

/** Lists the words of a type. The argument must contain all of them, or it does not compile. */
export function wordsOf<Word extends string>(words: Record<Word, 0>): Word[] {
  return Object.keys(words) as Word[];
}

/** Builds the error of an invalid command line. */
export function usageError(message: string): OperatorError {
  return new OperatorError(message, exitCodes.usage);
}

/**
 * Returns `path` if a file exists there.
 * @throws {OperatorError} otherwise.
 */
export function existing(path: string): string {
  if (!existsSync(path)) throw new OperatorError(`${path}: the file does not exist`, exitCodes.noInput);
  return path;
}

/**
 * Returns the path of an existing file.
 * @throws {OperatorError} when it does not exist or is a folder.
 */
export function existingFile(path: string): string {
  if (!statSync(existing(path)).isDirectory()) return path;
  throw new OperatorError(`${path} is a folder; name a file in it`, exitCodes.noInput);
}

/**
 * Returns the adapter in `--adapter`, one of `names`.
 * @throws {OperatorError} for any other name; it lists them.
 */
export function adapterOf<Name extends string>(call: Call, names: readonly Name[]): Name {
  const wanted = call.flag("adapter");
  const adapter = names.find((name) => name === wanted);
  if (adapter !== undefined) return adapter;
  const meant = wanted === undefined ? "" : perhaps(wanted, names);
  throw usageError(`--adapter: must be ${names.length > 1 ? "one of " : ""}${names.join(", ")}${meant}`);
}

/**
 * Returns the whole number in a flag, null without the flag.
 * @throws {OperatorError} unless it is a whole number from `least` to `most`.
 */
export function wholeNumberFlag(call: Call, name: string, [least, most]: readonly [number, number]): number | null {
  const text = call.flag(name);
  if (text === undefined) return null;
  const value = /^(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usageError(`--${name}: must be a whole number from ${least} to ${most}, not \`${displayText(text)}\``);
}

/**
 * Returns the value of a flag.
 * @throws {OperatorError} when it is missing; `what` describes the value.
 */
export function required(call: Call, name: string, what: string): string {
  const value = call.flag(name);
  if (value === undefined || value.trim() === "") throw usageError(`--${name} is missing: name ${what}`);
  return value;
}

/** Parses a command's words strictly. An unknown flag, a missing operand or an extra one is refused by name. */
export function parseCall(
  command: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  out: Output,
): Call {
  const { values, positionals } = parseWords(command, words);
  refuseWrongCount(command, positionals);
  const given: Partial<Record<SettingName, string>> = {};
  for (const name of command.settings) {
    const value = values[settings[name].flag.slice(2)];
    if (typeof value === "string") given[name] = value;
  }
  return {
    operands: positionals,
    flag: (name) => (typeof values[name] === "string" ? values[name] : undefined),
    flags: (name) => (Array.isArray(values[name]) ? values[name] : []),
    has: (name) => values[name] === true,
    // A `PORT` variable for other programs must not affect a command that does not listen.
    config: configFrom(given, command.settings.includes("port") ? environment : { ...environment, PORT: undefined }),
    isGiven: (name) => (given[name] ?? environment[settings[name].env]) !== undefined,
    apiKey: environment.ITEMTAPE_API_KEY,
    url: environment.ITEMTAPE_URL,
    isLogAsked: (given.logLevel ?? environment[settings.logLevel.env] ?? "") !== "",
    feedValues: Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith(feedPrefix))),
    out,
  };
}

/** Returns the flags of a command, such as `--name NAME`, each with its description. */
export function describedFlags(command: Command): [flag: string, description: string][] {
  const own = Object.entries(command.flags).map(([name, { value, description }]): [string, string] => {
    return [value === undefined ? `--${name}` : `--${name} ${value}`, description];
  });
  const listed = command.settingsOf === undefined ? command.settings : mainSettings;
  const shared = listed.map((name): [string, string] => {
    const { flag, value, description, env } = settings[name];
    const fallback = defaultOf(name);
    // The guide to settings contains the other sentences.
    const short = description.split(". ")[0]!;
    return [`${flag} ${value}`, `${short} (${env}${fallback === "" ? "" : `, default ${fallback}`})`];
  });
  return [...own, ...shared];
}

/** Formats the usage of a command without its flags: `usage: npx itemtape keys create ACCOUNT` */
export function usageOf({ name, operands }: Command): string {
  return ["usage: npx itemtape", name, ...operands].join(" ");
}

/** Returns the operands among unchecked words, without the values of flags. */
export function operandsOf(command: Command, words: readonly string[]): readonly string[] {
  return parseArgs({ args: [...words], options: optionsOf(command), allowPositionals: true, strict: false })
    .positionals;
}

function refuseWrongCount(command: Command, positionals: readonly string[]): void {
  const { operands } = command;
  const missing = operands[positionals.length];
  if (missing?.startsWith("[") === false) throw usageError(`${missing} is missing; ${usageOf(command)}`);
  const extra = /\.\.\.\]?$/.test(operands.at(-1) ?? "") ? undefined : positionals[operands.length];
  if (extra !== undefined) throw usageError(`unexpected \`${extra}\`; ${usageOf(command)}`);
}

function isRepeated({ value = "" }: Flag): boolean {
  return value.endsWith("...");
}

/** Adds an empty value to a flag with an omitted optional value. */
function withEmptyValues({ flags }: Command, words: readonly string[]): string[] {
  return words.map((word, index) => {
    const next = words[index + 1];
    const isBare = word.startsWith("--") && (next === undefined || next.startsWith("-"));
    return isBare && flags[word.slice(2)]?.value?.startsWith("[") === true ? `${word}=` : word;
  });
}

function optionsOf(command: Command): NonNullable<ParseArgsConfig["options"]> {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, flag] of Object.entries(command.flags))
    options[name] = { type: flag.value === undefined ? "boolean" : "string", multiple: isRepeated(flag) };
  for (const name of command.settings) options[settings[name].flag.slice(2)] = { type: "string" };
  return options;
}

function parseWords(command: Command, words: readonly string[]) {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: withEmptyValues(command, words),
      options: optionsOf(command),
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    const names = tokens.filter((token) => token.kind === "option").map((token) => token.name);
    const isOnce = (name: string) => !isRepeated(command.flags[name] ?? { description: "" });
    const twice = names.find((name, index) => names.indexOf(name) !== index && isOnce(name));
    if (twice !== undefined) throw new Error(`--${twice} is given twice`);
    return { values: values as Record<string, string | boolean | string[] | undefined>, positionals };
  } catch (error) {
    const reason = (error as Error).message.split(/\.\s/)[0] ?? "";
    const unknown = /^Unknown option '(-[^']*)'/.exec(reason)?.[1];
    const flags = Object.keys(optionsOf(command)).map((name) => `--${name}`);
    const meant = unknown === undefined ? "" : perhaps(unknown, flags) || (command.flagHint ?? "");
    const hint = meant === "" ? `; \`npx itemtape help ${command.name}\` explains it` : meant;
    throw usageError(`${reason.charAt(0).toLowerCase()}${reason.slice(1)}${hint}`);
  }
}
