import { node } from "../document.ts";
import type { Difference } from "./differences.ts";
import type { OperationView } from "./document-view.ts";
import type { Verdict } from "./finding.ts";
import { noType } from "./schema-form.ts";
import { at, splitSchemaPath } from "./schema-path.ts";
import { brief, type Effect, judgeValues, noteVerdict, type Side, unknownVerdict, wording } from "./verdict.ts";

/** The same operation in both documents. */
export type Pair = { before: OperationView; after: OperationView };

/** What is said of one difference, and where in the operation it stands. */
export type Judgement = { place: string; verdicts: Verdict[] };

/** Where a schema stands: whether its values are sent by clients or by the service, and its views of both documents. */
export type SchemaPlace = { side: Side; before: unknown; after: unknown };

type Judged = { path: ReturnType<typeof splitSchemaPath>; place: SchemaPlace; before: unknown; after: unknown };

const lowerBounds: Readonly<Record<string, (bound: unknown) => string>> = {
  minimum: (bound) => `a number under ${bound}`,
  exclusiveMinimum: (bound) => `a number of ${bound} or less`,
  minLength: (bound) => `a text shorter than ${bound} characters`,
  minItems: (bound) => `fewer than ${bound} entries`,
  minProperties: (bound) => `fewer than ${bound} keys`,
};
const upperBounds: Readonly<Record<string, (bound: unknown) => string>> = {
  maximum: (bound) => `a number over ${bound}`,
  exclusiveMaximum: (bound) => `a number of ${bound} or more`,
  maxLength: (bound) => `a text longer than ${bound} characters`,
  maxItems: (bound) => `more than ${bound} entries`,
  maxProperties: (bound) => `more than ${bound} keys`,
};
/** Keywords of which nobody can tell whether one value allows more than another. */
const forms: Readonly<Record<string, string>> = {
  pattern: "texts of another pattern",
  format: "values of another format",
  multipleOf: "multiples of another number",
  contentMediaType: "content of another media type",
  contentEncoding: "content in another encoding",
  cycle: "another schema",
};

/** What a difference below a schema is to a client. */
export function judgeSchema(difference: Difference, place: SchemaPlace): Verdict[] {
  const path = splitSchemaPath(difference.path);
  const judged = { path, place, before: difference.before, after: difference.after };
  const { keyword } = path;
  if (keyword in lowerBounds || keyword in upperBounds) return judgeBound(judged);
  if (keyword in forms) return [judgeForm(judged, forms[keyword] ?? "")];
  return (judges[keyword] ?? judgeUnknown)(judged);
}

const judges: Readonly<Record<string, (judged: Judged) => Verdict[]>> = {
  type: judgeType,
  nullable: (judged) => [judgeFlag(judged, "nullable", "null", "widens")],
  values: judgeListed,
  properties: judgeProperty,
  required: judgeRequired,
  closed: judgeClosed,
  uniqueItems: (judged) => [judgeFlag(judged, "unique-items", "equal entries", "narrows")],
  branches: (judged) => [judgeFlag(judged, "branch", `the form \`${judged.path.name}\``, "widens")],
  all: (judged) => [judgeFlag(judged, "all-of", "values that do not fit the further schema", "narrows")],
  default: judgeDefault,
  discriminator: judgeDiscriminator,
  mapping: judgeMapping,
  notes: judgeNote,
};

function judgeBound({ path, place, before, after }: Judged): Verdict[] {
  const isLower = path.keyword in lowerBounds;
  const says = lowerBounds[path.keyword] ?? upperBounds[path.keyword] ?? String;
  const unbounded = isLower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const [old, now] = [Number(before ?? unbounded), Number(after ?? unbounded)];
  const effect: Effect = isLower === now > old ? "narrows" : "widens";
  // The values lost or new lie beyond the tighter of both bounds.
  const tighter = isLower ? Math.max(old, now) : Math.min(old, now);
  return [judgeValues("bound", place.side, { effect, what: says(tighter), before, after })];
}

function judgeForm({ path, place, before, after }: Judged, what: string): Verdict {
  const effect = before === undefined ? "narrows" : after === undefined ? "widens" : sizeOfIntegers(before, after);
  const known = effect === "both" ? what : `${what} than \`${brief(before ?? after)}\``;
  return judgeValues(path.keyword.toLowerCase(), place.side, { effect, what: known, before, after });
}

/** Of the formats only the sizes of numbers contain each other. */
function sizeOfIntegers(before: unknown, after: unknown): Effect {
  const sizes: unknown[][] = [
    ["int32", "int64"],
    ["float", "double"],
  ];
  for (const [small, large] of sizes) {
    if (before === small && after === large) return "widens";
    if (before === large && after === small) return "narrows";
  }
  return "both";
}

function judgeType({ place, before, after }: Judged): Verdict[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  const covers = (types: readonly string[], type: string) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const isLost = now !== null && (old === null || old.some((type) => !covers(now, type)));
  const isGained = old !== null && (now === null || now.some((type) => !covers(old, type)));
  const effect: Effect = isLost && isGained ? "both" : isLost ? "narrows" : "widens";
  const [told, tells] = [typeNamed(before), typeNamed(after)];
  const what = `values of type ${effect === "narrows" ? `other than ${tells}` : tells}`;
  return [judgeValues("type", place.side, { effect, what, before: told, after: tells })];
}

function typeNamed(type: unknown): string {
  return type === noType ? "null" : typeof type === "string" ? type : "any";
}

function typesOf(type: unknown): string[] | null {
  return typeof type === "string" ? type.split(" or ").filter((name) => name !== noType) : null;
}

/** Added and removed values of an enum, each for itself; a constant that became another is one change. */
function judgeListed({ place, before, after }: Judged): Verdict[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const judge = (effect: Effect, what: string) => judgeValues("values", place.side, { effect, what, before, after });
  if (old === null) return [judge("narrows", `other values than ${list(now ?? [])}`)];
  if (now === null) return [judge("widens", `other values than ${list(old)}`)];
  const added = now.filter((value) => !old.includes(value));
  const removed = old.filter((value) => !now.includes(value));
  if (removed.length === old.length) return [judge("both", list(now))];
  return [
    ...removed.map((value) => ({ ...judge("narrows", list([value])), before: value, after: null })),
    ...added.map((value) => ({ ...judge("widens", list([value])), before: null, after: value })),
  ];
}

function valuesOf(text: unknown): string[] | null {
  return typeof text === "string" ? (JSON.parse(text) as string[]) : null;
}

function list(values: readonly string[]): string {
  return values.map((value) => `\`${value.replace(/^"|"$/g, "")}\``).join(", ");
}

/** What is there or not: `whenThere` is what its appearance does to the allowed values. */
function judgeFlag(
  { place, before, after }: Judged,
  rule: string,
  what: string,
  whenThere: "narrows" | "widens",
): Verdict {
  const opposite = whenThere === "narrows" ? "widens" : "narrows";
  const effect = after === undefined ? opposite : whenThere;
  return judgeValues(rule, place.side, { effect, what, before, after });
}

function judgeClosed(judged: Judged): Verdict[] {
  const verdict = judgeFlag(judged, "closed", "keys that the contract does not name", "narrows");
  const isHarmless = judged.place.side === "response" && !judged.path.owner.includes("contentSchema");
  return [isHarmless ? { ...verdict, kind: "additive" } : verdict];
}

function judgeProperty({ path, place, before, after }: Judged): Verdict[] {
  const rule = after === undefined ? "property-removed" : "property-added";
  const judge = (kind: Verdict["kind"], says: string): Verdict[] => [
    { kind, rule, says, before: brief(before), after: brief(after) },
  ];
  const key = `the key \`${path.name}\``;
  if (place.side === "request") {
    if (after === undefined) return judge("breaking", `Requests with ${key} are refused from now on.`);
    const isRequired = at(place.after, [...path.owner, "required", path.name ?? ""]) === true;
    return isRequired
      ? judge("breaking", `Requests without ${key} are refused from now on.`)
      : judge("additive", `Requests may now have ${key}.`);
  }
  if (after === undefined)
    return judge("breaking", `Answers no longer have ${key}; a client that reads it finds nothing.`);
  return refusesUnknownKeys({ path, place })
    ? judge("breaking", `Records of the stream now have ${key}; a client has to refuse a record with an unknown key.`)
    : judge("additive", `Answers now have ${key}; a client that refuses unknown keys needs its new types first.`);
}

/** Records of a stream: whoever reads one must take an extra key for a fault. Elsewhere clients pass over what they do not know. */
function refusesUnknownKeys({ path, place }: Pick<Judged, "path" | "place">): boolean {
  return path.owner.includes("contentSchema") && at(place.before, [...path.owner, "closed"]) === true;
}

/** A key that comes or goes as a whole is told once, as a property. */
function judgeRequired({ path, place, before, after }: Judged): Verdict[] {
  const owned = (view: unknown) => (path.name ?? "") in node(at(view, [...path.owner, "properties"]));
  if (owned(place.before) !== owned(place.after)) return [];
  const effect = after === undefined ? "widens" : "narrows";
  const [old, now] = [before === true ? "required" : "optional", after === true ? "required" : "optional"];
  return [judgeValues("required", place.side, { effect, what: `no key \`${path.name}\``, before: old, after: now })];
}

function judgeDefault({ place, before, after }: Judged): Verdict[] {
  if (place.side === "response")
    return [wording("default", "The default that is told of a field differs.", before, after)];
  const isNew = before === undefined;
  const says = isNew
    ? `Leaving it out is now told to mean \`${after}\`.`
    : `Leaving it out meant \`${before}\`${after === undefined ? " and is not told any more" : ` and now means \`${after}\``}.`;
  return [{ kind: isNew ? "additive" : "breaking", rule: "default", says, before: brief(before), after: brief(after) }];
}

function judgeDiscriminator({ before, after }: Judged): Verdict[] {
  const kind = before === undefined ? "additive" : "breaking";
  const says =
    before === undefined
      ? `Generated code tells the forms apart by \`${after}\`.`
      : `Generated code no longer tells the forms apart by \`${before}\`.`;
  return [{ kind, rule: "discriminator", says, before: brief(before), after: brief(after) }];
}

/** A value that leads to another form. Where a form came or went, that is told with the form. */
function judgeMapping({ path, place, before, after }: Judged): Verdict[] {
  const [old, now] = [place.before, place.after].map((view) => node(node(at(view, path.owner)).branches));
  const isToldOf = (label: unknown) => label !== undefined && String(label) in node(old) !== String(label) in node(now);
  if (path.name === undefined || isToldOf(before) || isToldOf(after)) return [];
  const says =
    after === undefined
      ? `Generated code no longer knows which form \`${path.name}\` is.`
      : `Generated code takes \`${path.name}\` for the form \`${after}\`.`;
  const kind = before === undefined ? "additive" : "breaking";
  return [{ kind, rule: "discriminator", says, before: brief(before), after: brief(after) }];
}

function judgeNote({ path, before, after }: Judged): Verdict[] {
  return [noteVerdict(path.name ?? "", before, after)];
}

function judgeUnknown({ path, before, after }: Judged): Verdict[] {
  return [unknownVerdict(path.keyword === "other" ? (path.name ?? "") : path.keyword, before, after)];
}

/** What a difference below a schema is, with the place as people write it. */
export function judgeBelowSchema(difference: Difference, pair: Pair, side: Side, place: string): Judgement {
  const depth = difference.path.indexOf("schema") + 1;
  const [root, path] = [difference.path.slice(0, depth), difference.path.slice(depth)];
  const views = { before: at(pair.before.tree, root), after: at(pair.after.tree, root) };
  const verdicts = judgeSchema({ ...difference, path }, { side, ...views });
  const { field } = splitSchemaPath(path);
  return { place: field === "" ? place : `${place}: ${field}`, verdicts };
}
