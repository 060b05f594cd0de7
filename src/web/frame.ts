import { type Html, html } from "./html.ts";
import { type Place, shell } from "./shell.ts";

/**
 * A page that reads the API for its visitor, who is signed in or gives a key. `place`: where the navigation has it. `intro` and `form` stand above the status
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

/** Returns title and first sentence of a page. On a wide screen the name of its reader is beside them. */
export function pageHead(title: string, sentence: string): Html {
  return html`<div class="page-head"><h1>${title}</h1>
<p class="muted">${sentence}</p></div>`;
}

/** As whom a page reads, or how it could. `Session` shows one of them. */
export const access = html`<p id="signed-in" class="access row" hidden><strong id="account"></strong></p>
<p id="gate" class="access row" hidden><span><a id="sign-in" href="/dashboard/sign-in">Sign in</a>, or <button id="to-key" type="button" class="link">paste an API key</button>.</span>
<span id="link-hint" class="muted" hidden><code>npx itemtape sign-in</code> prints a link.</span></p>
<p id="key-used" class="row" hidden><span>Key <code id="key-end"></code></span>
<button id="forget" type="button" class="quiet">Forget key</button></p>`;

/** The form of a key that is typed, below what the page shows; an owner who is signed in needs none. */
export const keyForm = html`<details id="use-key"><summary>Use an API key</summary><form id="key-form" class="row">
<label class="field"><span>API key</span>
<input id="key" type="password" required autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="itemtape_live_…"></label>
<button class="quiet">Use key</button>
<label class="choice"><input id="keep" type="checkbox"><span>Keep until this tab closes</span></label>
</form></details>`;
