import { isNode, node } from "../document.ts";
import type { Difference } from "./differences.ts";
import type { Verdict } from "./finding.ts";
import { judgeAccess } from "./judge-access.ts";
import { judgeResponse } from "./judge-response.ts";
import { type Judgement, judgeBelowSchema, type Pair } from "./judge-schema.ts";
import { brief, noteVerdict, unknownVerdict } from "./verdict.ts";

/** What a difference of an operation is to its callers. */
export function judgeOperation(difference: Difference, pair: Pair): Judgement {
  const [part = "", name = ""] = difference.path;
  if (part === "parameters") return judgeParameter(difference, pair);
  if (part === "requestBody") return validateFeed(difference, pair);
  if (part === "responses") return judgeResponse(difference, pair);
  if (part === "notes") {
    return { place: "operation", verdicts: [noteVerdict(name, difference.before, difference.after)] };
  }
  return judgeAccess(difference);
}

function judgeParameter(difference: Difference, pair: Pair): Judgement {
  const [, key = "", keyword, name = ""] = difference.path;
  const { before, after } = difference;
  const place = key.replace(" ", " parameter ");
  if (keyword === undefined) return { place, verdicts: judgeWholeParameter(place, before, after) };
  if (keyword === "schema" && difference.path.length > 3) return judgeBelowSchema(difference, pair, "request", place);
  if (keyword === "required") return { place, verdicts: [judgeNeeded(`the ${place}`, before, after)] };
  if (keyword === "notes") return { place, verdicts: [noteVerdict(name, before, after)] };
  return { place, verdicts: [unknownVerdict(name === "" ? keyword : name, before, after)] };
}

function judgeWholeParameter(place: string, before: unknown, after: unknown): Verdict[] {
  if (after === undefined) {
    const says = `Requests with the ${place} are refused: it is unknown now.`;
    return [{ kind: "breaking", rule: "parameter-removed", says, before: brief(before), after: null }];
  }
  const isRequired = node(after).required === true;
  const says = isRequired
    ? `Requests without the ${place} are refused from now on.`
    : `Requests may now have the ${place}.`;
  return [
    { kind: isRequired ? "breaking" : "additive", rule: "parameter-added", says, before: null, after: brief(after) },
  ];
}

function judgeNeeded(what: string, before: unknown, after: unknown): Verdict {
  const [old, now] = [before === true ? "required" : "optional", after === true ? "required" : "optional"];
  if (after === true) {
    return {
      kind: "breaking",
      rule: "required",
      says: `Requests without ${what} are refused from now on.`,
      before: old,
      after: now,
    };
  }
  return { kind: "additive", rule: "required", says: `Requests may now leave out ${what}.`, before: old, after: now };
}

function validateFeed(difference: Difference, pair: Pair): Judgement {
  const [, keyword, mediaType = "", part, name = ""] = difference.path;
  const { before, after } = difference;
  const place = "request body";
  if (keyword === undefined) return { place, verdicts: [judgeWholeBody(after)] };
  if (keyword === "required") return { place, verdicts: [judgeNeeded("a body", before, after)] };
  if (keyword === "notes") return { place, verdicts: [noteVerdict(mediaType, before, after)] };
  if (keyword !== "content") return { place, verdicts: [unknownVerdict(mediaType, before, after)] };
  if (part === "schema") return judgeBelowSchema(difference, pair, "request", place);
  if (part === "notes") return { place, verdicts: [noteVerdict(name, before, after)] };
  if (part !== undefined) return { place, verdicts: [unknownVerdict(name, before, after)] };
  return { place, verdicts: [judgeMediaType(mediaType, after !== undefined)] };
}

function judgeWholeBody(after: unknown): Verdict {
  if (!isNode(after)) {
    const says = "Requests with a body are refused from now on.";
    return { kind: "breaking", rule: "body-removed", says, before: "body", after: null };
  }
  const isRequired = after.required === true;
  const says = isRequired ? "Requests without a body are refused from now on." : "Requests may now have a body.";
  return { kind: isRequired ? "breaking" : "additive", rule: "body-added", says, before: null, after: "body" };
}

function judgeMediaType(mediaType: string, isThere: boolean): Verdict {
  const says = isThere ? `Bodies may now be ${mediaType}.` : `Bodies of ${mediaType} are refused from now on.`;
  const [before, after] = isThere ? [null, mediaType] : [mediaType, null];
  return { kind: isThere ? "additive" : "breaking", rule: "media-type", says, before, after };
}
