import { browserPage, pageHead } from "../frame.ts";
import { type Html, html } from "../html.ts";

/** Renders the page that lists the price indexes. */
export function indexesPage(): string {
  return browserPage({
    place: "/indexes",
    title: "Indexes",
    style: "/indexes/browser/indexes.css",
    script: "/indexes/browser/list.js",
    intro: pageHead("Indexes", "Daily levels of groups of items."),
    form: html``,
    picture: html`<section id="found" hidden>
<h2 id="found-count" tabindex="-1"></h2>
<p id="first-level" class="muted" hidden></p>
<p id="none-yet" hidden>An operator defines them: <code>npx itemtape index define FILE</code>. <a href="/docs/guides/history#indexes">Indexes</a></p>
<div id="found-table" class="scroll wide-table" tabindex="0" role="region" aria-labelledby="found-count"><table class="index-list">
<thead><tr>
<th scope="col">Index</th>
<th scope="col" class="number">Level</th>
<th scope="col" class="number">1 day</th>
<th scope="col" class="number">7 days</th>
<th scope="col" class="number">30 days</th>
<th scope="col">Last 30 days</th>
<th scope="col" class="number">Since the base</th>
<th scope="col" class="number">Priced members</th>
</tr></thead>
<tbody id="rows"></tbody></table></div>
</section>`,
    patterns: html``,
  });
}

/** Renders the page of one index. Its script reads the id from the address. */
export function indexPage(): string {
  return browserPage({
    place: "/indexes",
    title: "Index",
    style: "/indexes/browser/indexes.css",
    script: "/indexes/browser/detail.js",
    intro: html`<p class="crumbs"><a href="/indexes">Indexes</a></p>
<h1 id="title">Index</h1>
<p id="subtitle" class="muted"></p>`,
    form: html``,
    picture,
    patterns,
  });
}

const picture = html`<div id="picture" hidden>
<dl id="headline" class="headline"></dl>
<section id="levels" class="panel" aria-labelledby="levels-title">
<div class="panel-head"><h2 id="levels-title">Level</h2>
<div class="toolbar">
<div id="ranges" class="chips" role="group" aria-label="Range"></div>
<div id="unit" class="chips" role="group" aria-label="Unit"></div>
<div id="scale" class="chips" role="group" aria-label="Scale"></div>
</div></div>
<div class="plot-area"><button id="whole" type="button" class="quiet" hidden>Whole range</button>
<div id="plot" tabindex="0" role="group" aria-label="Levels. Arrow keys move from day to day, Home and End to the ends."></div></div>
<p id="point" class="readout"></p>
<p id="spoken" class="hidden" aria-live="polite"></p>
<ul id="causes" class="causes" aria-label="Meaning of the marks under the plot"></ul>
<div class="chart-line"><button id="csv" type="button" class="link">Download CSV</button>
<button id="copy" type="button" class="link">Copy link</button></div>
<details id="level-rows"><summary>All days as a table</summary><div id="days" class="scroll" tabindex="0" role="region" aria-label="All days"></div></details>
</section>
<section class="panel" aria-labelledby="facts-title"><h2 id="facts-title">Composition</h2><dl id="facts" class="facts"></dl></section>
<section class="panel">
<div class="panel-head"><h2 id="members-title">Members</h2>
<label class="field version"><span>Version</span><select id="version"></select></label></div>
<div class="scroll" tabindex="0" role="region" aria-labelledby="members-title"><table class="index-list members" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Item</th><th scope="col" role="columnheader" class="number">Weight</th><th scope="col" role="columnheader">Added</th><th scope="col" role="columnheader">Removed</th></tr></thead>
<tbody id="members" role="rowgroup"></tbody></table></div>
<button id="more" type="button" class="quiet" hidden>More members</button>
</section>
</div>`;

/** One pattern per cause of a missing level, so that causes differ without colour. */
const patterns: Html = html`<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
<pattern id="pattern-few_priced" class="few_priced" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="1.4"/></pattern>
<pattern id="pattern-not_linked" class="not_linked" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2"/></pattern>
<pattern id="pattern-no_row" class="no_row" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 0l6 6M6 0l-6 6"/></pattern>
<pattern id="pattern-not_begun" class="not_begun" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M4 3v2"/></pattern>
</defs></svg>`;
