import { classifyAccess } from "./classify-access.ts";
import { classifyResponse } from "./classify-response.ts";
import { type Classification, classifyBelowSchema, type Pair } from "./classify-schema.ts";
import type { Difference } from "./differences.ts";
import { isNode, node } from "./document.ts";
import type { Verdict } from "./finding.ts";
import { noteVerdict, presence, requirement, unknownVerdict, verdict } from "./verdict.ts";

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
  if (keyword === undefined) return { place, verdicts: [classifyWholeParameter(place, before, after)] };
  if (keyword === "schema" && difference.path.length > 3)
    return classifyBelowSchema(difference, pair, "request", place);
  if (keyword === "required") return { place, verdicts: [classifyNeeded(`the ${place}`, before, after)] };
  if (keyword === "notes") return { place, verdicts: [noteVerdict(name, before, after)] };
  return { place, verdicts: [unknownVerdict(name === "" ? keyword : name, before, after)] };
}

function classifyWholeParameter(place: string, before: unknown, after: unknown): Verdict {
  if (after === undefined) {
    // Servers ignore unknown headers.
    const isIgnored = place.startsWith("header");
    const description = isIgnored
      ? `The ${place} has no effect now.`
      : `Requests with the ${place} are refused: it is unknown now.`;
    return verdict("parameter-removed", !isIgnored, description, before, undefined);
  }
  const isRequired = node(after).required === true;
  const description = isRequired
    ? `Requests without the ${place} are refused from now on.`
    : `Requests may now have the ${place}.`;
  return verdict("parameter-added", isRequired, description, undefined, after);
}

function classifyNeeded(what: string, before: unknown, after: unknown): Verdict {
  const isNeeded = after === true;
  const description = isNeeded
    ? `Requests without ${what} are refused from now on.`
    : `Requests may now leave out ${what}.`;
  return verdict("required", isNeeded, description, requirement(before), requirement(after));
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
  const texts = { came: `Bodies may now be ${mediaType}.`, gone: `Bodies of ${mediaType} are refused from now on.` };
  return { place, verdicts: [presence("media-type", mediaType, after !== undefined, texts)] };
}

function classifyWholeBody(after: unknown): Verdict {
  if (!isNode(after)) {
    return verdict("body-removed", true, "Requests with a body are refused from now on.", "body", undefined);
  }
  const isRequired = after.required === true;
  const description = isRequired ? "Requests without a body are refused from now on." : "Requests may now have a body.";
  return verdict("body-added", isRequired, description, undefined, "body");
}
