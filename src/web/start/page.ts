import type { Contract } from "../../contract/document.ts";
import { grouped } from "../../values/money/money-text.ts";
import { roundAge } from "../../values/time/time-text.ts";
import { type Documented, referencePath } from "../docs/documented.ts";
import { samplePath } from "../docs/samples/target.ts";
import { type Html, html } from "../html.ts";
import { policyOf } from "../send-page.ts";
import { shell } from "../shell.ts";

/**
 * Counts on the start page. `quotes` is null if nothing is published. `checkedAt` is the last check of any feed (null if never), `at` is
 * now, both UTC ms.
 */
export type StartFacts = {
  readonly items: number;
  readonly providers: number;
  readonly quotes: number | null;
  readonly checkedAt: number | null;
  readonly at: number;
};

/** Policy of the start page: the search form leads to the market list, and a script reads for a signed-in owner. */
export const startPolicy = policyOf({ "form-action": "'self'", "script-src": "'self'", "connect-src": "'self'" });

type Example = { readonly value?: { readonly data: { readonly item_id: number } } };

const countsMark = "counts.invalid";
const hostMark = "host.invalid";
const shownId = "getMarketPrices";
const exampleName = "MarketPricesAvailable";

/** Returns a function that renders the start page of the service at `base` (an origin). Pass null as `facts` if they cannot be read. */
export function startPage(
  contract: Contract,
  operations: readonly Documented[],
): (facts: StartFacts | null, base: string) => string {
  let page: string | null = null;
  return (facts, base) => {
    page ??= markedPage(contract, operations);
    const counted = facts === null ? "" : counts(facts).text;
    return page.replace(countsMark, () => counted).replace(hostMark, () => html`${new URL(base).host}`.text);
  };
}

/** Renders the parts that do not depend on counts or base, with placeholders for the rest. */
function markedPage(contract: Contract, operations: readonly Documented[]): string {
  return shell({
    title: "Itemtape: prices of Counter-Strike 2 items",
    styles: ["/start/browser/start.css"],
    scripts: ["/start/browser/day.js"],
    main: html`<div class="first">
<div>
<h1>Every Counter-Strike 2 item's price on every market, with its age</h1>
<p class="lead">Itemtape reads the markets and stores quotes, their history with its gaps, indexes, and the returns of opening containers.</p>
<form class="find" action="/market" role="search">
<label class="hidden" for="q">Name of an item</label>
<input id="q" name="q" type="search" maxlength="120" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="karambit doppler, ak redline">
<button>Find</button>
</form>
${countsMark}
</div>
${call(contract, operations)}
</div>
${day}
${ways(operations)}
<p class="muted note">Contract ${contract.document.info.version}, in development: operations and fields may change.</p>`,
  });
}

/** Its script shows this to owners with a paid plan. */
const day = html`<section id="day" class="day" aria-labelledby="day-title" hidden>
<div class="day-head"><h2 id="day-title">The last day</h2><button id="day-show" type="button">Show moves</button></div>
<p id="day-status" class="muted" role="status">The largest moves between the last two days, among items with an ask at the same market on both.</p>
<div id="day-moves" class="moves" hidden>
<table><caption>Rose most</caption><tbody id="rose"></tbody></table>
<table><caption>Fell most</caption><tbody id="fell"></tbody></table>
</div>
</section>`;

function counts({ items, providers, quotes, checkedAt, at }: StartFacts): Html {
  const checked =
    checkedAt === null
      ? html`<dd>never</dd>`
      : html`<dd><time datetime="${new Date(checkedAt).toISOString()}">${roundAge(at - checkedAt)} ago</time></dd>`;
  return html`<dl class="counts">
<div><dt>Items</dt><dd>${grouped(items)}</dd></div>
<div><dt>${providers === 1 ? "Market" : "Markets"}</dt><dd>${grouped(providers)}</dd></div>
<div><dt>Quotes</dt><dd>${quotes === null ? "none" : grouped(quotes)}</dd></div>
<div><dt>Newest check</dt>${checked}</div>
</dl>`;
}

/** Renders a request with its example response from the contract. */
function call({ document }: Contract, operations: readonly Documented[]): Html {
  const shown = operations.find(({ operationId }) => operationId === shownId);
  const { components } = document as { components?: { examples?: Record<string, Example> } };
  const answer = components?.examples?.[exampleName]?.value;
  if (shown === undefined || answer === undefined) return html``;
  const path = shown.path.replace("{item_id}", String(answer.data.item_id));
  const samples = (["sh", "ts", "py"] as const).map(
    (ending, index) =>
      html`<a href="${samplePath(shownId, ending)}">${["curl", "TypeScript", "Python"][index] ?? ""}</a>\n`,
  );
  return html`<div class="call">
<div class="call-head"><h2>One request, answered by the demo world</h2><p><a href="${referencePath(shown)}">Reference</a> ${samples}</p></div>
<pre class="sent"><code><b>${shown.method}</b> ${path} <i>HTTP/1.1</i>
<i>Host:</i> ${hostMark}
<i>Authorization:</i> Bearer $ITEMTAPE_API_KEY</code></pre>
<pre class="got" tabindex="0" role="region" aria-label="The answer"><code>${coloured(JSON.stringify(answer, null, 2))}</code></pre>
</div>`;
}

function ways(operations: readonly Documented[]): Html {
  return html`<ul class="ways">
<li><h2><a href="/market">Look at the market</a></h2>
<p>Find an item, compare the asks and bids of all markets, and chart it. Missing prices are drawn as missing, with their cause.</p>
<p class="links"><a href="/openables">Openables</a> <a href="/indexes">Indexes</a> <a href="/dashboard">Dashboard</a></p></li>
<li><h2><a href="/docs/guides/clients">Build a client</a></h2>
<p>${operations.length} operations in one OpenAPI document, samples that run, exports that end with a count and a digest, and tools for agents.</p>
<p class="links"><a href="/docs">Reference</a> <a href="/client/">Clients</a> <a href="/openapi.json">openapi.json</a> <a href="/llms.txt">llms.txt</a></p></li>
<li><h2><a href="/docs/guides/start">Run your own</a></h2>
<p>One program and one SQLite file. It starts with a demo world and keys for it. One command serves live prices: <code>npx itemtape start --live skinport</code></p>
<p class="links"><a href="/docs/guides/live-prices">Live prices</a> <a href="/docs/guides/operating">Operating</a> <a href="/docs/guides/">All guides</a></p></li>
</ul>`;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(-?\d[\d.eE+-]*|true|false|null)\b/g;

/** Highlights names, texts and other values of indented JSON. */
function coloured(json: string): readonly Html[] {
  const parts: Html[] = [];
  let end = 0;
  for (const match of json.matchAll(token)) {
    const [whole, text, colon, value] = match;
    parts.push(html`${json.slice(end, match.index)}`);
    if (colon !== undefined) parts.push(html`<b>${text ?? ""}</b>${colon}`);
    else parts.push(text === undefined ? html`<i>${value ?? ""}</i>` : html`<s>${text}</s>`);
    end = match.index + whole.length;
  }
  return [...parts, html`${json.slice(end)}`];
}
