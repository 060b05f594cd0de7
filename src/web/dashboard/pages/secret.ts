import type { Response } from "express";
import type { NewSecret } from "../../../access/keys.ts";
import { html } from "../../html.ts";
import { sendPage } from "../page.ts";
import { ownerOf } from "../session-guard.ts";
import { facts, instant } from "./formatting.ts";

const titles = { created: "Key made", rotated: "Key rotated" };

/** Environment variable of the samples and the command line. */
const variable = "ITEMTAPE_API_KEY";
const paths = { project: "/v1/items?limit=1", personal: "/v1/me/portfolios" } as const;

/**
 * Sends the only page that shows a secret, as the response to the form that made it. The secret is plain text, because browsers keep the
 * content of fields in their history.
 */
export function sendSecret(res: Response, { key, secret }: NewSecret, what: "created" | "rotated"): void {
  const isRotated = what === "rotated";
  const body = html`<h1>${isRotated ? "New secret of" : "Secret of"} ${key.name}</h1>
<p>${isRotated ? "The old secret has stopped working. " : ""}<strong>Copy it first</strong>, before you go to the program that reads it: it is on this page only, hidden as soon as you leave this tab, and cannot be shown again.</p>
<section id="secret-box" class="secret" aria-labelledby="secret-title" data-key="${key.keyId}">
<h2 id="secret-title">Secret</h2>
<p class="value"><code id="secret" translate="no">${secret}</code></p>
<p class="actions" id="secret-actions" hidden><button id="copy" type="button">Copy the secret</button> <button id="copy-line" class="quiet" type="button" data-before="${variable}=">Copy as a line of .env</button> <span id="remaining" class="muted"></span></p>
<p id="secret-status" role="status"></p>
</section>
<noscript><p>Without JavaScript the secret stays on this page until you leave it: leave it as soon as you have copied the secret.</p></noscript>
${facts([
  ["Key", key.name],
  ["Expires", instant(key.expiresAt)],
  ["Scopes", html`<code>${key.scopes.join(" ")}</code>`],
  ["Key id", html`<code>${key.keyId}</code>`],
])}
<section aria-labelledby="call"><h2 id="call">First call</h2>
<p>With the line <code>${variable}=…</code> in the environment of a shell:</p>
<pre tabindex="0"><code>echo "Authorization: Bearer $${variable}" | curl -H @- "${baseOf(res)}${paths[key.kind]}"</code></pre></section>
<p>Send it as <code>Authorization: Bearer</code> with each request: never in an address, never in the code of a web page.</p>
<p class="actions"><a class="button quiet" href="/dashboard/keys">Back to the keys</a></p>`;
  sendPage(res, { title: titles[what], owner: ownerOf(res), body, scripts: ["/dashboard/browser/secret.js"] });
}

/** Returns the address by which this browser reaches the service. The form's origin was already checked. */
function baseOf({ req }: Response): string {
  return req.headers.origin ?? `http://${req.headers.host ?? "127.0.0.1:8080"}`;
}
