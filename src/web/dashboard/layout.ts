import type { Session } from "../../access/owners/sessions.ts";
import { type Html, html } from "../html.ts";
import { shell } from "../shell.ts";

/**
 * Parts of a page of the dashboard. `owner` null: nobody is signed in, so there is no navigation. `path` is the page's own. Styles
 * and scripts are those of `Shell`.
 */
export type Layout = {
  title: string;
  body: Html;
  owner: Session | null;
  csrfField: Html;
  path: string;
  styles: readonly string[];
  scripts: readonly string[];
};

const places: readonly { path: string; name: string; within: readonly string[] }[] = [
  { path: "/dashboard", name: "Overview", within: ["/dashboard/password"] },
  { path: "/dashboard/keys", name: "Keys", within: ["/dashboard/keys/", "/dashboard/tokens/"] },
  { path: "/dashboard/portfolios", name: "Portfolios", within: ["/dashboard/portfolios/"] },
  { path: "/dashboard/activity", name: "Activity", within: [] },
];

/** Returns a whole page of the dashboard. */
export function layout({ title, body, owner, csrfField, path, styles, scripts }: Layout): string {
  return shell({
    title: `${title} · Itemtape`,
    icon: "/dashboard/browser/icon.svg",
    styles: ["/dashboard/base.css", ...styles],
    scripts,
    body: html`<a class="skip" href="#content">Skip to the content</a>
${owner === null ? anonymousHeader : header(owner, csrfField, path)}
<main id="content" tabindex="-1">
${body}
</main>`,
  });
}

const anonymousHeader = html`<header class="bar"><div class="bar-in"><p class="brand">Itemtape dashboard</p></div></header>`;

function header(owner: Session, csrfField: Html, path: string): Html {
  const links = places.map(
    ({ path: place, name, within }) => html`<li><a href="${place}"${currentOf(place, within, path)}>${name}</a></li>
`,
  );
  return html`<header class="bar"><div class="bar-in">
<nav aria-label="Dashboard"><ul>
${links}</ul></nav>
<p class="who">${owner.accountName} <span class="muted">(${owner.login})</span></p>
<form method="post" action="/dashboard/sign-out">${csrfField}<button class="quiet">Sign out</button></form>
</div></header>`;
}

function currentOf(place: string, within: readonly string[], path: string): Html {
  if (place === path) return html` aria-current="page"`;
  return within.some((start) => path.startsWith(start)) ? html` aria-current="true"` : html``;
}
