import { browserPage, pageHead } from "../frame.ts";
import { html } from "../html.ts";

/** Renders the page of the log of the data. */
export function eventsPage(): string {
  return browserPage({
    place: null,
    title: "What changed",
    style: "/events/browser/events.css",
    script: "/events/browser/list.js",
    intro: pageHead("What changed", "Gaps, late data, corrections and revisions of the stored data."),
    form: html`<form id="filters" class="row" hidden>
<label class="field"><span>Kind</span><select id="kind"></select></label>
<label class="field"><span>Feed</span><select id="feed"></select></label>
<p id="limits" class="muted" hidden></p>
</form>`,
    picture: html`<section id="found" hidden>
<h2 id="found-count" tabindex="-1"></h2>
<ol id="events"></ol>
<button id="more" type="button" class="quiet" hidden>Older events</button>
<p id="since" class="muted"></p>
</section>`,
    patterns: html``,
  });
}
