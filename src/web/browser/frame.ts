import { type Html, html } from "../html.ts";
import { type Place, shell } from "../shell.ts";

/**
 * A page that reads the API with its visitor's key. `place`: where the navigation has it. `intro` and `form` stand above the status
 * line, `picture` under it; `patterns` are drawings that others refer to.
 */
type BrowserPage = {
  readonly place: Place;
  readonly title: string;
  readonly style: string;
  readonly script: string;
  readonly intro: Html;
  readonly form: Html;
  readonly picture: Html;
  readonly patterns: Html;
};

/** Returns the page. Its scripts and styles are files of this server. */
export function browserPage({ place, title, style, script, intro, form, picture, patterns }: BrowserPage): string {
  return shell({
    title: `${title} · Itemtape`,
    current: place,
    styles: ["/browser/uplot.css", "/browser/shared.css", style],
    scripts: ["/browser/uplot.js", script],
    main: html`${intro}
<noscript><p>This page needs JavaScript; the API does not: see <a href="/openapi.json">openapi.json</a>.</p></noscript>
${keyForm}
${form}
<p id="status" class="status" role="status"></p>
<div id="problem" class="problem" role="alert"></div>
${picture}
${patterns}`,
  });
}

const keyForm = html`<form id="key-form" class="row">
<label class="field wide"><span>API key</span>
<input id="key" type="password" required autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="itemtape_live_…"></label>
<button>Use key</button>
<label class="choice"><input id="keep" type="checkbox"><span>Keep it until this tab is closed</span></label>
</form>
<p id="key-used" class="row" hidden><span>Key <code id="key-end"></code> in use · <span id="cost"></span></span>
<button id="forget" type="button" class="quiet">Forget key</button></p>`;
