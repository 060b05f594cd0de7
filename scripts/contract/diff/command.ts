import { parseArgs } from "node:util";
import { exitCodes, OperatorError } from "../../../src/values/failure/operator-error.ts";
import { displayText } from "../../../src/values/text/display-text.ts";
import { type Node, node, operationsOf } from "../document.ts";
import { coverageOf } from "./changelog.ts";
import { compareDocuments } from "./compare.ts";
import { type Review, toJson, toMarkdown } from "./report.ts";
import { readSource, readWorkingTree, type Source } from "./source.ts";

/** The output of the command and its exit code: 1 when a breaking change has no changelog entry. */
export type Outcome = { stdout: string; stderr: string; exitCode: number };

export const usage = `usage: npm run --silent contract:diff -- <git revision or file> [<file>] [--json]

Lists what differs for a client between the openapi.yaml of a git revision (or another document, YAML or JSON) and the
one of the working tree (or a second document): breaking, additive or wording only. Markdown, or JSON with --json.

exit codes: 0 nothing breaks, or the new document's x-itemtape-changelog has a new entry of kind breaking that names
each operation touched ([] for all); 1 something breaks without such an entry; 64 usage; 65 not a document that can be
compared; 66 no such file or revision; 70 a fault of the command itself
`;

/** Exit code of sysexits. Never 1, which means that something breaks. */
export const softwareFault = 70;

/** Runs the command with its operands and flags. Whatever the operator can mend comes back as a line on stderr. */
export function contractDiff(args: readonly string[]): Outcome {
  return guarded(() => {
    const call = parseCall(args);
    if (call === "help") return { stdout: usage, stderr: "", exitCode: exitCodes.ok };
    const before = readSource(call.before);
    const after = call.after === undefined ? readWorkingTree() : readSource(call.after);
    return concluded(review(before, after), call.json);
  });
}

/** Returns the outcome of `run`. Whatever it throws becomes a line on stderr and an exit code that no comparison has. */
export function guarded(run: () => Outcome): Outcome {
  const failed = (message: string, exitCode: number) => ({
    stdout: "",
    stderr: `contract:diff: ${message}\n`,
    exitCode,
  });
  try {
    return run();
  } catch (error) {
    if (error instanceof OperatorError) return failed(error.message, error.exitCode);
    // The stack: only as deep as a document is nested.
    if (error instanceof RangeError)
      return failed(`a document is nested too deeply (${error.message})`, exitCodes.badData);
    return failed(`unexpected fault: ${displayText(String(error))}`, softwareFault);
  }
}

type Call = { before: string; after: string | undefined; json: boolean };

function parseCall(args: readonly string[]): Call | "help" {
  const options = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  const { positionals, values, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "option" && !(token.name in options))
      throw misuse(`${displayText(token.rawName)}: unknown flag`);
    if (token.kind === "option" && token.value !== undefined) throw misuse(`${token.rawName}: takes no value`);
  }
  if (values.help === true) return "help";
  const [before, after, ...more] = positionals;
  if (before === undefined) throw misuse("what to compare with is missing: give a git revision or a file");
  if (more.length > 0) throw misuse(`${displayText(more.join(" "))}: at most two documents are compared`);
  return { before, after, json: values.json === true };
}

function misuse(message: string): OperatorError {
  return new OperatorError(`${message}; npm run contract:diff -- --help shows the usage`, exitCodes.usage);
}

/** Compares two documents that were found valid. */
function review(before: Source, after: Source): Review {
  const comparison = compareDocuments(before.document, after.document);
  const ids = [before, after].flatMap(({ document }) => operationsOf(document).map(({ id }) => id));
  return {
    before: { name: before.name, version: versionOf(before.document) },
    after: { name: after.name, version: versionOf(after.document) },
    operations: [...new Set(ids)],
    findings: comparison.findings,
    coverage: coverageOf(before.document, after.document, comparison),
  };
}

function versionOf(document: Node): string {
  return String(node(document.info).version);
}

function concluded(found: Review, json: boolean): Outcome {
  const stdout = json ? toJson(found) : toMarkdown(found);
  const { uncovered, nextId } = found.coverage;
  if (uncovered.length === 0) return { stdout, stderr: "", exitCode: exitCodes.ok };
  const named = uncovered
    .map((operation) => operation ?? "the whole document")
    .map((name) => displayText(name))
    .join(", ");
  const fix = `add entry ${nextId} of kind breaking to x-itemtape-changelog`;
  return { stdout, stderr: `contract:diff: breaking without a changelog entry: ${named}; ${fix}\n`, exitCode: 1 };
}
