import { clientOperations } from "../../generated/client-operations.ts";
import { releaseName } from "../config/release.ts";
import { StoreRefusal } from "../store/file/refusal.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { displayText } from "../values/text/display-text.ts";
import { nearestOf, perhaps } from "../values/text/suggestion.ts";
import { accountCommands } from "./accounts.ts";
import { type Command, type Output, operandsOf, parseCall, usageError } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { contractCommands } from "./contract.ts";
import { datasetCommands } from "./dataset/commands.ts";
import { databaseCommands } from "./db/commands.ts";
import { doctorCommands } from "./doctor/commands.ts";
import { exportCommands } from "./export/commands.ts";
import { feedCommands } from "./feeds.ts";
import { findCommands } from "./find/commands.ts";
import { getCommands } from "./get/commands.ts";
import { type CommandGroup, commandRows, explanation, overview } from "./help.ts";
import { importCommands } from "./import.ts";
import { indexCommands } from "./indexes.ts";
import { keyCommands } from "./keys.ts";
import { kitCommands } from "./kit.ts";
import { agentCommands } from "./mcp.ts";
import { mirrorCommands } from "./mirror.ts";
import { openableCommands } from "./openables/commands.ts";
import { portfolioCommands } from "./portfolios/commands.ts";
import { displayLines, wantsColour } from "./print.ts";
import { privateCommands } from "./private.ts";
import { providerCommands } from "./providers.ts";
import { releaseCommands } from "./releases.ts";
import { historyCommands } from "./retract.ts";
import { roiCommands } from "./roi/commands.ts";
import { sandboxCommands } from "./sandbox.ts";
import { serveCommands } from "./serve.ts";
import { serviceCommands } from "./service-unit.ts";
import { signInCommands } from "./sign-in.ts";
import { Stopped } from "./signals.ts";
import { syncCommands } from "./sync/commands.ts";

/** The commands of `itemtape help`, by purpose. Each loads its code when called. */
const groups: readonly CommandGroup[] = [
  ["serve the market", [...serveCommands, ...doctorCommands, ...serviceCommands, ...mirrorCommands]],
  // `feeds drop` follows `import quotes`.
  ["bring data in", importCommands.toSpliced(2, 0, ...feedCommands, ...historyCommands, ...providerCommands)],
  ["define indexes", indexCommands],
  ["containers and their returns", [...openableCommands, ...roiCommands]],
  ["portfolios", portfolioCommands],
  ["accounts and keys", [...signInCommands, ...accountCommands, ...keyCommands, ...privateCommands]],
  ["the file", databaseCommands],
  ["copies of the market for others", [...releaseCommands, ...datasetCommands]],
  [
    "ask a server, with a key or without",
    [...findCommands, ...getCommands, ...exportCommands, ...syncCommands, ...agentCommands],
  ],
  ["test a client", [...sandboxCommands, ...kitCommands, ...contractCommands]],
  ["the shell", [completionCommand(() => commands)]],
];

/** All commands in the order of `itemtape help`. */
export const commands: readonly Command[] = groups.flatMap(([, ofGroup]) => ofGroup);

const helpWords: ReadonlySet<string> = new Set(["help", "--help", "-h"]);
const versionWords: ReadonlySet<string> = new Set(["--version", "-v", "version"]);

/** Runs one command line. Returns the exit code. Each failure that the operator can fix is one line on standard error. */
export async function main(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  given: Output = terminal(environment),
): Promise<number> {
  // Notes are sanitized, because messages repeat arguments and paths.
  const out = { ...given, note: (text: string) => given.note(displayLines(text)) };
  const code = await runWords(words, environment, out);
  const fault = (await out.flushed?.()) ?? null;
  if (fault === null) return code;
  out.note(`itemtape: standard output cannot be written (${fault}); the command's changes stay`);
  return code === exitCodes.ok ? exitCodes.ioError : code;
}

async function runWords(words: readonly string[], environment: NodeJS.ProcessEnv, out: Output): Promise<number> {
  let database = "";
  const print = (lines: readonly string[]) => {
    for (const line of lines) out.line(line);
  };
  try {
    if (versionWords.has(words[0] ?? "")) {
      out.line(`itemtape ${releaseName()}`);
      return exitCodes.ok;
    }
    const asksHelp = helpWords.has(words[0] ?? "");
    const wanted = asksHelp ? words.slice(1) : words;
    if (wanted.length === 0 || (asksHelp && helpWords.has(wanted[0]!))) {
      print(overview(groups, out));
      return asksHelp ? exitCodes.ok : exitCodes.usage;
    }
    const asksFamily = asksHelp ? wanted.length === 1 : wanted.length === 2 && helpWords.has(wanted[1]!);
    const family = asksFamily ? familyOf(wanted[0]!) : [];
    if (family.length > 0) {
      print(commandRows(family, commands, out));
      return exitCodes.ok;
    }
    const command = find(wanted);
    const rest = wanted.slice(command.name.split(" ").length);
    if (asksHelp || rest.includes("--help") || rest.includes("-h")) {
      print(explanation(command, commands, out));
      print((await command.explain?.(operandsOf(command, rest))) ?? []);
      return exitCodes.ok;
    }
    const call = parseCall(command, rest, environment, out);
    database = call.config.db;
    return (await command.run(call)) ?? exitCodes.ok;
  } catch (thrown) {
    // SQLite and file-system errors are reported as such, not as unexpected failures.
    const error = StoreRefusal.from((thrown as NodeJS.ErrnoException | null)?.path ?? database, thrown);
    if (error instanceof OperatorError || error instanceof StoreRefusal) {
      out.note(`itemtape: ${error.message}`);
      return error.exitCode;
    }
    const absent = absentPackage(thrown);
    if (absent !== null) {
      out.note(`itemtape: the package ${absent} is not installed; run \`npm ci\` in the checkout`);
      return exitCodes.unavailable;
    }
    out.note(`itemtape: unexpected failure: ${(error as Error).stack ?? String(error)}`);
    return exitCodes.unexpected;
  }
}

/** Returns the name of a package that this checkout lacks, null for any other error. */
function absentPackage(thrown: unknown): string | null {
  const { code, message = "" } = (thrown ?? {}) as NodeJS.ErrnoException;
  if (code !== "MODULE_NOT_FOUND" && code !== "ERR_MODULE_NOT_FOUND") return null;
  return /^Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w.-]+)/.exec(message)?.[1] ?? null;
}

function terminal(environment: NodeJS.ProcessEnv): Output {
  const { stdout, stderr } = process;
  let fault: string | null = null;
  let isUsed = false;
  const hasRed = wantsColour(stderr, environment);
  // An unhandled error of a closed output would end the program at once and leave unfinished files, so the work continues to its end.
  stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    fault ??= code ?? message;
  });
  // An error of standard error cannot be reported.
  stderr.on("error", () => undefined);
  return {
    line: (text) => {
      isUsed = true;
      stdout.write(`${text}\n`);
    },
    note: (text) => void stderr.write(`${hasRed ? text.replace(/^itemtape:/, "\u001b[31m$&\u001b[39m") : text}\n`),
    isTerminal: stdout.isTTY === true,
    hasColour: wantsColour(stdout, environment),
    columns: stdout.columns,
    ...(process.stdin.isTTY === true && stderr.isTTY === true && { ask: askPerson }),
    isDisconnected: () => fault !== null,
    flushed: async () => {
      if (isUsed) await new Promise((resolve) => stdout.write("", resolve));
      // The reader has gone, as after `| head -1`, so the exit code stays unchanged.
      return fault === "EPIPE" ? null : fault;
    },
  };
}

/**
 * Asks on standard error, which is not the output of the command. An end of the input is an empty answer.
 * @throws {Stopped} on Ctrl+C.
 */
async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve, reject) => {
    lines.once("SIGINT", () => reject(new Stopped("SIGINT")));
    lines.once("close", () => resolve(""));
  });
  return Promise.race([lines.question(question), ended]).finally(() => lines.close());
}

/** Returns the two-word commands that begin with `word`. The list is empty if `word` is itself a command. */
function familyOf(word: string): readonly Command[] {
  if (commands.some(({ name }) => name === word)) return [];
  return commands.filter(({ name }) => name.startsWith(`${word} `));
}

function find(words: readonly string[]): Command {
  const found = commands.find((command) => command.name.split(" ").every((word, index) => words[index] === word));
  if (found !== undefined) return found;
  const family = familyOf(words[0]!);
  if (family.length > 0) {
    const seconds = family.map(({ name }) => name.split(" ")[1]!);
    const meant = words[1] === undefined ? "" : perhaps(words[1], seconds);
    throw usageError(`\`${words[0]}\` needs one of: ${seconds.join(", ")}${meant}`);
  }
  const firsts = [...new Set(commands.map((command) => command.name.split(" ")[0]!))];
  const meant = nearestOf(words[0]!, [...firsts, "help", "--help", "--version", ...Object.keys(clientOperations)]);
  const typed = meant !== null && Object.hasOwn(clientOperations, meant) ? `get ${meant}` : meant;
  const hint = typed === null ? "" : `, perhaps \`${typed}\``;
  throw usageError(`unknown command \`${displayText(words[0]!)}\`${hint}; \`npx itemtape help\` lists them`);
}
