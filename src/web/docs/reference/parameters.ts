import { type Html, html } from "../../html.ts";
import { type ContractNode, entriesOf, exampleValue, listOf, textOf } from "../contract-node.ts";
import { exampleHtml } from "./json-html.ts";
import type { Reference } from "./reference.ts";
import { shapeOf, typeText } from "./schema-facts.ts";
import { bodyTree, schemaText } from "./schema-tree.ts";

/** Id of the form that sends the request. Its fields are outside the form element. */
export const tryFormId = "try";

/**
 * Renders the parameters and body of an operation, each with a form field. Optional fields are empty, because an example would restrict the
 * response. A script shows the fields; without it only the text is visible.
 */
export function requestParts(operation: ContractNode, reference: Reference): Html {
  const { resolve } = reference;
  const parameters = listOf(operation.parameters).map(resolve);
  const rows = parameters.map((parameter) => parameterRow(parameter, reference));
  const list =
    rows.length === 0
      ? html`<p class="muted">None.</p>`
      : html`<ul class="parameters">
${rows}</ul>`;
  const body = operation.requestBody === undefined ? "" : bodyPart(resolve(operation.requestBody), reference);
  return html`<section aria-labelledby="parameters">
<h2 id="parameters">Parameters</h2>
${list}
</section>
${body}`;
}

function parameterRow(parameter: ContractNode, reference: Reference): Html {
  const { name, in: place, required, schema, description } = parameter;
  const id = `${place}-${name}`;
  const need = required === true ? html` <span class="need">required</span>` : "";
  return html`<li>
<p class="field-head"><label for="${id}"><code>${textOf(name)}</code></label> <span class="type">${typeText(textOf(name), schema, reference.resolve)} · ${textOf(place)}</span>${need}</p>
${inputOf(parameter, id, reference)}
<div class="field-text">${schemaText(schema, textOf(description), reference)}</div>
</li>
`;
}

function inputOf(parameter: ContractNode, id: string, reference: Reference): Html {
  const { name, in: place, required, schema } = parameter;
  const example = exampleValue(parameter);
  const { node } = shapeOf(schema, reference.resolve);
  const values = node.type === "boolean" ? ["true", "false"] : listOf(node.enum).map(String);
  const isNeeded = required === true;
  const common = html`id="${id}" form="${tryFormId}" name="${textOf(name)}" data-in="${textOf(place)}" hidden`;
  if (values.length > 0) {
    const options = values.map((value) => html`<option>${value}</option>`);
    return html`<select ${common}>${isNeeded ? "" : html`<option value="">not sent</option>`}${options}</select>`;
  }
  const isDay = isNeeded && node.format === "date";
  // The documented day is not in every market, so the script starts with yesterday.
  const value = isNeeded ? html` required value="${String(example)}"${isDay ? html` data-yesterday` : ""}` : html``;
  const hint = isNeeded || example === undefined ? html`` : html` placeholder="${hintOf(node, example)}"`;
  return html`<input ${common} type="text" autocomplete="off" spellcheck="false"${value}${hint}>`;
}

function hintOf(node: ContractNode, example: unknown): string {
  if (node.default !== undefined) return `${node.default} when empty`;
  const text = String(example);
  return text.length > 32 ? "" : `such as ${text}`;
}

function bodyPart(body: ContractNode, reference: Reference): Html {
  const [[, media] = ["", {}]] = entriesOf(body.content);
  const examples = entriesOf(media.examples).map(([, example]) => reference.resolve(example));
  const [first, ...others] = examples;
  const text = JSON.stringify(first?.value ?? {}, null, 2);
  const more = others.map(
    (example) => html`<details><summary>${textOf(example.summary)}</summary>
${exampleHtml(example.value, textOf(example.summary))}</details>
`,
  );
  return html`<section aria-labelledby="body">
<h2 id="body"><label for="body-text">Request body</label></h2>
${reference.prose(textOf(body.description))}
<textarea id="body-text" form="${tryFormId}" data-in="body" rows="${text.split("\n").length}" autocomplete="off" spellcheck="false">${text}</textarea>
${more}${bodyTree(media.schema, reference)}
</section>
`;
}
