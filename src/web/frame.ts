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
${picture}
${patterns}`,
  });
}

/** Returns title and first sentence of a page. On a wide screen what it reads as stands beside them. */
export function pageHead(title: string, sentence: string): Html {
  return html`<div class="page-head"><h1>${title}</h1>
<p class="muted">${sentence}</p></div>`;
}

/** How a page reads: for who is signed in, for who looks around a demo, or with a key. `Session` listens to it. */
export const access = html`<p id="signed-in" class="access row" hidden><span>Read as <strong id="account"></strong> on the <span id="plan"></span> plan · <span id="page-cost"></span></span></p>
<p id="look-offer" class="access row" hidden><button id="look" type="button">Look around</button>
<span class="muted">This is a demo: item names are real, prices are made up.</span></p>
<details id="key-fold" class="access"><summary id="key-title">Sign in, or use a key</summary>
<p id="sign-in-offer"><a id="sign-in" href="/dashboard/sign-in">Sign in</a> and pages read for you, on the allowance of your account. A key works, too.</p>
<form id="key-form" class="row">
<label class="field wide"><span>API key</span>
<input id="key" type="password" required autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="itemtape_live_…"></label>
<button>Use key</button>
<label class="choice"><input id="keep" type="checkbox"><span>Keep it until this tab is closed</span></label>
</form></details>
<p id="key-used" class="row" hidden><span>Key <code id="key-end"></code> in use · <span id="cost"></span></span>
<button id="forget" type="button" class="quiet">Forget key</button></p>`;
