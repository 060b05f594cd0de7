import { browserPage } from "../browser/frame.ts";
import { type Html, html } from "../html.ts";

/** Returns the page that charts the price history of one item; everything on it comes from this server. */
export function chartsPage(): string {
  return browserPage({
    place: "/market",
    title: "Charts",
    style: "/charts/browser/charts.css",
    script: "/charts/browser/main.mjs",
    intro: html`<h1>Price history</h1>
<p class="muted">What one item was offered or wanted for, and why each missing point is missing. The page reads the API with your key.</p>`,
    form,
    picture,
    patterns,
  });
}

const form = html`<form id="chart-form">
<fieldset id="controls" disabled>
<legend class="hidden">What to chart</legend>
<div class="field wide combobox">
<label for="item">Item</label>
<input id="item" type="text" role="combobox" aria-expanded="false" aria-controls="items" aria-autocomplete="list" aria-describedby="item-hint"
 autocomplete="off" spellcheck="false" maxlength="120" placeholder="Part of its name, such as doppler">
<ul id="items" role="listbox" aria-label="Items found" hidden></ul>
<p id="item-hint" class="muted" aria-live="polite">Each search is one request.</p>
</div>
<div class="row">
<fieldset class="field"><legend>Resolution</legend><div class="choices">
<label class="choice"><input type="radio" name="resolution" value="daily" checked><span>Daily</span></label>
<label class="choice"><input type="radio" name="resolution" value="hourly"><span>Hourly</span></label>
</div></fieldset>
<label class="field"><span>Window (UTC)</span><select id="window"></select></label>
<div id="dates" class="row" hidden>
<label class="field"><span>From</span><input id="from" type="date"></label>
<label class="field"><span>To</span><input id="to" type="date"></label>
</div>
<fieldset class="field"><legend>Sides</legend><div class="choices">
<label class="choice"><input type="checkbox" name="side" value="ask" checked><span>Asks</span></label>
<label class="choice"><input type="checkbox" name="side" value="bid"><span>Bids</span></label>
</div></fieldset>
</div>
<fieldset class="field"><legend>Providers</legend><div id="providers" class="choices"><span class="muted">Known once a key is in use.</span></div></fieldset>
<button id="draw">Draw</button>
</fieldset>
</form>`;

const picture = html`<section id="picture" aria-labelledby="title" hidden>
<h2 id="title"></h2>
<p id="subtitle" class="muted"></p>
<div id="plots"></div>
<p id="spoken" class="hidden" aria-live="polite"></p>
<ul id="causes" class="causes" aria-label="Meaning of the marks under the plots"></ul>
<div class="point"><h3 id="point-time"></h3><div id="point" class="scroll" tabindex="0" role="region" aria-labelledby="point-time"></div></div>
<ul id="cards" class="cards" aria-label="Series"></ul>
<details><summary>Gaps in words</summary><div id="gaps" class="cards"></div></details>
<details id="rows"><summary>All rows as a table</summary><div id="all-rows" class="scroll" tabindex="0" role="region" aria-label="All rows"></div></details>
<p class="muted">Drag over a plot to zoom, double-click to see all of it. Times are UTC. A gap is never zero and nothing is carried over it.</p>
</section>`;

/** A pattern for each cause, so that they differ without colour. */
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
