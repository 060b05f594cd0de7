import { parse } from "yaml";
import type { Edits } from "./contract-diff-document.ts";

/**
 * A change of the small document, made after `first`. `operations` are the reported operations, or empty for the whole document. `there`
 * has the kinds and rules of its findings, `back` of the reversed change. A rewrite without a change for clients has no findings.
 */
export type Seed = { name: string; operations: string[]; there: string; back: string; edits: Edits; first: Edits };

const table = `
# Operations
- [an operation goes, read, breaking operation-removed, additive operation-added, { "paths./rows/{row_id} -": }]
- [an operation has another id, read, breaking operation-id, breaking operation-id, { read.operationId: readRow }]
- [an operation has another path, ask, breaking moved, breaking moved, { paths >: [/batch, /batches] }]
- [an operation has another method, ask, breaking moved, breaking moved, { paths./batch >: [post, put] }]
- [an operation of a referenced path item goes, list, breaking operation-removed, additive operation-added,
    { components.pathItems.Moved.get -: },
    { components.pathItems: {}, components.pathItems.Moved =: paths./rows, paths./rows: { $ref: "#/components/pathItems/Moved" } }]
- [an operation is deprecated, list, additive deprecated, wording deprecated, { list.deprecated: true }]
# Parameters
- [a required parameter is new, list, breaking parameter-added, breaking parameter-removed,
    { list.parameters +: { name: a, in: query, required: true } }]
- [an optional parameter is new, list, additive parameter-added, breaking parameter-removed,
    { list.parameters +: { name: a, in: query } }]
- [a query parameter has another name, list, breaking parameter-renamed, breaking parameter-renamed, { q.name: search }]
- [a path parameter has another name, read, breaking parameter-renamed, breaking parameter-renamed,
    { read.parameters.0.name: id, paths >: ["/rows/{row_id}", "/rows/{id}"] }]
- [a parameter moves into a header, list,
    "additive parameter-added, breaking parameter-removed", "additive parameter-added, additive parameter-removed",
    { q.in: header }]
- [a parameter becomes required, list, breaking required, additive required, { q.required: true }]
- [a parameter has another type, list, breaking type, breaking type, { q.schema.type: integer }]
- [a number may be a fraction, list, additive type, may-break type, { limit.schema.type: number }]
- [a lower bound rises, list, breaking bound, additive bound, { limit.schema.minimum: 10 }]
- [an upper bound rises, list, additive bound, breaking bound, { limit.schema.maximum: 200 }]
- [a text may be longer, list, additive bound, breaking bound, { q.schema.maxLength: 90 }]
- [a pattern differs, list, breaking pattern, breaking pattern, { q.schema.pattern: ^b }]
- [a pattern goes, list, additive pattern, breaking pattern, { q.schema.pattern -: }]
- [a pattern of all dates goes, list, additive pattern, additive pattern, { q.schema.pattern -: },
    { q.schema: { type: string, format: date, pattern: '^\\d{4}-\\d{2}-\\d{2}$' } }]
- [a value is new, list, additive values, breaking values, { list.parameters.side.schema.enum +: both }]
- [a default differs, list, breaking default, breaking default, { limit.schema.default: 20 }]
- [a default goes, list, breaking default, additive default, { limit.schema.default -: }]
- [a format differs, list, may-break format, may-break format, { q.schema.format: date }, { q.schema.format: date-time }]
- [an integer is larger, list, additive format, may-break format, { limit.schema.format: int64 }]
# Bodies
- [a body becomes required, ask, breaking required, additive required, { body.required: true }]
- [a body is new, read, additive body-added, may-break body-removed, { read.requestBody: { content: {} } }]
- [a body has a second media type, ask, additive media-type, breaking media-type, { body.content.application/cbor: {} }]
- [a list may be longer, ask, additive bound, breaking bound, { request.properties.ids.maxItems: 200 }]
- [an optional key is new, ask, additive property-added, breaking property-removed, { request.properties.a: {} }]
- [a key becomes required, ask, breaking required, additive required, { request.required +: note }]
- [a required key is new, ask, breaking property-added, breaking property-removed, { request.properties.a: {}, request.required +: a }]
- [a key is never null, ask, breaking nullable, additive nullable, { request.properties.note.type: string }]
- [a key has a second form, ask, additive branch, breaking branch, { request.properties.own: { oneOf: ["@Own", { type: string }] } }]
- [a keyword has no rule, ask, may-break unknown-keyword, may-break unknown-keyword, { request.not: { required: [note] } }]
# Responses with few values
- [a list of distinct values may be longer than there are values, list, additive bound, additive bound, { row.tags.maxItems: 9 },
    { row.tags: { type: array, uniqueItems: true, maxItems: 2, items: { type: string, enum: [a, b] } } }]
- [a pattern of digits goes, list, breaking pattern, additive pattern, { row.id.pattern -: },
    { row.id: { type: string, minLength: 4, maxLength: 4, pattern: '^[0-9a-f]{4}$' } }]
- [a pattern of addresses goes, list, breaking pattern, additive pattern, { row.id.pattern -: },
    { row.id: { type: string, format: uri, pattern: '^https://' } }]
# References
- [a tighter bound stands beside a reference, ask, breaking bound, additive bound, { own.maximum: 3 }]
- [a looser bound is below another beside the reference, ask, additive bound, breaking bound,
    { schemas.Own.maximum: 20 }, { own.maximum: 9 }]
- [fewer values stand beside a reference, ask, breaking values, additive values, { own.enum: [2] }, { schemas.Own: { enum: [1, 2] } }]
- [null is excluded beside a reference, ask, breaking nullable, additive nullable,
    { own.type: string }, { schemas.Own: { type: [string, "null"] } }]
- [a second pattern stands beside a reference, ask, breaking all-of, additive all-of,
    { own.pattern: b$ }, { schemas.Own: { type: string, pattern: ^a } }]
- [one of several schemas requires a key, ask, breaking required, additive required, { schemas.Own.allOf.1.required: [b] },
    { schemas.Own: { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] } }]
- [a schema below \`not\` differs, ask, may-break unknown-keyword, may-break unknown-keyword,
    { schemas.Loop.properties.a: true }, { schemas.Own: { not: "@Loop" } }]
- [a schema below \`if\` differs, ask, may-break unknown-keyword, may-break unknown-keyword,
    { schemas.Loop.properties.a: true }, { schemas.Own: { if: "@Loop" } }]
- [a schema below \`contains\` differs, ask, may-break unknown-keyword, may-break unknown-keyword,
    { schemas.Loop.properties.a: true }, { schemas.Own: { contains: "@Loop" } }]
- [a schema below \`propertyNames\` differs, ask, may-break unknown-keyword, may-break unknown-keyword,
    { schemas.Loop.properties.a: true }, { schemas.Own: { propertyNames: "@Loop" } }]
- [a schema below \`prefixItems\` differs, ask, may-break unknown-keyword, may-break unknown-keyword,
    { schemas.Loop.properties.a: true }, { schemas.Own: { prefixItems: ["@Loop"] } }]
- [a schema below \`patternProperties\` differs, ask, may-break unknown-keyword, may-break unknown-keyword,
    { schemas.Loop.properties.a: true },
    { schemas.Own: { patternProperties: { ^a: "@Loop" } } }]
- [a referenced callback differs, read, may-break unknown-keyword, may-break unknown-keyword,
    { components.callbacks.Later.later: { put: {} } },
    { components.callbacks: { Later: { later: { post: {} } } }, read.callbacks: { later: { $ref: "#/components/callbacks/Later" } } }]
- [a referenced link differs, list, may-break unknown-keyword, may-break unknown-keyword, { components.links.Next.operationId: ask },
    { components.links: { Next: { operationId: read } }, rows.links: { next: { $ref: "#/components/links/Next" } } }]
- [a referenced webhook differs, "", may-break unknown-keyword, may-break unknown-keyword, { components.pathItems.Told.post: {} },
    { components.pathItems: { Told: {} }, webhooks: { told: { $ref: "#/components/pathItems/Told" } } }]
# Answers
- [success has another status, list,
    "breaking response-added, breaking response-removed", "breaking response-added, breaking response-removed",
    { list.responses >: ["200", "206"] }]
- [a refusal is new, list, additive response-added, additive response-removed, { list.responses.410: { description: Gone. } }]
- [an answer 304 is new without a condition, list, breaking response-added, additive response-removed,
    { list.responses.304: { description: As before. } }]
- [an answer 304 is new with its condition, list,
    "additive parameter-added, additive response-added", "additive parameter-removed, additive response-removed",
    { list.responses.304: { description: As before. }, list.parameters +: { name: If-None-Match, in: header } }]
- [an answer has another media type, list,
    "additive media-type, breaking media-type", "additive media-type, breaking media-type",
    { rows.content >: [application/json, text/csv] }]
- [a header is new, list, additive header-added, additive header-removed, { rows.headers.Age: {} }]
- [a header may be absent, list, breaking header-required, additive header-required, { rows.headers.Limit.required: false }]
- [a header has another type, list, breaking type, may-break type, { rows.headers.Limit.schema.type: string }]
- [a header for caches differs, list, additive values, additive values, { rows.headers.Vary.schema.const: Accept }]
- [a key of a record is new, stream, breaking property-added, additive property-removed, { schemas.End.properties.bytes: {} }]
- [an opened record has a new key, stream,
    "breaking closed, breaking property-added", "additive closed, additive property-removed",
    { schemas.End.properties.bytes: {}, schemas.End.additionalProperties -: }]
- [a key of an answer is new, list, additive property-added, additive property-removed, { row.b: {} }]
- [an object is opened, list, additive closed, additive closed, { schemas.Row.additionalProperties -: }]
- [a key of an open object is new, list, additive property-added, additive property-removed,
    { row.b: {} }, { schemas.Row.additionalProperties -: }]
- [a key may be absent, list, breaking required, additive required, { schemas.Row.required: [id] }]
- [a key may be null, list, breaking nullable, additive nullable, { row.id.type: [string, "null"] }]
- [a referenced key may be null, list, breaking nullable, additive nullable, { row.kind: { anyOf: ["@Kind", { type: "null" }] } }]
- [a key that was always null has a value, list, breaking type, additive type,
    { row.units: { type: [integer, "null"] } }, { row.units: { type: "null" } }]
- [a value of an answer is new, list, breaking values, additive values, { schemas.Kind.enum +: barter }]
- [a closed list becomes open, list, "breaking values, wording open-values", "additive values, wording open-values",
    { schemas.Kind: { type: string, x-extensible-enum: [cash, trade] } }]
- [a value of an open list is new, list, additive open-values, additive open-values,
    { schemas.Kind.x-extensible-enum +: barter }, { schemas.Kind: { type: string, x-extensible-enum: [cash, trade] } }]
- [a key of an answer has another name, list, additive property-renamed, additive property-renamed, { row >: [units, pieces] }]
- [a key of a request has another name, ask, breaking property-renamed, breaking property-renamed,
    { request.properties >: [note, remark] }]
- [an operation has another path and id, ask, "breaking moved, breaking operation-id", "breaking moved, breaking operation-id",
    { ask.operationId: askRows, paths >: [/batch, /batches] }]
- [a constant differs, list, breaking values, breaking values, { row.currency.const: EUR }]
- [a constant goes, list, breaking values, additive values, { row.currency.const -: }]
- [the format of an answer differs, list, may-break format, may-break format, { row.id.format: date }, { row.id.format: date-time }]
- [an integer of an answer is larger, list, may-break format, additive format, { row.units.format: int64 }]
- [a number of an answer is larger, list, breaking bound, additive bound, { row.units.maximum: 10 }]
- [the pattern of an answer differs, list, breaking pattern, breaking pattern, { row.id.pattern: ^b }]
- [a key has another type, list, breaking type, breaking type, { row.id.type: boolean }]
- [a list of an answer may be longer, list, additive bound, additive bound, { data.maxItems: 9000 }]
- [a page grows with its limit, list, additive bound, "additive bound, breaking bound",
    { data.maxItems: 200, limit.schema.maximum: 200 }]
- [a list within a page grows with the limit, list,
    "additive bound, breaking bound", "additive bound, breaking bound",
    { data.maxItems: 200, limit.schema.maximum: 200, row.tags.maxItems: 200 }]
- [a form of a record is new, stream, breaking branch, additive branch,
    { record.oneOf +: { type: object, properties: { type: { const: note } } } }]
- [a key becomes one of two forms, list, breaking branch, additive branch, { row.kind: { oneOf: ["@Kind", { type: integer }] } }]
- [one of two forms stays and has a new key, list,
    "additive branch, additive property-added", "additive property-removed, breaking branch",
    { row.b: { type: object, properties: { a: {}, b: {} } } },
    { row.b: { oneOf: [{ type: object, properties: { a: {} } }, { type: integer }] } }]
- [forms have no discriminator, stream, breaking discriminator, additive discriminator, { record.discriminator -: }]
- [a value leads to another form, stream, breaking discriminator, breaking discriminator,
    { record.discriminator.mapping.start: "#/components/schemas/End" }]
- [a further value leads to a form, stream, additive discriminator, breaking discriminator,
    { record.discriminator.mapping.begin: "#/components/schemas/Start" }]
# Problem codes
- [a code is new without an example, "", additive problem-code, additive values, { schemas.Code.enum +: new }]
- [a code is new with an example, list,
    "additive problem-code, breaking problem-code", "additive values, wording examples",
    { schemas.Code.enum +: new, problem.examples.new: { value: { code: new } } }]
- [an open code is new without an example, "", additive problem-code, additive open-values,
    { schemas.Code.x-extensible-enum +: new }, { schemas.Code: { type: string, x-extensible-enum: [gone, limited] } }]
- [a code is new in the only example, list,
    "additive problem-code, breaking problem-code, wording examples", "additive problem-code, additive values",
    { schemas.Code.enum +: new, problem.examples -: , problem.example: { code: new } }]
- [a known code has a first example, list, additive problem-code, wording examples,
    { problem.examples.limited: { value: { code: limited } } }]
# Access and cost
- [a scope is replaced, list, breaking security, breaking security, { list.security: [{ key: [portfolio] }] }]
- [any key is enough, list,
    "additive security, additive x-itemtape-scope", "breaking security, breaking x-itemtape-scope",
    { list.security: [{ key: [] }], list.x-itemtape-scope: any }]
- [an open operation requires any key, read,
    "breaking security, breaking x-itemtape-scope", "additive security, additive x-itemtape-scope",
    { read.security: [{ key: [] }], read.x-itemtape-scope: any }]
- [a second credential is accepted, list, additive security, breaking security,
    { list.security +: { other: [] } }, { components.securitySchemes.other: { type: http } }]
- [the key is sent otherwise, ask list stream, breaking security-scheme, breaking security-scheme,
    { components.securitySchemes.key.scheme: basic }]
- [a larger plan is required, list, breaking x-itemtape-plan, additive x-itemtape-plan, { list.x-itemtape-plan: paid }]
- [a request costs less, list, additive x-itemtape-cost, breaking x-itemtape-cost, { list.x-itemtape-cost: 0 }]
- [the cost is missing, list, may-break x-itemtape-cost, breaking x-itemtape-cost, { list.x-itemtape-cost -: }]
- [the cost is unknown, list, may-break x-itemtape-cost, may-break x-itemtape-cost, { list.x-itemtape-cost: few }]
- [the minute limit applies, list, breaking x-itemtape-minute, additive x-itemtape-minute, { list.x-itemtape-minute: true }]
- [the minute limit is not documented, list, may-break x-itemtape-minute, may-break x-itemtape-minute, { list.x-itemtape-minute -: }]
- [the server differs, "",
    "additive server, breaking server", "additive server, breaking server",
    { servers.0.url: https://b.example }]
- [a second server is new, "", additive server, breaking server, { servers +: { url: https://b.example } }]
# Wording
- [the summary differs, list, wording summary, wording summary, { list.summary: A }]
- [the description differs, list, wording description, wording description, { list.description: A }]
- [the tags differ, list, wording tags, wording tags, { list.tags: [A] }]
- [the text of a parameter differs, list, wording description, wording description, { q.description: A }]
- [the text of a body differs, ask, wording description, wording description, { body.description: A }]
- [the text of an answer differs, list, wording description, wording description, { rows.description: A }]
- [the text of a header differs, list, wording description, wording description, { rows.headers.Limit.description: A }]
- [the text of a key differs, list, wording description, wording description, { row.id.description: A }]
- [a schema has a title and an example, list,
    "wording examples, wording title", "wording examples, wording title",
    { schemas.Kind.title: A, schemas.Row.examples: [A] }]
- [a default of an answer is new, list, wording default, wording default, { row.id.default: a }]
- [an example of a parameter is new, list, wording examples, wording examples, { q.example: a }]
- [an example of an answer differs, list, wording examples, wording examples, { components.examples.Usual.summary: A }]
- [an example of an answer has another name, list, wording examples, wording examples,
    { rows.content.application/json.examples >: [usual, other] }]
- [an operation and a key have notes for tools, list, wording x-note, wording x-note, { list.x-note: A, row.id.x-note: A }]
- [the document has another version and description, "",
    "wording description, wording version", "wording description, wording version",
    { info.version: 1.0.1, info.description: A }]
- [the text of a tag differs, "", wording tag, wording tag, { tags.0.description: A }]
- [the text of a server differs, "", wording server, wording server, { servers.0.description: A }]
- [the text of a security scheme differs, ask list stream, wording description, wording description,
    { components.securitySchemes.key.description: A }]
# Rewrites
- [a referenced schema is written out, "", "", "", { row.kind =: schemas.Kind }]
- [a referenced response is written out, "", "", "", { list.responses.200 =: rows }]
- [a referenced example is written out, "", "", "", { rows.content.application/json.examples.usual =: components.examples.Usual }]
- [a referenced schema below \`not\` is written out, "", "", "", { schemas.Own.not =: schemas.Kind }, { schemas.Own: { not: "@Kind" } }]
- [a schema has another name, ask, breaking schema-renamed, breaking schema-renamed, { schemas >: [Own, Mine], own: "@Mine" }]
- [a response has another name, "", "", "",
    { components.responses >: [Rows, All], list.responses.200: { $ref: "#/components/responses/All" } }]
- [a form that a value leads to has another name, stream, breaking schema-renamed, breaking schema-renamed,
    { schemas >: [Start, First], record.oneOf.0: "@First", record.discriminator.mapping.start: "#/components/schemas/First" }]
- [a security scheme has another name, "", "", "",
    { components.securitySchemes >: [key, token], security: [{ token: [market] }], list.security: [{ token: [market] }] }]
- [a path item is referenced, "", "", "",
    { components.pathItems: {}, components.pathItems.Moved =: paths./rows, paths./rows: { $ref: "#/components/pathItems/Moved" } }]
- [required keys stand in another order, "", "", "", { schemas.Row.required ~: }]
- [values stand in another order, "", "", "", { schemas.Kind.enum ~: }]
- [parameters stand in another order, "", "", "", { list.parameters ~: }]
- [forms stand in another order, "", "", "", { record.oneOf ~: }]
- [schemas that must all fit stand in another order, "", "", "", { schemas.Own.allOf ~: },
    { schemas.Own: { allOf: [{ pattern: ^a, maxLength: 4 }, { maxLength: 3 }, { pattern: b$ }] } }]
- [a nullable reference is written as a type, "", "", "", { row.phase: { type: [string, "null"], enum: [cash, trade, null] } }]
- [a nullable type is written as a choice, "", "", "",
    { row.units: { anyOf: [{ type: "null" }, { type: integer, format: int32, minimum: 0, maximum: 9 }] } }]
- [a constant is written as a list of one, "", "", "", { row.currency: { type: string, enum: [USD] } }]
- [listed values are written without their type, "", "", "", { row.currency: { const: USD } }]
- [a constant number has bounds that it keeps, "", "", "",
    { row.units: { const: 2, minimum: 2, maximum: 2 } }, { row.units: { const: 2 } }]
- [a reference stands in a list of one, "", "", "", { row.kind: { allOf: ["@Kind"] } }]
- [a parameter stands at its path, "", "", "", { "paths./rows/{row_id}.parameters =": read.parameters, read.parameters: [] }]
- [the security of the document is not repeated, "", "", "", { list.security -: }]
- [default values are written, "", "", "", { row.id.minLength: 0, row.id.deprecated: false, q.required: false, q.style: form,
    q.explode: true, q.allowReserved: false, read.parameters.0.style: simple, rows.headers.Vary.style: simple }]
- [a description is wrapped otherwise, "", "", "", { list.description: Lists all rows. }, { list.description: "Lists\\nall rows.\\n" }]
- [a header is written in capitals, "", "", "", { rows.headers >: [Limit, LIMIT] }]
- [an unused component is new, "", "", "", { schemas.Unused: {} }]
- [the changelog has a further entry, "", "", "", { x-itemtape-changelog +: { change_id: 9 } }]
- [the largest integer is written as an exclusive bound, "", "", "", { limit.schema.maximum -: , limit.schema.exclusiveMaximum: 101 }]
- [looser values stand beside a reference, "", "", "", { own.enum: [a, b, null], own.type: [string, "null"], own.maxLength: 9 },
    { schemas.Own: { type: string, enum: [a], maxLength: 1 } }]
`;

type Row = [name: string, operations: string, there: string, back: string, edits: Edits, first?: Edits];

export const seeds: readonly Seed[] = (parse(table) as Row[]).map(
  ([name, operations, there, back, edits, first = {}]) => {
    return { name, operations: operations.split(" ").filter(Boolean), there, back, edits, first };
  },
);
