import { type Html, html } from "../../html.ts";
import type { ContractNode } from "../contract-node.ts";
import { textOf } from "../contract-node.ts";
import { referencePath } from "../documented.ts";
import { type MarkdownDocument, parseMarkdown } from "../markdown.ts";
import { costText, methodBadge, planText } from "./badges.ts";
import { originMark } from "./operation-page.ts";
import type { Reference } from "./reference.ts";

/** Renders the basics for every client, and all operations with plan and cost. Its base address is `originMark`. */
export function overviewArticle({ contract, operations }: Reference): Html {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const groups = tags.map((tag) => {
    const rows = operations
      .filter((operation) => operation.tag === tag)
      .map(
        (operation) => html`<tr><td><a href="${referencePath(operation)}"><code>${operation.operationId}</code></a></td>
<td class="route-cell">${methodBadge(operation)} <code>${operation.path}</code></td>
<td>${operation.summary}</td>
<td class="plan plan-${operation.plan}">${planText(operation)}</td><td>${costText(operation)}${operation.isExport ? " and 1 export start" : ""}</td></tr>
`,
      );
    return html`<tbody><tr><th scope="rowgroup" colspan="5">${tag}</th></tr>\n${rows}</tbody>\n`;
  });
  return html`<h1>API reference</h1>
<p class="lead">A read-only API over the Counter-Strike 2 data that this server has stored: items, quotes, histories, indexes, rates, returns of containers and
portfolios. Contract ${contract.document.info.version}: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1) · <a href="/llms.txt">llms.txt</a> · <a href="/client/">clients</a></p>
${cards}
<h2 id="operations">Operations</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Operations">
<table class="operations">
<thead><tr><th scope="col">Operation</th><th scope="col">Request</th><th scope="col">Effect</th><th scope="col">Plan</th><th scope="col">Cost</th></tr></thead>
${groups}</table>
</div>`;
}

const cards = html`<div class="cards">
<section><h2>Base address</h2>
<p><code>${originMark}/v1</code></p>
<p>JSON in and out. An answer is <code>{"data", "meta"}</code>; exports are lines of JSON.</p></section>
<section><h2>Authentication</h2>
<p><code>Authorization: Bearer itemtape_live_…</code></p>
<p>A project key reads the market, a personal token selected portfolios. Send it in that header only. <a href="/docs/conventions#credentials">More</a></p></section>
<section><h2>Errors</h2>
<p><code>application/problem+json</code> with a <code>code</code> of <a href="/problems">this list</a>.</p>
<p>A refused request costs no unit. Retry 429 and 503 only, after <code>Retry-After</code>. <a href="/docs/conventions#plans-quota-and-retries">More</a></p></section>
<section><h2>Paging</h2>
<p>Send <code>meta.next_cursor</code> as <code>cursor</code>, or <code>meta.next_page</code> as <code>after</code>, until it is null. Each page is a request.</p></section>
<section><h2>Money</h2>
<p>Whole US cents: <code>12345</code> is $123.45. Unknown is <code>null</code> or an absent row, never 0. Rates and levels are decimal strings.</p></section>
<section><h2>Times</h2>
<p>UTC, <code>2026-01-15T12:00:00.000Z</code>. <code>as_of</code> is when the source observed, null where it did not say; <code>generated_at</code> is no price time.</p></section>
</div>`;

/** Returns the contract's description of the API, section by section, including keys. */
export function conventions({ contract, codeTarget }: Reference): MarkdownDocument {
  const { info } = contract.document;
  const { components } = contract.document as unknown as {
    components: { securitySchemes: Record<string, ContractNode> };
  };
  const keys = Object.values(components.securitySchemes).map(({ description }) => textOf(description));
  const text = `# API conventions\n\n${textOf(info.description)}\n\n## Form and life of a key\n\n${keys.join("\n\n")}\n`;
  return parseMarkdown(text, (target) => target, codeTarget);
}
