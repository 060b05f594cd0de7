import { browserPage } from "../frame.ts";
import { helpMark } from "../help.ts";
import { type Html, html } from "../html.ts";

/**
 * Renders the page of one item: its prices now and over time. Its script reads the id from the address.
 * @param pictures Origins of item pictures, separated by spaces.
 */
export function itemPage(pictures: string): string {
  return browserPage({
    place: "/market",
    title: "Item",
    style: "/market/browser/item.css",
    script: "/market/browser/item.js",
    intro: html`<div class="item-head"><p class="crumbs"><a href="/market">Market</a> /</p><span id="picture"></span><h1 id="name">Item</h1><p id="tags"></p></div>`,
    form: html``,
    picture: html`<div id="item" data-pictures="${pictures}" hidden>
<div id="switches"></div>
<dl id="facts"></dl>
<div class="item-body">
${chart}
${providers}
</div>
${words}
<div id="sources"></div>
</div>`,
    patterns,
  });
}

const chart = html`<section id="chart" aria-label="Price over time">
<div class="toolbar">
<div id="ranges" class="chips" role="group" aria-label="Range"></div>
<label><span class="hidden">Resolution</span><select id="resolution"></select></label>
<div id="sides" class="chips" role="group" aria-label="Sides"></div>
<div id="panels" class="chips" role="group" aria-label="Panels"></div>
<div id="unit" class="chips" role="group" aria-label="Unit"></div>
<div id="scale" class="chips" role="group" aria-label="Scale"></div>
</div>
<p id="plan-note" class="chart-line muted"></p>
<div class="legend-row"><div id="legend" class="legend" role="group" aria-label="Lines"></div>
<div class="combobox">
<label class="hidden" for="compare">Compare with another item</label>
<input id="compare" type="text" role="combobox" aria-expanded="false" aria-controls="compare-found" aria-autocomplete="list"
 aria-describedby="compare-hint" autocomplete="off" spellcheck="false" maxlength="120" placeholder="Compare with …">
<ul id="compare-found" role="listbox" aria-label="Items found" hidden></ul>
<span id="compare-hint" class="muted" aria-live="polite"></span>
</div>
</div>
<div class="plot-area"><button id="whole" type="button" class="quiet" hidden>Whole range</button>
<div id="plots"></div></div>
<p id="spoken" class="hidden" aria-live="polite"></p>
<div class="chart-line"><button id="csv" type="button" class="link">Download CSV</button>
<button id="copy" type="button" class="link">Copy link</button>
<button id="refresh" type="button" class="link">Refresh</button>
${helpMark("the chart", "Asks are solid, bids dashed. Press a name to colour its line. Drag to zoom, double-click to see the whole range. Times are UTC. “As known at” reads the chart once more and dots the prices of that time.")}
<form id="known-form"><label for="known">As known at (UTC)</label>
<input id="known" type="datetime-local" step="60" aria-describedby="known-note"><button type="submit" class="quiet">Show</button>
<button id="known-off" type="button" class="link" hidden>Remove</button><span id="known-note" class="muted" aria-live="polite"></span></form></div>
</section>`;

/** Columns of quotes. On phones the first two are beside the provider, the others below. */
const quoteColumns = ["Ask", "Bid", "Spread", "Qty", "Age", "Checked"];
const columnHead = (name: string) => html`<th scope="col" role="columnheader" class="number">${name}</th>`;

// Explicit roles: in the phone layout, some browsers drop the table semantics of rows and cells.
const providers = html`<section id="providers" aria-labelledby="providers-title">
<div class="section-head"><h2 id="providers-title">Providers</h2>${helpMark("age and checked", "Age: when the market last showed this price. Checked: when we last asked.")}</div>
<p id="no-quotes" class="muted" hidden>No prices now.</p>
<div class="scroll" id="provider-table" tabindex="0" role="region" aria-label="Quotes by provider">
<table class="providers" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Provider</th>${quoteColumns.map(columnHead)}</tr></thead>
<tbody id="provider-rows" role="rowgroup"></tbody></table></div>
</section>`;

const words = html`<details><summary>Gaps and marks</summary>
<ul id="causes" class="causes" aria-label="Meaning of the marks under the plot"></ul>
<div id="gaps"></div></details>
<details id="all-rows"><summary>Points as a table</summary>
<div id="rows-place" class="scroll" tabindex="0" role="region" aria-label="All points"></div></details>`;

/** One pattern per cause, so that causes differ without colour. */
const patterns: Html = html`<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
<pattern id="pattern-item_missing" class="item_missing" width="6" height="6" patternUnits="userSpaceOnUse">
<path d="M-1 1l2-2M0 6l6-6M5 7l2-2"/></pattern>
<pattern id="pattern-no_quote" class="no_quote" width="6" height="6" patternUnits="userSpaceOnUse">
<circle cx="3" cy="3" r="1.4"/></pattern>
<pattern id="pattern-no_frame" class="no_frame" width="6" height="6" patternUnits="userSpaceOnUse">
<path d="M0 0l6 6M6 0l-6 6"/></pattern>
<pattern id="pattern-no_observation" class="no_observation" width="6" height="4" patternUnits="userSpaceOnUse">
<path d="M0 2h6"/></pattern>
<pattern id="pattern-not_begun" class="not_begun" width="8" height="8" patternUnits="userSpaceOnUse">
<path d="M4 3v2"/></pattern>
</defs></svg>`;
