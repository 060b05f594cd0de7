import { type Html, html } from "./html.ts";
import { type Place, shell } from "./shell.ts";

/**
 * Content of a page that reads the API for a signed-in visitor or with a key. `place` is its place in the navigation, null without one. `intro` and `form`
 * are above the status line, `picture` is below it. `patterns` are SVG patterns for other drawings.
 */
type BrowserPage = {
  readonly place: Place | null;
  readonly title: string;
  readonly style: string;
  readonly script: string;
  readonly intro: Html;
  readonly form: Html;
  readonly picture: Html;
  readonly patterns: Html;
};

/** Renders the page, with scripts and styles of this server. */
export function browserPage({ place, title, style, script, intro, form, picture, patterns }: BrowserPage): string {
  return shell({
    title: `${title} · Itemtape`,
    current: place,
    styles: ["/browser/uplot.css", "/browser/shared.css", style],
    scripts: ["/browser/uplot.js", script],
    main: html`${intro}
<noscript><p>This page needs JavaScript; the API does not: see <a href="/openapi.json">openapi.json</a>.</p></noscript>
${access}
${form}
<p id="status" class="status" role="status"></p>
<div id="problem" class="problem" role="alert"></div>
<div id="lacking" role="status"></div>
${picture}
${keyForm}
${patterns}`,
  });
}

/** Returns the title and first sentence of a page. On wide screens the account is shown beside them. */
export function pageHead(title: string, sentence: string): Html {
  return html`<div class="page-head"><h1>${title}</h1>
<p class="muted">${sentence}</p></div>`;
}

/** Shows the current access, or how to sign in. `Session` shows one of the parts. */
export const access = html`<p id="signed-in" class="access row" hidden><strong id="account"></strong></p>
<p id="gate" class="access row" hidden><span><a id="sign-in" href="/dashboard/sign-in">Sign in</a>, or <button id="to-key" type="button" class="link">paste an API key</button>.</span>
<span id="link-hint" class="muted" hidden><code>npx itemtape sign-in</code> prints a link.</span></p>
<p id="key-used" class="row" hidden><span>Key <code id="key-end"></code></span>
<button id="forget" type="button" class="quiet">Forget key</button></p>`;

/** Form for a typed key, below the content. Signed-in owners do not need it. */
export const keyForm = html`<details id="use-key"><summary>Use an API key</summary><form id="key-form" class="row">
<label class="field"><span>API key</span>
<input id="key" type="password" required autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="itemtape_live_…"></label>
<button class="quiet">Use key</button>
<label class="choice"><input id="keep" type="checkbox"><span>Keep until this tab closes</span></label>
</form></details>`;
