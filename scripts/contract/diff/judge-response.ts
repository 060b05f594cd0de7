import { isNode, node } from "../document.ts";
import type { Difference } from "./differences.ts";
import type { Finding, Verdict } from "./finding.ts";
import { type Judgement, judgeBelowSchema, type Pair } from "./judge-schema.ts";
import { at } from "./schema-path.ts";
import { brief, noteVerdict, unknownVerdict, wording } from "./verdict.ts";

/** How many keys lead from an operation to what stands below the schema of an answer. */
const belowSchema = 5;
const problemType = "application/problem+json";
const newCodeRule = "problem-code";
/** What caches obey: they read the header that came with the answer, whatever the document says. */
const cacheHeaders = ["vary", "cache-control"];

/** What a difference of an answer is to those who read it. */
export function judgeResponse(difference: Difference, pair: Pair): Judgement {
  const [, status = "", keyword, name = "", ...rest] = difference.path;
  const { before, after } = difference;
  const place = `response ${status}`;
  if (keyword === undefined) return { place, verdicts: [judgeStatus(status, after, pair)] };
  if (keyword === "notes") return { place, verdicts: [noteVerdict(name, before, after)] };
  if (keyword === "headers") return judgeHeader(difference, pair, `${place} header ${name}`);
  if (keyword !== "content") return { place, verdicts: [unknownVerdict(name === "" ? keyword : name, before, after)] };
  const [part, note = ""] = rest;
  if (part === "schema") return judgeContent(difference, pair, place);
  if (part === "notes") return { place, verdicts: [judgeExample(difference, pair, note)] };
  if (part !== undefined) return { place, verdicts: [unknownVerdict(note, before, after)] };
  return { place, verdicts: [judgeMediaType(name, after !== undefined)] };
}

/** A client meets an unknown 4xx or 5xx as the first of its class, but waits for a status that is gone. */
function judgeStatus(status: string, after: unknown, pair: Pair): Verdict {
  if (after === undefined) {
    const says = `The answer ${status} is gone; what it told is told otherwise or not at all.`;
    return { kind: "breaking", rule: "response-removed", says, before: status, after: null };
  }
  const told = { rule: "response-added", before: null, after: status };
  const [asked, asks] = [pair.before, pair.after].map(({ tree }) => "header if-none-match" in node(tree.parameters));
  if (status === "304" && asked === false && asks === true) {
    return { kind: "additive", says: "A request with If-None-Match may be answered with 304; no other is.", ...told };
  }
  const isFailure = /^[45]/.test(status);
  const says = isFailure
    ? `It may now be refused with ${status}; a client treats an unknown one like ${status[0]}00.`
    : `It may now be answered with ${status}, which a client of the old contract takes for a failure.`;
  return { kind: isFailure ? "additive" : "breaking", says, ...told };
}

function judgeMediaType(mediaType: string, isThere: boolean): Verdict {
  const says = isThere ? `Answers may be ${mediaType}, too.` : `Answers are ${mediaType} no longer.`;
  const [before, after] = isThere ? [null, mediaType] : [mediaType, null];
  return { kind: isThere ? "additive" : "breaking", rule: "media-type", says, before, after };
}

function judgeHeader(difference: Difference, pair: Pair, place: string): Judgement {
  const [, , , name = "", keyword, note = ""] = difference.path;
  const { before, after } = difference;
  if (keyword === undefined) return { place, verdicts: [judgeWholeHeader(name, before, after)] };
  if (keyword === "notes") return { place, verdicts: [noteVerdict(note, before, after)] };
  if (keyword === "required") {
    const says =
      after === true ? `Answers always have the header ${name} now.` : `Answers may now lack the header ${name}.`;
    const [old, now] = [before === true ? "required" : "optional", after === true ? "required" : "optional"];
    return {
      place,
      verdicts: [
        { kind: after === true ? "additive" : "breaking", rule: "header-required", says, before: old, after: now },
      ],
    };
  }
  if (keyword !== "schema") return { place, verdicts: [unknownVerdict(note === "" ? keyword : note, before, after)] };
  const judgement = judgeBelowSchema(difference, pair, "response", place);
  if (!cacheHeaders.includes(name)) return judgement;
  const says = `Caches are told otherwise by ${name}; they obey what comes with the answer.`;
  return {
    place,
    verdicts: judgement.verdicts.map((verdict) =>
      verdict.kind === "wording" ? verdict : { ...verdict, kind: "additive", says },
    ),
  };
}

function judgeWholeHeader(name: string, before: unknown, after: unknown): Verdict {
  const isGone = after === undefined;
  const says = isGone ? `Answers no longer have the header ${name}.` : `Answers now have the header ${name}.`;
  return {
    kind: isGone ? "breaking" : "additive",
    rule: isGone ? "header-removed" : "header-added",
    says,
    before: brief(before),
    after: brief(after),
  };
}

/** The schema of an answer, with two cases in which more than the old contract allows reaches only those who ask for it. */
function judgeContent(difference: Difference, pair: Pair, place: string): Judgement {
  const judgement = judgeBelowSchema(difference, pair, "response", place);
  const verdicts = judgement.verdicts.map((verdict) => {
    if (isNewCode(difference, verdict)) return judgeNewCode(verdict, difference, pair);
    return isLargerPage(verdict, difference, pair)
      ? { ...verdict, kind: "additive" as const, says: largerPage }
      : verdict;
  });
  return { ...judgement, verdicts };
}

const largerPage = "Pages may be longer for those who ask with a larger limit; others get what they got.";

/** A page, the list `data` of an answer, grows exactly as its parameter `limit` does; no list within it does. */
function isLargerPage(verdict: Verdict, difference: Difference, pair: Pair): boolean {
  const isPage = difference.path.slice(belowSchema).join("/") === "properties/data/maxItems";
  if (!isPage || verdict.kind !== "breaking") return false;
  const most = (pair: Pair["before"]) => at(pair.tree, ["parameters", "query limit", "schema", "maximum"]);
  const usual = (pair: Pair["before"]) => at(pair.tree, ["parameters", "query limit", "schema", "default"]);
  const isSame = most(pair.before) === difference.before && most(pair.after) === difference.after;
  return isSame && usual(pair.before) === usual(pair.after);
}

/** The line of the document says that no answer shows a code: not so where one does. */
export function withoutContradictions(findings: readonly Finding[]): Finding[] {
  const mine = findings.filter(({ rule, kind }) => rule === newCodeRule && kind === "breaking");
  const given = new Set(mine.map(({ after }) => after));
  return findings.filter(({ rule, operations, after }) => {
    return rule !== newCodeRule || operations.length > 0 || !given.has(after);
  });
}

function isNewCode(difference: Difference, verdict: Verdict): boolean {
  const isCode = difference.path.slice(-3).join("/") === "properties/code/values";
  return isCode && difference.path[3] === problemType && verdict.kind === "breaking" && verdict.before === null;
}

/**
 * The list of problem codes is one for all operations, so that it grows with each new one. An operation gives the codes that its
 * examples show: only there does a client meet the new one.
 */
function judgeNewCode(verdict: Verdict, difference: Difference, pair: Pair): Verdict {
  const code = String(verdict.after).replaceAll('"', "");
  const rule = newCodeRule;
  if (codesOf(pair.after.tree, String(difference.path[1])).includes(code)) return { ...verdict, rule };
  const says = `The list of problem codes has \`${code}\`; no example under an answer that was there before shows it.`;
  return { ...verdict, kind: "additive", says, rule, isOfDocument: true };
}

/** The problem codes that the examples of an answer show. */
function codesOf(tree: unknown, status: string): string[] {
  const notes = node(at(tree, ["responses", status, "content", problemType, "notes"]));
  return Object.entries(notes).map(([note, example]) => codeOf(note, example));
}

/** The code of one of several examples, each with its value, or of the only one, which is the value itself. */
function codeOf(note: string, example: unknown): string {
  const written: unknown = typeof example === "string" && example.startsWith("{") ? JSON.parse(example) : {};
  const value = note === "example" ? written : node(written).value;
  return isNode(value) ? String(value.code) : "";
}

/** An example shows nothing new but where it is the first of a problem code. */
function judgeExample(difference: Difference, pair: Pair, note: string): Verdict {
  const [, status = "", , mediaType] = difference.path;
  const code = codeOf(note, difference.after);
  const isNew = code !== "" && !codesOf(pair.before.tree, status).includes(code);
  if (mediaType !== problemType || !isNew) return noteVerdict(note, difference.before, difference.after);
  const says = `It may be refused with ${status} \`${code}\`, of which no example was shown.`;
  return { ...wording("problem-code", says, undefined, code), kind: "additive" };
}
