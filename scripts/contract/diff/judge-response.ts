import { isNode, node } from "../document.ts";
import type { Difference } from "./differences.ts";
import type { Verdict } from "./finding.ts";
import { type Judgement, judgeBelowSchema, type Pair } from "./judgement.ts";
import { at } from "./schema-path.ts";
import { brief, noteVerdict, unknownVerdict, wording } from "./verdict.ts";

const problemType = "application/problem+json";
/** What caches obey: they read the header that came with the answer, whatever the document says. */
const cacheHeaders = ["vary", "cache-control"];

/** What a difference of an answer is to those who read it. */
export function judgeResponse(difference: Difference, pair: Pair): Judgement {
  const [, status = "", keyword, name = "", ...rest] = difference.path;
  const { before, after } = difference;
  const place = `response ${status}`;
  if (keyword === undefined) return { place, verdicts: [judgeStatus(status, before, after, pair)] };
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
function judgeStatus(status: string, before: unknown, after: unknown, pair: Pair): Verdict {
  if (after === undefined) {
    const says = `The answer ${status} is gone; what it told is told otherwise or not at all.`;
    return { kind: "breaking", rule: "response-removed", says, before: brief(node(before).notes), after: null };
  }
  const told = { rule: "response-added", before: null, after: status };
  if (status === "304" && !("header if-none-match" in node(pair.before.tree.parameters))) {
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

/** A page grows exactly as its parameter `limit` does. */
function isLargerPage(verdict: Verdict, difference: Difference, pair: Pair): boolean {
  if (difference.path.at(-1) !== "maxItems" || verdict.kind !== "breaking") return false;
  const most = (pair: Pair["before"]) => at(pair.tree, ["parameters", "query limit", "schema", "maximum"]);
  const usual = (pair: Pair["before"]) => at(pair.tree, ["parameters", "query limit", "schema", "default"]);
  const isSame = most(pair.before) === difference.before && most(pair.after) === difference.after;
  return isSame && usual(pair.before) === usual(pair.after);
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
  if (codesOf(pair.after.tree, String(difference.path[1])).includes(code)) return verdict;
  const says = `The list of problem codes has \`${code}\`; no operation that was there before gives it.`;
  return { ...verdict, kind: "additive", says, rule: "problem-code", isOfDocument: true };
}

/** The problem codes that the examples of an answer show. */
function codesOf(tree: unknown, status: string): string[] {
  const notes = node(at(tree, ["responses", status, "content", problemType, "notes"]));
  return Object.values(notes).map((example) => codeOf(example));
}

function codeOf(example: unknown): string {
  const { value }: { value?: unknown } =
    typeof example === "string" && example.startsWith("{") ? JSON.parse(example) : {};
  return isNode(value) ? String(value.code) : "";
}

/** An example shows nothing new but where it is the first of a problem code. */
function judgeExample(difference: Difference, pair: Pair, note: string): Verdict {
  const [, status = "", , mediaType] = difference.path;
  const code = codeOf(difference.after);
  const isNew = code !== "" && !codesOf(pair.before.tree, status).includes(code);
  if (mediaType !== problemType || !isNew) return noteVerdict(note, difference.before, difference.after);
  const says = `It may be refused with ${status} \`${code}\`, of which no example was shown.`;
  return { ...wording("problem-code", says, undefined, code), kind: "additive" };
}
