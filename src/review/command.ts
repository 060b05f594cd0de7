import { parseArgs } from "node:util";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { isBuilt } from "../values/root.ts";
import { displayText } from "../values/text/display-text.ts";
import { coverageOf } from "./changelog.ts";
import { compareDocuments } from "./compare.ts";
import { type Node, node, operationsOf } from "./document.ts";
import type { Finding } from "./finding.ts";
import { type Format, formats, type Review, render } from "./report.ts";
import { readSource, readWorkingTree, type Source } from "./source.ts";

/** Output and exit code of the command. Exit code 1 means that a breaking change has no changelog entry. */
export type Outcome = { stdout: string; stderr: string; exitCode: number };

/** Usage of `npm run contract:diff` and of the single-file build. */
export const usage = `usage: ${isBuilt ? "node contract-diff.mjs" : "npm run --silent contract:diff --"} OLD [NEW] [--format markdown|text|json|github] [--json]

Lists the differences between two documents for clients: breaking, additive or wording only. OLD and NEW are each a YAML
or JSON file, an address, a git revision, or revision=YYYY-MM-DD; NEW is openapi.yaml of the working tree by default.

exit codes: 0 nothing breaks, or the new document's x-itemtape-changelog has a new entry of kind breaking that names
each operation touched ([] for all); 1 something breaks without such an entry; 64 usage; 65 not a document that can be
compared; 66 no such file, address or revision; 70 a fault of the command itself
`;

/** Exit code of sysexits for internal errors. It is never 1, which reports a breaking change. */
export const softwareFault = 70;

/** Runs the command with its operands and flags. An error that the operator can fix becomes one line on stderr. */
export function contractDiff(args: readonly string[]): Promise<Outcome> {
  return guarded(async () => {
    const call = parseCall(args);
    if (call === "help") return { stdout: usage, stderr: "", exitCode: exitCodes.ok };
    const { stdout, missing } = await reviewed(call);
    if (missing === null) return { stdout, stderr: "", exitCode: exitCodes.ok };
    return { stdout, stderr: `contract:diff: ${missing}\n`, exitCode: exitCodes.unexpected };
  });
}

/** Resolves to the outcome of `run`. An error becomes a line on stderr and an exit code that comparisons never use. */
export async function guarded(run: () => Promise<Outcome>): Promise<Outcome> {
  const failed = (message: string, exitCode: number) => ({
    stdout: "",
    stderr: `contract:diff: ${message}\n`,
    exitCode,
  });
  try {
    return await run();
  } catch (error) {
    if (error instanceof OperatorError) return failed(error.message, error.exitCode);
    return failed(`unexpected fault: ${displayText(String(error))}`, softwareFault);
  }
}

/** Names of the two documents and the report format. `after` is null for the working tree. */
type Comparing = { before: string; after: string | null; format: Format };

/**
 * Compares two documents. Resolves to the report and the missing changelog entry, which is null if none is missing.
 * @throws {OperatorError} if a document cannot be read or compared.
 */
export async function reviewed(call: Comparing): Promise<{ stdout: string; missing: string | null }> {
  try {
    const before = await readSource(call.before);
    const after = call.after === null ? readWorkingTree() : await readSource(call.after);
    const found = review(before, after);
    return { stdout: render(found, call.format), missing: missingOf(found) };
  } catch (error) {
    // Stack overflow: the recursion follows the nesting of a document.
    if (error instanceof RangeError) throw new OperatorError(`a document is nested too deeply (${error.message})`);
    throw error;
  }
}

function parseCall(args: readonly string[]): Comparing | "help" {
  const options = {
    format: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const;
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
    if (token.kind === "option" && token.name !== "format" && token.value !== undefined)
      throw misuse(`${token.rawName}: accepts no value`);
  }
  if (values.help === true) return "help";
  const [before, after = null, ...more] = positionals;
  if (before === undefined) throw misuse("the document to compare with is missing: give a git revision or a file");
  if (more.length > 0) throw misuse(`${displayText(more.join(" "))}: at most two documents are compared`);
  return { before, after, format: values.json === true ? "json" : formatOf(values.format ?? "markdown") };
}

/**
 * Returns the format with this name.
 * @throws {OperatorError} for an unknown name.
 */
export function formatOf(name: unknown): Format {
  const format = formats.find((known) => known === name);
  if (format === undefined) throw misuse(`--format: must be one of ${formats.join(", ")}`);
  return format;
}

function misuse(message: string): OperatorError {
  return new OperatorError(`${message}; --help shows the usage`, exitCodes.usage);
}

/** Compares two documents that passed validation. */
function review(before: Source, after: Source): Review {
  const comparison = compareDocuments(before.document, after.document);
  const ids = [before, after].flatMap(({ document }) => operationsOf(document).map(({ id }) => id));
  return {
    before: { name: before.name, version: versionOf(before.document) },
    after: { name: after.name, version: versionOf(after.document) },
    operations: [...new Set(ids)],
    findings: comparison.findings.map((found) => ({
      ...found,
      ...placeOf(found, { before, after }, comparison.renamed),
    })),
    coverage: coverageOf(before.document, after.document, comparison),
  };
}

/** Returns file and line of a change. A document at a URL has no lines to show, so the other document is used. */
function placeOf({ spots: [spot] }: Finding, { before, after }: Sources, renamed: ReadonlyMap<string, string>) {
  const { operation, path, newPath = path } = spot ?? { operation: null, path: [] };
  if (after.isAddress) return { file: before.file, line: before.lineOf({ operation, path }) };
  const id = operation === null ? null : (renamed.get(operation) ?? operation);
  return { file: after.file, line: after.lineOf({ operation: id, path: newPath }) };
}

type Sources = { before: Source; after: Source };

function versionOf(document: Node): string {
  return String(node(document.info).version);
}

function missingOf({ coverage: { uncovered, nextId } }: Review): string | null {
  if (uncovered.length === 0) return null;
  const named = uncovered
    .map((operation) => operation ?? "the whole document")
    .map((name) => displayText(name))
    .join(", ");
  const fix = `add entry ${nextId} of kind breaking to x-itemtape-changelog`;
  return `breaking without a changelog entry: ${named}; ${fix}`;
}
