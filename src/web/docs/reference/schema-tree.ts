import { type Html, html } from "../../html.ts";
import { type ContractNode, entriesOf, listedValues, listOf, textOf } from "../contract-node.ts";
import { enumMeanings } from "./enum-meanings.ts";
import type { Reference } from "./reference.ts";
import { boundsOf, shapeOf, typeText } from "./schema-facts.ts";

/** Maximum numbers of nested fields and of enum values that are shown unfolded. */
const unfoldedFieldsMax = 6;
const unfoldedValuesMax = 6;

/**
 * Position in the tree. `level` is 0 for the root. `above` lists the enclosing schemas. `marksRequired` marks required fields, otherwise
 * optional ones are marked.
 */
type Place = { readonly level: number; readonly above: readonly ContractNode[]; readonly marksRequired: boolean };

/** Renders the fields of a response as a tree. For a stream it renders the fields of its records. */
export function answerTree(schema: unknown, reference: Reference): Html {
  const { contentSchema } = reference.resolve(schema);
  const root = contentSchema === undefined ? schema : reference.resolve(contentSchema).items;
  return partsOf(root, reference, { level: 0, above: [], marksRequired: false });
}

/** Renders the fields of a request body as a tree. */
export function bodyTree(schema: unknown, reference: Reference): Html {
  return partsOf(schema, reference, { level: 0, above: [], marksRequired: true });
}

/** Renders the text below a field or parameter: description, bounds and possible values. */
export function schemaText(schema: unknown, description: string, reference: Reference): Html {
  const { words, pattern } = boundsOf(schema, reference.resolve);
  const { lead, list } = valuesOf(schema, description, reference);
  const bounds = words.length === 0 && pattern === "" ? "" : boundsLine(words, pattern);
  return html`${lead === "" ? "" : reference.prose(lead)}${bounds}${list}`;
}

function boundsLine(words: readonly string[], pattern: string): Html {
  const form = pattern === "" ? html`` : html`${words.length === 0 ? "" : " · "}<code>${pattern}</code>`;
  return html`<p class="bounds">${words.join(" · ")}${form}</p>\n`;
}

/** Renders the values of an enum with their meanings, and returns the rest of the description. */
function valuesOf(schema: unknown, description: string, reference: Reference): { lead: string; list: Html } {
  const { resolve, prose } = reference;
  const { node, description: nearest } = shapeOf(schema, resolve);
  const isList = node.type === "array";
  const target = isList ? shapeOf(node.items, resolve) : null;
  const values = listedValues(target?.node ?? node).map(String);
  const own = description || nearest;
  if (values.length === 0 || (target?.node ?? node).const !== undefined) return { lead: own, list: html`` };
  // If the field's own description has no meanings, the description of its type supplies them.
  const ofType = textOf((target?.node ?? node).description);
  const first = enumMeanings(own, values);
  const hasMeanings = first.meanings.some(({ text }) => text !== "");
  const { lead, meanings } = hasMeanings || own === ofType ? first : { ...enumMeanings(ofType, values), lead: own };
  const rows = meanings.map(
    ({ values: names, text }) =>
      html`<dt>${names.map((name, index) => html`${index === 0 ? "" : ", "}${codeWord(name, reference)}`)}</dt><dd>${text === "" ? "" : prose(text)}</dd>\n`,
  );
  const isBare = meanings.every(({ text }) => text === "");
  const list = isBare
    ? html`<p class="bounds">One of ${values.map((value, index) => html`${index === 0 ? "" : ", "}<code>${value}</code>`)}</p>\n`
    : html`<dl class="values">\n${rows}</dl>\n`;
  const folded =
    values.length > unfoldedValuesMax && !isBare
      ? html`<details><summary>${values.length} values</summary>\n${list}</details>\n`
      : list;
  const isOpen = (target?.node ?? node).enum === undefined;
  return { lead, list: isOpen ? html`${folded}<p class="bounds">Later versions may add values.</p>\n` : folded };
}

/** Renders a value, with a link to its page if it is an error code. */
function codeWord(word: string, { codeTarget }: Reference): Html {
  const target = codeTarget(word);
  return target === null ? html`<code>${word}</code>` : html`<a href="${target}"><code>${word}</code></a>`;
}

/** Renders the fields of an object or of a list's entries; nothing for a plain value. */
function partsOf(schema: unknown, reference: Reference, place: Place): Html {
  const { node, variants } = shapeOf(schema, reference.resolve);
  if (variants.length > 0) return kinds(variants, reference, place);
  if (node.items !== undefined) return partsOf(node.items, reference, place);
  const fields = entriesOf(node.properties);
  if (fields.length === 0) return html``;
  if (place.above.includes(node)) return html`<p class="bounds">The same fields as above.</p>\n`;
  const required = new Set(listOf(node.required));
  const inner = { ...place, above: [...place.above, node] };
  const rows = fields.map(([name, field]) => fieldRow(name, field, required.has(name), reference, inner));
  return html`<ul class="tree">\n${rows}</ul>\n`;
}

function fieldRow(name: string, schema: unknown, isRequired: boolean, reference: Reference, place: Place): Html {
  const { marksRequired, level } = place;
  const need =
    isRequired === marksRequired ? html` <span class="need">${isRequired ? "required" : "may be left out"}</span>` : "";
  const parts = partsOf(schema, reference, { ...place, level: level + 1 });
  const count = countOf(schema, reference);
  const isOpen = name !== "meta" && (level === 0 || count <= unfoldedFieldsMax);
  const folded = parts.text.startsWith("<ul")
    ? html`<details${isOpen ? html` open` : ""}><summary>${count} fields</summary>\n${parts}</details>\n`
    : parts;
  return html`<li><p class="field-head"><code>${name}</code> <span class="type">${typeText(name, schema, reference.resolve)}</span>${need}</p>
${schemaText(schema, "", reference)}${folded}</li>
`;
}

function countOf(schema: unknown, reference: Reference): number {
  const { node } = shapeOf(schema, reference.resolve);
  return node.items === undefined ? entriesOf(node.properties).length : countOf(node.items, reference);
}

/** Renders alternatives of a union, each folded below the value that identifies it. */
function kinds(variants: readonly unknown[], reference: Reference, place: Place): Html {
  const rows = variants.map((variant, index) => {
    const { node, description } = shapeOf(variant, reference.resolve);
    const type = entriesOf(node.properties).find(([, field]) => reference.resolve(field).const !== undefined);
    const name =
      type === undefined ? `Kind ${index + 1}` : `${type[0]}: ${JSON.stringify(reference.resolve(type[1]).const)}`;
    const isOpen = place.level === 0 && index < 2;
    return html`<details class="kind"${isOpen ? html` open` : ""}><summary><code>${name}</code></summary>
${reference.prose(description)}${partsOf(variant, reference, { ...place, level: place.level + 1 })}</details>
`;
  });
  return html`${rows}`;
}
