import { browserPage } from "../frame.ts";
import { html } from "../html.ts";

const heading = "Openables";
const sentence = "The cost of opening a container, and its average outcome.";

/** Renders the page of container returns: a list of all containers, and one with its outcomes and history. */
export function openablesPage(): string {
  return browserPage({
    place: "/openables",
    title: "Openables",
    style: "/openables/browser/openables.css",
    script: "/openables/browser/main.js",
    intro: html`<div class="page-head"><p class="crumbs" id="crumbs" hidden><a id="back" href="/openables">Openables</a> /</p>
<h1 id="title" tabindex="-1">${heading}</h1>
<p id="subtitle" class="muted">${sentence}</p></div>`,
    form,
    picture: html`${list}
${detail}`,
    patterns,
  });
}

const form = html`<form id="controls-form">
<fieldset id="controls" disabled>
<legend class="hidden">Display</legend>
<fieldset class="field"><legend>Valued at</legend><div class="choices">
<label class="choice"><input type="radio" name="mode" value="cash_ask" checked><span>Cash markets</span></label>
<label class="choice"><input type="radio" name="mode" value="steam_gross"><span>Main platform</span></label>
</div></fieldset>
<div class="row" id="list-controls">
<label class="field text"><span class="hidden">Name</span><input id="text" type="search" maxlength="80" autocomplete="off" spellcheck="false" placeholder="Find a container"></label>
<details id="filters"><summary>Filter and sort</summary><div class="row">
<label class="field"><span>Type</span><select id="type"><option value="">all</option><option value="case">cases</option><option value="souvenir_package">souvenir packages</option><option value="capsule">capsules</option><option value="other">others</option></select></label>
<label class="field"><span>State</span><select id="state"><option value="">all</option><option value="active">active</option><option value="retired">retired</option></select></label>
<label class="field narrow"><span>Sorted by</span><select id="sort"><option value="return">return</option><option value="profit_chance">profit chance</option><option value="expected_value">expected value</option><option value="cost">cost</option><option value="coverage">coverage</option><option value="age">age of calculation</option><option value="name">name</option></select></label>
<label class="field narrow"><span>Order</span><select id="order"><option value="desc">highest first</option><option value="asc">lowest first</option></select></label>
<button id="reload" type="button" class="quiet">Refresh</button>
</div></details>
</div>
</fieldset>
</form>`;

const list = html`<section id="list" aria-labelledby="found" hidden>
<h2 id="found" tabindex="-1" aria-live="polite"></h2>
<p id="none-yet" hidden>An operator publishes the containers that a catalog lists: <code>npx itemtape openables draft @ianlucas/cs2-lib --adapter cs2-lib</code>, then <code>npx itemtape openables publish --all</code>. <a href="/docs/guides/returns">Returns of containers</a></p>
<p id="none-priced" hidden>No container has a price here. <a id="other-mode" href="/openables">Value at the other markets</a></p>
<p class="muted small" id="common"></p>
<table id="containers" role="table">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col" data-sort="name"><button type="button" data-sort="name">Container</button></th>
<th role="columnheader" scope="col" data-sort="cost"><button type="button" data-sort="cost">Cost</button></th>
<th role="columnheader" scope="col" data-sort="expected_value"><button type="button" data-sort="expected_value">Value</button></th>
<th role="columnheader" scope="col" class="interval">Value against cost<details class="why"><summary aria-label="Legend">?</summary><div>The dot is the expected value, between its lower and upper bound. The upright line is the cost.</div></details><div id="scale"></div></th>
<th role="columnheader" scope="col" data-sort="return"><button type="button" data-sort="return">Return</button></th>
<th role="columnheader" scope="col" data-sort="profit_chance"><button type="button" data-sort="profit_chance">Profit chance</button></th>
<th role="columnheader" scope="col" data-sort="coverage"><button type="button" data-sort="coverage">Coverage</button></th>
<th role="columnheader" scope="col" data-sort="age"><button type="button" data-sort="age">Confidence</button></th>
</tr></thead>
<tbody id="rows" role="rowgroup"></tbody>
</table>
<button id="more" type="button" class="quiet" hidden>Show 50 more</button>
</section>`;

const historyForm = html`<form id="history-form" class="row">
<fieldset class="field"><legend>Points</legend><div class="choices">
<label class="choice"><input type="radio" name="granularity" value="day" checked><span>Days</span></label>
<label class="choice"><input type="radio" name="granularity" value="hour"><span>Runs, by hour</span></label>
</div></fieldset>
<label class="field"><span>Window (UTC)</span><select id="days"><option value="7">last 7 days</option><option value="31" selected>last 31 days</option><option value="90">last 90 days</option><option value="366">last 366 days</option></select></label>
<label class="field"><span>Methodology</span><input id="methodology" type="text" maxlength="40" autocomplete="off" spellcheck="false" placeholder="that in force"></label>
</form>`;

const detail = html`<section id="detail" aria-labelledby="title" hidden>
<div class="panel">
<dl id="lead" class="lead"></dl>
<div id="worth"></div>
<div id="notice"></div>
</div>
<div class="panel" id="drops">
<h2>Best drops</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Best drops" id="drop-rows"></div>
</div>
<div class="panel">
<h2>Outcomes by value</h2>
<p id="distribution-note" class="muted"></p>
<div id="distribution" tabindex="0" role="group" aria-label="Outcomes by value. Arrow keys move from value to value, Home and End to the ends."></div>
<p id="bin" class="readout"></p>
<p class="muted small" id="box-note">Line: 5th to 95th percentile. Box: 25th to 75th with the median. Ring: 99th.</p>
<p id="spoken" class="hidden" aria-live="polite"></p>
<div class="scroll" tabindex="0" role="region" aria-label="Rarities" id="tiers"></div>
<details id="outcome-rows"><summary>Outcomes by contribution</summary><div id="outcomes" class="scroll" tabindex="0" role="region" aria-label="Outcomes"></div></details>
</div>
<div class="panel" id="made-of">
<h2>Confidence and sources</h2>
<div id="facts" class="facts"></div>
<div id="sources"></div>
</div>
<div class="panel">
<h2>History</h2>
${historyForm}
<div id="history-problem" class="problem" role="alert"></div>
<p id="history-note" class="muted"></p>
<div id="plots" tabindex="0" role="group" aria-label="History. Arrow keys move from point to point, Home and End to the ends." hidden></div>
<p id="point" class="readout"></p>
<p id="point-spoken" class="hidden" aria-live="polite"></p>
<ul id="marks" class="marks" aria-label="Meaning of the marks"></ul>
<details id="gaps"><summary>Gaps in words</summary><p id="gap-list" class="small"></p></details>
<details id="history-rows"><summary>All points as a table</summary><div id="all-rows" class="scroll" tabindex="0" role="region" aria-label="All points"></div></details>
</div>
<p class="muted">A model of asks, without fees and the time to sell. <a href="/docs/guides/returns">How it is calculated</a></p>
</section>`;

/** One pattern per cause of a missing price or point, so that causes differ without colour. */
const patterns = html`<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
<pattern id="pattern-unpriced" class="unpriced" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2"/></pattern>
<pattern id="pattern-no_row" class="no_row" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 0l6 6M6 0l-6 6"/></pattern>
<pattern id="pattern-held_back" class="held_back" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="1.4"/></pattern>
<pattern id="pattern-not_begun" class="not_begun" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M4 3v2"/></pattern>
</defs></svg>`;
