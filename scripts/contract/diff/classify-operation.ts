import { isNode, node } from "../document.ts";
import { classifyAccess } from "./classify-access.ts";
import { classifyResponse } from "./classify-response.ts";
import { type Classification, classifyBelowSchema, type Pair } from "./classify-schema.ts";
import type { Difference } from "./differences.ts";
import type { Verdict } from "./finding.ts";
import { brief, noteVerdict, unknownVerdict } from "./verdict.ts";

/** Classifies a difference of an operation. */
export function classifyOperation(difference: Difference, pair: Pair): Classification {
  const [part = "", name = ""] = difference.path;
  if (part === "parameters") return classifyParameter(difference, pair);
  if (part === "requestBody") return classifyRequestBody(difference, pair);
  if (part === "responses") return classifyResponse(difference, pair);
  if (part === "notes") {
    return { place: "operation", verdicts: [noteVerdict(name, difference.before, difference.after)] };
  }
  return classifyAccess(difference);
}

function classifyParameter(difference: Difference, pair: Pair): Classification {
  const [, key = "", keyword, name = ""] = difference.path;
  const { before, after } = difference;
  const place = key.replace(" ", " parameter ");
  if (keyword === undefined) return { place, verdicts: classifyWholeParameter(place, before, after) };
  if (keyword === "schema" && difference.path.length > 3)
    return classifyBelowSchema(difference, pair, "request", place);
  if (keyword === "required") return { place, verdicts: [classifyNeeded(`the ${place}`, before, after)] };
  if (keyword === "notes") return { place, verdicts: [noteVerdict(name, before, after)] };
  return { place, verdicts: [unknownVerdict(name === "" ? keyword : name, before, after)] };
}

function classifyWholeParameter(place: string, before: unknown, after: unknown): Verdict[] {
  if (after === undefined) {
    const description = `Requests with the ${place} are refused: it is unknown now.`;
    return [{ kind: "breaking", rule: "parameter-removed", description, before: brief(before), after: null }];
  }
  const isRequired = node(after).required === true;
  const description = isRequired
    ? `Requests without the ${place} are refused from now on.`
    : `Requests may now have the ${place}.`;
  return [
    {
      kind: isRequired ? "breaking" : "additive",
      rule: "parameter-added",
      description,
      before: null,
      after: brief(after),
    },
  ];
}

function classifyNeeded(what: string, before: unknown, after: unknown): Verdict {
  const [old, now] = [before === true ? "required" : "optional", after === true ? "required" : "optional"];
  if (after === true) {
    return {
      kind: "breaking",
      rule: "required",
      description: `Requests without ${what} are refused from now on.`,
      before: old,
      after: now,
    };
  }
  return {
    kind: "additive",
    rule: "required",
    description: `Requests may now leave out ${what}.`,
    before: old,
    after: now,
  };
}

function classifyRequestBody(difference: Difference, pair: Pair): Classification {
  const [, keyword, mediaType = "", part, name = ""] = difference.path;
  const { before, after } = difference;
  const place = "request body";
  if (keyword === undefined) return { place, verdicts: [classifyWholeBody(after)] };
  if (keyword === "required") return { place, verdicts: [classifyNeeded("a body", before, after)] };
  if (keyword === "notes") return { place, verdicts: [noteVerdict(mediaType, before, after)] };
  if (keyword !== "content") return { place, verdicts: [unknownVerdict(mediaType, before, after)] };
  if (part === "schema") return classifyBelowSchema(difference, pair, "request", place);
  if (part === "notes") return { place, verdicts: [noteVerdict(name, before, after)] };
  if (part !== undefined) return { place, verdicts: [unknownVerdict(name, before, after)] };
  return { place, verdicts: [classifyMediaType(mediaType, after !== undefined)] };
}

function classifyWholeBody(after: unknown): Verdict {
  if (!isNode(after)) {
    const description = "Requests with a body are refused from now on.";
    return { kind: "breaking", rule: "body-removed", description, before: "body", after: null };
  }
  const isRequired = after.required === true;
  const description = isRequired ? "Requests without a body are refused from now on." : "Requests may now have a body.";
  return { kind: isRequired ? "breaking" : "additive", rule: "body-added", description, before: null, after: "body" };
}

function classifyMediaType(mediaType: string, isThere: boolean): Verdict {
  const description = isThere ? `Bodies may now be ${mediaType}.` : `Bodies of ${mediaType} are refused from now on.`;
  const [before, after] = isThere ? [null, mediaType] : [mediaType, null];
  return { kind: isThere ? "additive" : "breaking", rule: "media-type", description, before, after };
}
