import type { RequestHandler } from "express";
import type { OwnerActivity } from "../../../access/owners/owner-reads.ts";
import { type Html, html } from "../../html.ts";
import { sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { ownerOf } from "../session-guard.ts";
import { instant, instantText } from "./formatting.ts";

const rowsOfPage = 50;

const kinds: Readonly<Record<string, string>> = {
  account_created: "Account opened",
  account_disabled: "Account disabled",
  account_enabled: "Account enabled",
  plan_changed: "Plan changed",
  plan_purchased: "Plan bought",
  account_renamed: "Account renamed",
  key_created: "Key created",
  key_rotated: "Key rotated",
  key_revoked: "Key revoked",
};

/** Titles of changes of the owner or of a portfolio, by the recorded text. Named groups contain details that the title lacks. */
const ownerChanges: readonly (readonly [recorded: RegExp, title: string])[] = [
  [/^invited (?<login>.*)$/, "Sign-in link made"],
  [/^password set(?:, login (?<login>.*))?$/, "Password set by a link"],
  [/^password changed$/, "Password changed"],
  [/^signed in from (?<place>.*)$/, "Signed in"],
  [/^signed in by a link from (?<place>.*)$/, "Signed in by a link"],
  [/^signed out everywhere$/, "Signed out everywhere"],
  [/^portfolio (?<portfolio>\S+) was made public$/, "Portfolio shared"],
  [/^portfolio (?<portfolio>\S+) was made private$/, "Portfolio no longer shared"],
  [/^portfolio (?<portfolio>\S+) was given away$/, "Portfolio given away"],
  [/^portfolio (?<portfolio>\S+) was received$/, "Portfolio received"],
  [/^portfolio (?<portfolio>\S+) was deleted$/, "Portfolio deleted"],
  [/^portfolio (?<portfolio>\S+) was created$/, "Portfolio made"],
  [/^portfolio (?<portfolio>\S+) was renamed$/, "Portfolio renamed"],
  [/^portfolio (?<portfolio>\S+) was filled from a file$/, "File imported"],
  [/^portfolio (?<portfolio>\S+) had its last import undone$/, "Import undone"],
];

/** Shows the activity of the account and its keys, newest first. */
export function activityPage({ reads }: DashboardParts): RequestHandler {
  return async (req, res) => {
    const owner = ownerOf(res);
    const beforeId = beforeOf(req.url);
    const found = await reads.activity(owner.accountId, { beforeId, limit: rowsOfPage + 1 });
    const shown = found.slice(0, rowsOfPage);
    const oldest = shown.at(-1)?.activityId;
    const older = found.length > rowsOfPage && oldest !== undefined;
    const body = html`<h1>Activity</h1>
<p>Events of this account and its keys, newest first, without secrets.</p>
${shown.length === 0 ? html`<p>Nothing${beforeId === null ? " yet" : " older"}.</p>` : table(shown)}
<nav class="actions" aria-label="Pages of the activity">
${beforeId === null ? "" : html`<a href="/dashboard/activity">Newest</a> `}${older ? html`<a href="/dashboard/activity?before=${oldest}" rel="next">Older</a>` : ""}
</nav>`;
    sendPage(res, { title: "Activity", owner, body });
  };
}

function table(rows: readonly OwnerActivity[]): Html {
  const cells = rows.map((row) => {
    const { title, more } = wordsOf(row);
    const below = more === null ? "" : html`<br><span class="muted">${more}</span>`;
    return html`<tr><td>${instant(row.at)}</td><td><strong>${title}</strong>${keyOf(row)}${below}</td></tr>
`;
  });
  return html`<table class="log"><caption class="hidden">Activity, newest first</caption>
<thead><tr><th scope="col">When</th><th scope="col">What</th></tr></thead>
<tbody>
${cells}</tbody></table>`;
}

/** Returns the title of a row and its further details; null without any. */
function wordsOf({ kind, detail }: OwnerActivity): { title: string; more: Html | string | null } {
  if (kind !== "owner_changed") return { title: kinds[kind] ?? kind, more: detail === null ? null : readable(detail) };
  for (const [recorded, title] of ownerChanges) {
    const match = recorded.exec(detail ?? "");
    if (match === null) continue;
    const { login, place, portfolio } = match.groups ?? {};
    if (portfolio !== undefined) return { title, more: html`<code>${portfolio}</code>` };
    return { title, more: login === undefined ? (place ?? null) : `login ${login}` };
  }
  return { title: "Account changed", more: detail };
}

/** Formats recorded instants like the column beside them, and removes the consent version, which is only for programs. */
function readable(detail: string): string {
  const words = detail.replace(/, consent \d+$/, "");
  return words.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, (timestamp) => instantText(Date.parse(timestamp)));
}

function keyOf({ keyId, keyName }: OwnerActivity): Html | string {
  if (keyId === null) return "";
  return html` <span class="name">${keyName ?? ""}</span> <code>${keyId}</code>`;
}

/** Returns the id to continue before; null for the newest rows, and for an invalid number. */
function beforeOf(url: string): number | null {
  const before = Number(new URLSearchParams(url.split("?")[1]).get("before"));
  return Number.isSafeInteger(before) && before > 0 ? before : null;
}
