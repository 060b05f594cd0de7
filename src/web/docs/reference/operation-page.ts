import { access, keyForm } from "../../frame.ts";
import { type Html, html } from "../../html.ts";
import { type ContractNode, entriesOf, textOf } from "../contract-node.ts";
import type { Documented } from "../documented.ts";
import { sampleEndings, sampleLanguages, sampleText } from "../samples/sample.ts";
import { samplePath } from "../samples/target.ts";
import { methodBadge, termBadges } from "./badges.ts";
import { exampleHtml } from "./json-html.ts";
import { requestParts, tryFormId } from "./parameters.ts";
import { operationNode, type Reference } from "./reference.ts";
import { otherStatuses } from "./refusals.ts";
import { typeText } from "./schema-facts.ts";
import { answerTree } from "./schema-tree.ts";

/** Placeholder for the server's origin in pages that are rendered once for several origins. */
export const originMark = "http://origin.invalid";

/**
 * Renders one operation: parameters, notes, response fields and errors on the left, try-out, example and samples on the right. The samples
 * call `originMark`.
 */
export function operationArticle(operation: Documented, reference: Reference): Html {
  const node = operationNode(reference, operation);
  const answer = reference.resolve((node.responses as ContractNode)["200"]);
  const [lead = "", ...notes] = textOf(node.description).trim().split("\n\n");
  const [[mediaType, media] = ["", {}]] = entriesOf(answer.content);
  return html`<p class="crumbs"><a href="/docs">Docs</a> · ${operation.tag} · <code>${operation.operationId}</code></p>
<h1>${operation.summary}</h1>
<p class="route">${methodBadge(operation)} <code>${operation.path}</code> <span class="badges">${termBadges(operation)}</span></p>
<div class="lead">${reference.prose(lead)}</div>
<div class="pair">
<div class="sent">
${requestParts(node, reference)}</div>
<div class="received">
${tryPart(operation)}
${examplePart(media, mediaType, reference)}
${samplesPart(operation)}
</div>
<div class="rest">
${notesPart(notes, reference)}${fieldsPart(answer, media, reference)}
${otherStatuses(node, reference)}</div>
</div>`;
}

/** Renders the button that sends the request, and the place for its response. Shown by its script. */
function tryPart({ operationId, method, path, scope }: Documented): Html {
  const reader = scope === "none" ? "" : html`${access}\n${keyForm}`;
  return html`<section class="try" aria-labelledby="try-title" hidden>
<h2 id="try-title">Try it</h2>
${reader}
<form id="${tryFormId}" data-operation="${operationId}" data-method="${method}" data-path="${path}">
<button>Send</button> <button id="stop" type="button" class="quiet" hidden>Stop</button>
<p id="status" class="status" role="status"></p>
</form>
<div id="problem" class="problem" role="alert"></div>
<div id="answer" hidden>
<p id="answer-facts" class="bounds"></p>
<div id="answer-advice"></div>
<p id="answer-verdict"></p>
<pre class="json" tabindex="0" aria-label="Answer"><code id="answer-text"></code></pre>
</div>
</section>`;
}

function examplePart(media: ContractNode, mediaType: string, reference: Reference): Html {
  const examples = entriesOf(media.examples).map(([, example]) => reference.resolve(example));
  const parts = examples.map(
    ({ summary, value }) => html`<p class="bounds">${textOf(summary)}</p>\n${exampleHtml(value, textOf(summary))}\n`,
  );
  return html`<section aria-labelledby="example">
<h2 id="example">Example answer <span class="muted">200, ${mediaType}</span></h2>
${parts}</section>`;
}

/** Renders a sample program per language. Choosing a language needs no script. */
function samplesPart(operation: Documented): Html {
  const choices = sampleEndings.map(
    (ending, index) =>
      html`<input type="radio" name="language" id="language-${ending}"${index === 0 ? html` checked` : ""}><label for="language-${ending}">${sampleLanguages[ending].name}</label>
`,
  );
  const texts = sampleEndings.map(
    (ending) => html`<div class="sample sample-${ending}">
<p class="bounds"><a href="${samplePath(operation.operationId, ending)}">As a file</a> <button type="button" class="quiet copy" hidden>Copy</button></p>
<pre tabindex="0" aria-label="Sample in ${sampleLanguages[ending].name}"><code>${sampleText(operation, ending, originMark)}</code></pre>
</div>
`,
  );
  return html`<section class="samples" aria-labelledby="samples">
<h2 id="samples">Code samples</h2>
<fieldset>
<legend class="hidden">Language</legend>
${choices}${texts}</fieldset>
</section>`;
}

function notesPart(notes: readonly string[], reference: Reference): Html {
  if (notes.length === 0) return html``;
  return html`<section class="notes" aria-labelledby="notes">
<h2 id="notes">Notes</h2>
${reference.prose(notes.join("\n\n"))}</section>
`;
}

function fieldsPart(answer: ContractNode, media: ContractNode, reference: Reference): Html {
  const headers = entriesOf(answer.headers).map(([name, header]) => {
    const { description, schema } = reference.resolve(header);
    return html`<li><p class="field-head"><code>${name}</code> <span class="type">${typeText(name, schema, reference.resolve)}</span></p>
${reference.prose(textOf(description))}</li>
`;
  });
  return html`<section aria-labelledby="fields">
<h2 id="fields">Fields of the answer</h2>
${reference.prose(textOf(answer.description))}${answerTree(media.schema, reference)}
<details class="headers"><summary>Headers of the answer (${headers.length})</summary>
<ul class="tree">
${headers}</ul></details>
</section>`;
}
