import { displayText } from "../values/text/display-text.ts";
import type { Coverage } from "./changelog.ts";
import { breaks, type Finding, type Kind, kinds } from "./finding.ts";
import { witnessLines } from "./witness-text.ts";

/** Content of a report: the documents, the changes, and the changelog coverage of breaking changes. */
export type Review = {
  before: { name: string; version: string };
  after: { name: string; version: string };
  /** Operation ids of both documents, in document order. */
  operations: readonly string[];
  findings: readonly Located[];
  coverage: Coverage;
};

/** A finding with file and line in the new document. A removed part has the line of its enclosing part. */
type Located = Finding & { file: string; line: number };

/** Report formats, in the order of the help text. */
export const formats = ["text", "markdown", "json", "github"] as const;

export type Format = (typeof formats)[number];

/** Renders a review. */
export function render(review: Review, format: Format): string {
  return { text: toText, markdown: toMarkdown, json: toJson, github: toAnnotations }[format](review);
}

const titles: Readonly<Record<Kind, string>> = {
  breaking: "Breaking",
  "may-break": "May break",
  additive: "Additive",
  wording: "Wording only",
};
/** Places that the heading already names. */
const impliedPlaces = ["operation", "document"];
const placesShown = 3;
const operationsShown = 8;
const textCharsMax = 400;
/** A code host shows only ten annotations per step. */
const annotationsMax = 9;

/** Renders one JSON object with the documents, the number of changes per kind, the changes, and the changelog's gaps. */
function toJson({ before, after, findings, coverage }: Review): string {
  const { entries, uncovered } = coverage;
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, findings.filter((finding) => finding.kind === kind).length]),
  );
  return `${JSON.stringify({ before, after, counts, changes: findings.map(changeJson), changelog: { entries, uncovered } }, null, 2)}\n`;
}

/** Returns a change as JSON. Programs read its description from `says`. */
function changeJson({
  kind,
  rule,
  operations,
  places,
  description: says,
  before,
  after,
  file,
  line,
  witness,
}: Located) {
  return { kind, rule, operations, places, says, before, after, file, line, witness };
}

/** Renders one line per change except wording, in the style of compilers. */
function toText(review: Review): string {
  const felt = review.findings.filter(({ kind }) => kind !== "wording");
  const lines = felt.map((found) => {
    const { file, line: number, kind, operations, rule } = found;
    const head = `${file}:${number}: ${kind}: ${operationsTitle(operations)}: ${told(found)} (${rule})`;
    return [head, ...witnessLines(found).map((line) => `    ${line}`)].join("\n");
  });
  return `${[...lines, `${summaryOf(review)}.`].join("\n")}\n`;
}

/** Renders annotations for a code host: at most nine, worst first, and one with the number of further changes. */
function toAnnotations(review: Review): string {
  const felt = review.findings.filter(({ kind }) => kind !== "wording");
  const levelOf = (kind: Kind) =>
    kind === "additive" ? "notice" : review.coverage.uncovered.length > 0 ? "error" : "warning";
  const shown = felt.slice(0, annotationsMax).map((found) => {
    const title = `${titles[found.kind]}: ${operationsTitle(found.operations)}`;
    const place = `file=${property(found.file)},line=${found.line},title=${property(title)}`;
    return `::${levelOf(found.kind)} ${place}::${escaped([told(found), ...witnessLines(found)].join("\n"))}`;
  });
  const more = felt.length - shown.length;
  const rest = more > 0 ? [`::notice title=Contract::${more} more changes are in the summary`] : [];
  return `${[...shown, ...rest].join("\n")}${felt.length > 0 ? "\n" : ""}`;
}

/** Returns the description of a change with its places and values. */
function told({ description, places, before, after }: Finding): string {
  const named = places.filter((place) => !impliedPlaces.includes(place) && !description.includes(place));
  const where = named.slice(0, placesShown).join(", ");
  const values = before !== null && after !== null ? `${before} → ${after}` : "";
  return displayText([description, where, values].filter((part) => part !== "").join(" "), textCharsMax);
}

function escaped(message: string): string {
  return message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(value: string): string {
  return escaped(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function summaryOf({ findings }: Review): string {
  if (findings.length === 0) return "No change that affects clients";
  return kinds
    .map((kind) => `${titles[kind].toLowerCase()} ${findings.filter((found) => found.kind === kind).length}`)
    .join(", ");
}

/** Renders Markdown for a pull request: changes by kind, then by operation, one line each. */
function toMarkdown(review: Review): string {
  const { before, after, coverage } = review;
  const version =
    before.version === after.version
      ? `version ${text(after.version)}`
      : `${text(before.version)} → ${text(after.version)}`;
  const head = [
    `# Contract changes from ${text(before.name)} to ${text(after.name)} (${version})`,
    `${summaryOf(review)}. ${changelogLine(review)}`.trim(),
  ];
  const groups = kinds.flatMap((kind) => group(kind, review));
  return `${[...head, ...groups, ...entryWanted(after.version, coverage)].join("\n\n")}\n`;
}

function changelogLine({ findings, coverage }: Review): string {
  if (!findings.some(breaks)) return "";
  if (coverage.uncovered.length > 0) return "**The changelog lacks an entry for the breaking changes** (below).";
  return `The changelog announces it in its new ${coverage.entries.length === 1 ? "entry" : "entries"} ${coverage.entries.join(", ")}.`;
}

function group(kind: Kind, { findings, operations }: Review): string[] {
  const mine = findings.filter((finding) => finding.kind === kind);
  if (mine.length === 0) return [];
  const inOrder = mine.toSorted((a, b) => firstOf(a, operations) - firstOf(b, operations));
  const byOperations = new Map<string, Located[]>();
  for (const finding of inOrder) {
    const title = operationsTitle(finding.operations);
    byOperations.set(title, [...(byOperations.get(title) ?? []), finding]);
  }
  const parts = Array.from(byOperations, ([title, found]) => `### ${title}\n\n${found.map(line).join("\n")}`);
  return [`## ${titles[kind]} (${mine.length})`, ...parts];
}

/** Returns the sort key of a finding: the position of its first operation, or -1 for the whole document. */
function firstOf({ operations }: Finding, order: readonly string[]): number {
  return operations.length === 0 ? -1 : Math.min(...operations.map((operation) => order.indexOf(operation)));
}

function operationsTitle(operations: readonly string[]): string {
  if (operations.length === 0) return "The whole document";
  const few = operations.slice(0, operationsShown).map(text).join(", ");
  const more = operations.length - operationsShown;
  return more > 0 ? `${operations.length} operations: ${few} and ${more} more` : few;
}

function line(found: Located): string {
  const { description, places, before, after, rule, file, line: number } = found;
  const named = places.filter((place) => !impliedPlaces.includes(place) && !description.includes(place));
  const more = named.length > placesShown ? ` and ${named.length - placesShown} more` : "";
  const where = named.slice(0, placesShown).map(code).join(", ");
  const values = before !== null && after !== null ? `${code(before)} → ${code(after)}` : "";
  const rest = [where === "" ? "" : `${where}${more}`, values].filter((part) => part !== "").join(": ");
  const head = `- ${text(description)}${rest === "" ? "" : ` ${rest}`} (${text(rule)}, ${text(file)}:${number})`;
  return [head, ...witnessLines(found).map((line) => `  - ${code(line)}`)].join("\n");
}

function code(value: string): string {
  return `\`${displayText(value, textCharsMax).replaceAll("`", "'")}\``;
}

/** Renders a template of the missing changelog entry. */
function entryWanted(version: string, { uncovered, nextId }: Coverage): string[] {
  if (uncovered.length === 0) return [];
  const operations = uncovered.filter((operation) => operation !== null);
  // An empty list means the whole document.
  const list = operations.length < uncovered.length ? "[]" : `[ ${operations.map(text).join(", ")} ]`;
  const entry = [
    "x-itemtape-changelog:",
    `  - change_id: ${nextId}`,
    '    date: "YYYY-MM-DD"',
    '    revision: "YYYY-MM-DD"',
    `    contract_version: ${text(version)}`,
    "    kind: breaking",
    `    operations: ${list}`,
    "    summary: Describe the change for clients.",
  ];
  return ["## Changelog entry needed", ["```yaml", ...entry, "```"].join("\n")];
}

/** Returns text from a document as one line, without control characters or HTML. */
function text(value: string): string {
  return displayText(value, textCharsMax).replaceAll("<", "&lt;");
}
