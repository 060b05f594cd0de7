import { type Classification, classifyBelowSchema, type Pair } from "./classify-schema.ts";
import type { Difference } from "./differences.ts";
import { isNode, node } from "./document.ts";
import type { Finding, Verdict } from "./finding.ts";
import { at } from "./schema-path.ts";
import { noteVerdict, presence, requirement, unknownVerdict, verdict, wording } from "./verdict.ts";

/** Number of path steps from an operation to the content of a response schema. */
const belowSchema = 5;
const problemType = "application/problem+json";
const newCodeRule = "problem-code";
/** Headers for caches. A cache obeys the header of each response, not the document. */
const cacheHeaders = ["vary", "cache-control"];

/** Classifies a difference of a response. */
export function classifyResponse(difference: Difference, pair: Pair): Classification {
  const [, status = "", keyword, name = "", ...rest] = difference.path;
  const { before, after } = difference;
  const place = `response ${status}`;
  if (keyword === undefined) return { place, verdicts: [classifyStatus(status, after, pair)] };
  if (keyword === "notes") return { place, verdicts: [noteVerdict(name, before, after)] };
  if (keyword === "headers") return classifyHeader(difference, pair, `${place} header ${name}`);
  if (keyword !== "content") return { place, verdicts: [unknownVerdict(name === "" ? keyword : name, before, after)] };
  const [part, note = ""] = rest;
  if (part === "schema") return classifyContent(difference, pair, place);
  if (part === "notes") return { place, verdicts: [classifyExample(difference, pair, note)] };
  if (part !== undefined) return { place, verdicts: [unknownVerdict(note, before, after)] };
  const texts = { came: `Answers may be ${name}, too.`, gone: `Answers are ${name} no longer.` };
  const found = presence("media-type", name, after !== undefined, texts);
  return { place, verdicts: [status.startsWith("2") ? found : { ...found, kind: "additive" }] };
}

/** Clients treat an unknown 4xx as 400 and an unknown 5xx as 500, but may depend on a removed status. */
function classifyStatus(status: string, after: unknown, pair: Pair): Verdict {
  if (after === undefined) {
    const description = `The answer ${status} was removed; its content moved to another answer or was removed.`;
    return verdict("response-removed", status.startsWith("2"), description, status, undefined);
  }
  const rule = "response-added";
  const [asked, asks] = [pair.before, pair.after].map(({ tree }) => "header if-none-match" in node(tree.parameters));
  if (status === "304" && asked === false && asks === true) {
    const description = "A request with If-None-Match may be answered with 304.";
    return verdict(rule, false, description, undefined, status);
  }
  const isFailure = /^[45]/.test(status);
  const description = isFailure
    ? `It may now be refused with ${status}; a client treats an unknown one like ${status[0]}00.`
    : `It may now be answered with ${status}, which clients of the old contract treat as a failure.`;
  return verdict(rule, !isFailure, description, undefined, status);
}

function classifyHeader(difference: Difference, pair: Pair, place: string): Classification {
  const [, , , name = "", keyword, note = ""] = difference.path;
  const { before, after } = difference;
  if (keyword === undefined) return { place, verdicts: [classifyWholeHeader(name, before, after)] };
  if (keyword === "notes") return { place, verdicts: [noteVerdict(note, before, after)] };
  if (keyword === "required") {
    const description =
      after === true ? `Answers always have the header ${name} now.` : `Answers may now lack the header ${name}.`;
    const found = verdict("header-required", after !== true, description, requirement(before), requirement(after));
    return { place, verdicts: [found] };
  }
  if (keyword !== "schema") return { place, verdicts: [unknownVerdict(note === "" ? keyword : note, before, after)] };
  const classification = classifyBelowSchema(difference, pair, "response", place);
  if (!cacheHeaders.includes(name)) return classification;
  const description = `The documented ${name} differs; caches obey the header of each answer.`;
  const verdicts = classification.verdicts.map((found): Verdict => {
    return found.kind === "wording" ? found : { ...found, kind: "additive", description };
  });
  return { place, verdicts };
}

function classifyWholeHeader(name: string, before: unknown, after: unknown): Verdict {
  if (after === undefined)
    return verdict(
      "header-removed",
      node(before).required === true,
      `Answers no longer have the header ${name}.`,
      before,
      after,
    );
  return verdict("header-added", false, `Answers now have the header ${name}.`, before, after);
}

/**
 * Classifies a difference of a response schema. New problem codes and larger pages are exceptions, because they only reach clients that ask
 * for them.
 */
function classifyContent(difference: Difference, pair: Pair, place: string): Classification {
  const classification = classifyBelowSchema(difference, pair, "response", place);
  const verdicts = classification.verdicts.map((found): Verdict => {
    if (isNewCode(difference, found)) return classifyNewCode(found, difference, pair);
    return isLargerPage(found, difference, pair) ? { ...found, kind: "additive", description: largerPage } : found;
  });
  return { ...classification, verdicts };
}

const largerPage = "Pages may be longer for requests with a larger limit; other requests are unaffected.";

/** A page is the list `data` of a response. It grows only with the parameter `limit`; other lists do not. */
function isLargerPage(found: Verdict, difference: Difference, pair: Pair): boolean {
  const isPage = difference.path.slice(belowSchema).join("/") === "properties/data/maxItems";
  if (!isPage || found.kind !== "breaking") return false;
  const limitOf = ({ tree }: Pair["before"]) => node(at(tree, ["parameters", "query limit", "schema"]));
  const [old, now] = [limitOf(pair.before), limitOf(pair.after)];
  // The limit must bound the page in both contracts.
  const isKept = typeof old.maximum === "number" && old.maximum <= Number(difference.before);
  const isWithin = isKept && typeof now.maximum === "number" && now.maximum <= Number(difference.after);
  return isWithin && old.default === now.default;
}

/** Drops the document-wide finding about a problem code if some operation shows the code. */
export function withoutContradictions(findings: readonly Finding[]): Finding[] {
  const mine = findings.filter(({ rule, operations }) => rule === newCodeRule && operations.length > 0);
  const given = new Set(mine.map(({ after }) => after));
  return findings.filter(({ rule, operations, after }) => {
    return rule !== newCodeRule || operations.length > 0 || !given.has(after);
  });
}

function isNewCode(difference: Difference, found: Verdict): boolean {
  const isCode = /properties,code,(values|open)$/.test(difference.path.join());
  return isCode && difference.path[3] === problemType && found.before === null;
}

/**
 * All operations share one list of problem codes, which grows with each new code. An operation returns the codes in its examples, so a new
 * code only reaches clients there.
 */
function classifyNewCode(found: Verdict, difference: Difference, pair: Pair): Verdict {
  const code = String(found.after).replaceAll('"', "");
  const rule = newCodeRule;
  const shown = codesOf(pair.after.tree, String(difference.path[1]));
  if (shown.length === 0 || shown.includes(code)) return { ...found, rule };
  const description = `The list of problem codes has \`${code}\`; no example of an earlier answer shows it.`;
  return { ...found, kind: "additive", description, rule, isOfDocument: true };
}

/** Returns the problem codes in the examples of a response. */
function codesOf(tree: unknown, status: string): string[] {
  const notes = node(at(tree, ["responses", status, "content", problemType, "notes"]));
  return Object.entries(notes).map(([note, example]) => codeOf(note, example));
}

/** Returns the problem code of an example. One of several examples has its content in `value`; a single example is the content itself. */
function codeOf(note: string, example: unknown): string {
  const written: unknown = typeof example === "string" && example.startsWith("{") ? JSON.parse(example) : {};
  const value = note === "example" ? written : node(written).value;
  return isNode(value) ? String(value.code) : "";
}

/** An example is only relevant if it is the first with its problem code. */
function classifyExample(difference: Difference, pair: Pair, note: string): Verdict {
  const [, status = "", , mediaType] = difference.path;
  const code = codeOf(note, difference.after);
  const isNew = code !== "" && !codesOf(pair.before.tree, status).includes(code);
  if (mediaType !== problemType || !isNew) return noteVerdict(note, difference.before, difference.after);
  const description = `Requests may be refused with ${status} \`${code}\`, which had no example before.`;
  return { ...wording("problem-code", description, undefined, code), kind: "additive" };
}
