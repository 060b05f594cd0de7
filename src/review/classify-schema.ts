import type { Difference } from "./differences.ts";
import { node } from "./document.ts";
import type { OperationView } from "./document-view.ts";
import { longestOf } from "./exchange/texts.ts";
import type { Verdict } from "./finding.ts";
import { noType } from "./schema-form.ts";
import { at, splitSchemaPath } from "./schema-path.ts";
import {
  brief,
  classifyValues,
  type Effect,
  noteVerdict,
  requirement,
  type Side,
  unknownVerdict,
  verdict,
  wording,
} from "./verdict.ts";

/** An operation in both documents. */
export type Pair = { before: OperationView; after: OperationView };

/** Verdicts on one difference, and its place in the operation. */
export type Classification = { place: string; verdicts: Verdict[] };

/** Side of a schema (clients or the service send its values), and its views in both documents. */
type SchemaPlace = { side: Side; before: unknown; after: unknown };

type SchemaChange = { path: ReturnType<typeof splitSchemaPath>; place: SchemaPlace; before: unknown; after: unknown };

const int32Max = 2 ** 31 - 1;
const datePattern = String.raw`^\d{4}-\d{2}-\d{2}$`;
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
/** Keywords for which it cannot be decided whether one value allows more than another. */
const forms: Readonly<Record<string, string>> = {
  pattern: "texts of another pattern",
  format: "values of another format",
  multipleOf: "multiples of another number",
  contentMediaType: "content of another media type",
  contentEncoding: "content in another encoding",
  cycle: "another schema",
};

/** Classifies a difference within a schema. */
function classifySchema(difference: Difference, place: SchemaPlace): Verdict[] {
  const path = splitSchemaPath(difference.path);
  const change = { path, place, before: difference.before, after: difference.after };
  const { keyword } = path;
  if (keyword in lowerBounds || keyword in upperBounds) return classifyBound(change);
  if (keyword in forms) return [classifyForm(change, forms[keyword] ?? "")].map((found) => asImplied(change, found));
  return (classifiers[keyword] ?? classifyUnknown)(change);
}

const classifiers: Readonly<Record<string, (change: SchemaChange) => Verdict[]>> = {
  type: classifyType,
  nullable: (change) => [classifyFlag(change, "nullable", "null", "widens")],
  values: classifyListed,
  properties: classifyProperty,
  required: classifyRequired,
  closed: classifyClosed,
  open: classifyOpen,
  uniqueItems: (change) => [classifyFlag(change, "unique-items", "equal entries", "narrows")],
  branches: (change) => [classifyFlag(change, "branch", `the form \`${change.path.name}\``, "widens")],
  all: (change) => [classifyFlag(change, "all-of", "values that do not fit the added schema", "narrows")],
  default: classifyDefault,
  discriminator: classifyDiscriminator,
  mapping: classifyMapping,
  notes: classifyNote,
};

function classifyBound({ path, place, before, after }: SchemaChange): Verdict[] {
  const isLower = path.keyword in lowerBounds;
  const textOf = lowerBounds[path.keyword] ?? upperBounds[path.keyword] ?? String;
  const unbounded = isLower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const [old, now] = [Number(before ?? unbounded), Number(after ?? unbounded)];
  const effect: Effect = isLower === now > old ? "narrows" : "widens";
  // The lost or new values are beyond the tighter of both bounds.
  const tighter = isLower ? Math.max(old, now) : Math.min(old, now);
  const found = classifyValues("bound", place.side, { effect, what: textOf(tighter), before, after });
  return [isBoundAnyway({ path, place }, tighter) ? { ...found, kind: "additive" } : found];
}

/** Returns whether an unchanged pattern or format, or a list of distinct known values, keeps values within an upper bound. */
function isBoundAnyway({ path, place }: Pick<SchemaChange, "path" | "place">, upper: number): boolean {
  const [old, now] = [place.before, place.after].map((view) => node(at(view, path.owner)));
  const { pattern, format } = old ?? {};
  if (path.keyword === "maxItems")
    return [old, now].every(
      (view) => view?.uniqueItems === true && (valuesOf(node(view.items).values)?.length ?? upper + 1) <= upper,
    );
  if (path.keyword === "maximum") return format === "int32" && now?.format === format && upper >= int32Max;
  if (path.keyword !== "maxLength" || typeof pattern !== "string" || pattern !== now?.pattern) return false;
  return (longestOf(pattern) ?? Number.POSITIVE_INFINITY) <= upper;
}

function classifyForm({ path, place, before, after }: SchemaChange, what: string): Verdict {
  const effect = before === undefined ? "narrows" : after === undefined ? "widens" : sizeOfIntegers(before, after);
  const known = effect === "both" ? what : `${what} than \`${brief(before ?? after)}\``;
  return classifyValues(path.keyword.toLowerCase(), place.side, { effect, what: known, before, after });
}

/** Makes the verdict on a pattern additive if an unchanged format admits only such texts. */
function asImplied({ path, place, before, after }: SchemaChange, found: Verdict): Verdict {
  const formats = [place.before, place.after].map((view) => node(at(view, path.owner)).format);
  const isDate = path.keyword === "pattern" && formats.every((format) => format === "date");
  return isDate && [before, after].every((text) => text === undefined || text === datePattern)
    ? { ...found, kind: "additive" }
    : found;
}

/** Compares two formats. Only number formats can contain each other. */
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

function classifyType({ place, before, after }: SchemaChange): Verdict[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  const covers = (types: readonly string[], type: string) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const isLost = now !== null && (old === null || old.some((type) => !covers(now, type)));
  const isGained = old !== null && (now === null || now.some((type) => !covers(old, type)));
  const effect: Effect = isLost && isGained ? "both" : isLost ? "narrows" : "widens";
  const [oldType, newType] = [typeNamed(before), typeNamed(after)];
  const what = `values of type ${effect === "narrows" ? `other than ${newType}` : newType}`;
  return [classifyValues("type", place.side, { effect, what, before: oldType, after: newType })];
}

function typeNamed(type: unknown): string {
  return type === noType ? "null" : typeof type === "string" ? type : "any";
}

function typesOf(type: unknown): string[] | null {
  return typeof type === "string" ? type.split(" or ").filter((name) => name !== noType) : null;
}

/** Classifies each added and removed value of an enum. A replaced constant is one change. */
function classifyListed({ place, before, after }: SchemaChange): Verdict[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const verdictOf = (effect: Effect, what: string) =>
    classifyValues("values", place.side, { effect, what, before, after });
  if (old === null) return [verdictOf("narrows", `other values than ${list(now ?? [])}`)];
  if (now === null) return [verdictOf("widens", `other values than ${list(old)}`)];
  const added = now.filter((value) => !old.includes(value));
  const removed = old.filter((value) => !now.includes(value));
  if (removed.length === old.length) return [verdictOf("both", list(now))];
  return [
    ...removed.map((value) => ({ ...verdictOf("narrows", list([value])), before: value, after: null })),
    ...added.map((value) => ({ ...verdictOf("widens", list([value])), before: null, after: value })),
  ];
}

/** Classifies the values of an open list. Clients must accept unknown values and cannot rely on known ones. */
function classifyOpen(change: SchemaChange): Verdict[] {
  if (change.before === undefined || change.after === undefined)
    return [
      wording(
        "open-values",
        `An open list of known values ${change.after === undefined ? "was removed" : "was added"}.`,
        change.before,
        change.after,
      ),
    ];
  return classifyListed(change).map((found) => ({ ...found, rule: "open-values", kind: "additive" }));
}

function valuesOf(text: unknown): string[] | null {
  return typeof text === "string" ? (JSON.parse(text) as string[]) : null;
}

function list(values: readonly string[]): string {
  return values.map((value) => `\`${value.replace(/^"|"$/g, "")}\``).join(", ");
}

/** Classifies a keyword that appears or disappears. `whenThere` is the effect of its appearance on the allowed values. */
function classifyFlag(
  { place, before, after }: SchemaChange,
  rule: string,
  what: string,
  whenThere: "narrows" | "widens",
): Verdict {
  const opposite = whenThere === "narrows" ? "widens" : "narrows";
  const effect = after === undefined ? opposite : whenThere;
  return classifyValues(rule, place.side, { effect, what, before, after });
}

function classifyClosed(change: SchemaChange): Verdict[] {
  const found = classifyFlag(change, "closed", "undocumented keys", "narrows");
  const isHarmless = change.place.side === "response" && !change.path.owner.includes("contentSchema");
  return [isHarmless ? { ...found, kind: "additive" } : found];
}

function classifyProperty({ path, place, before, after }: SchemaChange): Verdict[] {
  const rule = after === undefined ? "property-removed" : "property-added";
  const breaking = (description: string) => [verdict(rule, true, description, before, after)];
  const additive = (description: string) => [verdict(rule, false, description, before, after)];
  const key = `the key \`${path.name}\``;
  if (place.side === "request") {
    if (after === undefined) return breaking(`Requests with ${key} are refused from now on.`);
    const isRequired = at(place.after, [...path.owner, "required", path.name ?? ""]) === true;
    if (isRequired) return breaking(`Requests without ${key} are refused from now on.`);
    return additive(`Requests may now have ${key}.`);
  }
  const wasOptional = at(place.before, [...path.owner, "required", path.name ?? ""]) !== true;
  if (after === undefined && wasOptional)
    return additive(`Answers no longer have ${key}, which they could lack before.`);
  if (after === undefined) return breaking(`Answers no longer have ${key}; a client that reads it finds nothing.`);
  if (refusesUnknownKeys({ path, place }))
    return breaking(`Records of the stream now have ${key}; a client has to refuse a record with an unknown key.`);
  return additive(`Answers now have ${key}; a client that refuses unknown keys needs its new types first.`);
}

/** Returns whether the schema is a record of a stream, in which clients must refuse unknown keys. Elsewhere clients ignore them. */
function refusesUnknownKeys({ path, place }: Pick<SchemaChange, "path" | "place">): boolean {
  return path.owner.includes("contentSchema") && at(place.before, [...path.owner, "closed"]) === true;
}

/** Classifies a key that becomes required or optional. A new or removed key is reported only as a property. */
function classifyRequired({ path, place, before, after }: SchemaChange): Verdict[] {
  const owned = (view: unknown) => (path.name ?? "") in node(at(view, [...path.owner, "properties"]));
  if (owned(place.before) !== owned(place.after)) return [];
  const effect = after === undefined ? "widens" : "narrows";
  const what = `no key \`${path.name}\``;
  return [
    classifyValues("required", place.side, { effect, what, before: requirement(before), after: requirement(after) }),
  ];
}

function classifyDefault({ place, before, after }: SchemaChange): Verdict[] {
  if (place.side === "response")
    return [wording("default", "The documented default of a field differs.", before, after)];
  const isNew = before === undefined;
  const description = isNew
    ? `Leaving it out is now documented to mean \`${after}\`.`
    : `Leaving it out meant \`${before}\`${after === undefined ? " and is no longer documented" : ` and now means \`${after}\``}.`;
  return [verdict("default", !isNew, description, before, after)];
}

function classifyDiscriminator({ before, after }: SchemaChange): Verdict[] {
  const isNew = before === undefined;
  const description = isNew
    ? `Generated code distinguishes the forms by \`${after}\`.`
    : `Generated code no longer distinguishes the forms by \`${before}\`.`;
  return [verdict("discriminator", !isNew, description, before, after)];
}

/** Classifies a discriminator value that selects another form. A new or removed form is reported only as a form. */
function classifyMapping({ path, place, before, after }: SchemaChange): Verdict[] {
  const [old, now] = [place.before, place.after].map((view) => node(node(at(view, path.owner)).branches));
  const isInOneForm = (label: unknown) =>
    label !== undefined && String(label) in node(old) !== String(label) in node(now);
  if (path.name === undefined || isInOneForm(before) || isInOneForm(after)) return [];
  const description =
    after === undefined
      ? `Generated code no longer knows which form \`${path.name}\` is.`
      : `Generated code reads \`${path.name}\` as the form \`${after}\`.`;
  return [verdict("discriminator", before !== undefined, description, before, after)];
}

function classifyNote({ path, before, after }: SchemaChange): Verdict[] {
  return [noteVerdict(path.name ?? "", before, after)];
}

function classifyUnknown({ path, before, after }: SchemaChange): Verdict[] {
  return [unknownVerdict(path.keyword === "other" ? (path.name ?? "") : path.keyword, before, after)];
}

/** Classifies a difference within a schema, and names its place in readable form. */
export function classifyBelowSchema(difference: Difference, pair: Pair, side: Side, place: string): Classification {
  const depth = difference.path.indexOf("schema") + 1;
  const [root, path] = [difference.path.slice(0, depth), difference.path.slice(depth)];
  const views = { before: at(pair.before.tree, root), after: at(pair.after.tree, root) };
  const verdicts = classifySchema({ ...difference, path }, { side, ...views });
  const { field } = splitSchemaPath(path);
  return { place: field === "" ? place : `${place}: ${field}`, verdicts };
}
