import { isNode } from "./document.ts";
import type { Kind, Verdict } from "./finding.ts";

/** Sender of a value: the client or the service. It decides whether more or fewer allowed values are harmless. */
export type Side = "request" | "response";

/** Effect on the allowed values: `narrows` removes some, `widens` adds some, `both` does both or is undecidable. */
export type Effect = "narrows" | "widens" | "both";

const shownCharsMax = 80;
const contextChars = 20;

/**
 * Classifies a change of the allowed values. A valid request must stay valid. A response must stay valid under the old contract, because
 * generated clients validate responses. New keys have a rule of their own, because most clients ignore them.
 */
function kindOf(side: Side, effect: Effect): Kind {
  if (effect === "both") return "breaking";
  return (side === "request") === (effect === "narrows") ? "breaking" : "additive";
}

/** Makes the verdict for a breaking or an additive change. Pass undefined for a missing value. */
export function verdict(
  rule: string,
  isBreaking: boolean,
  description: string,
  before: unknown,
  after: unknown,
): Verdict {
  return { kind: isBreaking ? "breaking" : "additive", rule, description, before: brief(before), after: brief(after) };
}

/** Makes the verdict for a new part, or for a removed part, which breaks clients. */
export function presence(rule: string, part: string, isThere: boolean, texts: { came: string; gone: string }): Verdict {
  return isThere ? verdict(rule, false, texts.came, undefined, part) : verdict(rule, true, texts.gone, part, undefined);
}

/** Returns the name of a `required` value. */
export function requirement(isRequired: unknown): string {
  return isRequired === true ? "required" : "optional";
}

/** Makes the verdict for lost or new values. `what` describes them, such as "a number over 50". */
export function classifyValues(
  rule: string,
  side: Side,
  { effect, what, before, after }: { effect: Effect; what: string; before: unknown; after: unknown },
): Verdict {
  return verdict(rule, kindOf(side, effect) === "breaking", sentence(side, effect, what), before, after);
}

function sentence(side: Side, effect: Effect, what: string): string {
  if (side === "request") {
    if (effect === "narrows") return `Requests with ${what} are refused from now on.`;
    return effect === "widens"
      ? `Requests may now have ${what}.`
      : `Requests must now have ${what}; earlier ones may be refused.`;
  }
  if (effect === "narrows") return `Answers no longer have ${what}; a client that expects it no longer finds it.`;
  if (effect === "widens") return `Answers may now have ${what}, which the old contract rules out.`;
  return `Answers now have ${what}; a client of the old form refuses or misreads them.`;
}

/** Makes the verdict for a change of text for people, which does not affect the wire. */
export function wording(rule: string, description: string, before: unknown, after: unknown): Verdict {
  const [old, now] = contrast(before, after);
  return { kind: "wording", rule, description, before: brief(old), after: brief(now) };
}

/** Shortens two texts to start just before their first difference. */
function contrast(before: unknown, after: unknown): [unknown, unknown] {
  if (typeof before !== "string" || typeof after !== "string") return [before, after];
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const from = before.lastIndexOf(" ", start - contextChars) + 1;
  return from < contextChars ? [before, after] : [`…${before.slice(from)}`, `…${after.slice(from)}`];
}

/** Makes the verdict for a description, an example or another note. A new deprecation is additive, because clients plan by it. */
export function noteVerdict(name: string, before: unknown, after: unknown): Verdict {
  if (name === "deprecated" && after !== undefined)
    return verdict(name, false, "It is marked as deprecated.", undefined, "true");
  // Examples are reported together, regardless of their names.
  if (name.startsWith("example")) return wording("examples", "Its examples differ.", undefined, undefined);
  if (name === "deprecated") return wording(name, "It is no longer marked as deprecated.", before, after);
  const isPlural = name.endsWith("s");
  const article = isPlural ? "" : /^[aeiou]/.test(name) ? "an " : "a ";
  if (before === undefined) return wording(name, `It has ${article}${name} now.`, before, after);
  if (after === undefined) return wording(name, `Its ${name} ${isPlural ? "are" : "is"} gone.`, before, after);
  return wording(name, `Its ${name} ${isPlural ? "read" : "reads"} differently.`, before, after);
}

/** Fails closed: an unknown keyword may break clients. An extension is a note for tools. */
export function unknownVerdict(keyword: string, before: unknown, after: unknown): Verdict {
  if (keyword.startsWith("x-")) {
    return wording(keyword, `\`${keyword}\` differs; the wire format does not.`, before, after);
  }
  const description = `\`${keyword}\` differs; its effect on clients is unknown, so it counts as breaking.`;
  return verdict("unknown-keyword", true, description, before, after);
}

/**
 * Returns a short readable value: text unchanged, schemas by type, other values as JSON. Long values are cut. Returns null for undefined.
 */
export function brief(value: unknown): string | null {
  if (value === undefined) return null;
  const text = isNode(value) ? typeName(value) : typeof value === "string" ? value : JSON.stringify(value);
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > shownCharsMax ? `${line.slice(0, shownCharsMax)}…` : line;
}

/** Describes a schema view in a few words, such as `array of integer or null`. */
function typeName(view: Record<string, unknown>): string {
  if (isNode(view.schema)) return typeName(view.schema);
  const type =
    typeof view.type === "string" ? view.type : isNode(view.branches) ? Object.keys(view.branches).join(" or ") : "any";
  const items = isNode(view.items) ? ` of ${typeName(view.items)}` : "";
  return `${type}${items}${view.nullable === true ? " or null" : ""}`;
}
