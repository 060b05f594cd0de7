import type { RequestHandler } from "express";
import type { OwnerActivity } from "../../../access/owners/owner-reads.ts";
import { type Html, html } from "../../html.ts";
import { sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { ownerOf } from "../session-guard.ts";
import { instant } from "./formatting.ts";

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

/** What a change of the owner or of a portfolio is called, by the beginning of what was recorded about it. */
const ownerChanges: readonly (readonly [recorded: RegExp, title: string])[] = [
  [/^invited /, "Sign-in link made"],
  [/^password set/, "Password set by a link"],
  [/^password changed/, "Password changed"],
  [/^signed out everywhere/, "Signed out everywhere"],
  [/^portfolio \S+ was made public/, "Portfolio shared"],
  [/^portfolio \S+ was made private/, "Portfolio no longer shared"],
  [/^portfolio \S+ was given away/, "Portfolio given away"],
  [/^portfolio \S+ was received/, "Portfolio received"],
  [/^portfolio \S+ was deleted/, "Portfolio deleted"],
  [/^portfolio \S+ was created/, "Portfolio made"],
  [/^portfolio \S+ was renamed/, "Portfolio renamed"],
  [/^portfolio \S+ was filled/, "File imported"],
];

/** Shows what happened to the account and its keys, newest first. */
export function activityPage({ reads }: DashboardParts): RequestHandler {
  return async (req, res) => {
    const owner = ownerOf(res);
    const beforeId = beforeOf(req.url);
    const found = await reads.activity(owner.accountId, { beforeId, limit: rowsOfPage + 1 });
    const shown = found.slice(0, rowsOfPage);
    const oldest = shown.at(-1)?.activityId;
    const older = found.length > rowsOfPage && oldest !== undefined;
    const body = html`<h1>Activity</h1>
<p>What happened to this account and its keys, newest first. Secrets are never part of it.</p>
${shown.length === 0 ? html`<p>Nothing${beforeId === null ? " yet" : " older"}.</p>` : table(shown)}
<nav class="actions" aria-label="Pages of the activity">
${beforeId === null ? "" : html`<a href="/dashboard/activity">Newest</a> `}${older ? html`<a href="/dashboard/activity?before=${oldest}" rel="next">Older</a>` : ""}
</nav>`;
    sendPage(res, { title: "Activity", owner, body });
  };
}

function table(rows: readonly OwnerActivity[]): Html {
  const cells = rows.map(
    (
      row,
    ) => html`<tr><td>${instant(row.at)}</td><td><strong>${titleOf(row)}</strong>${keyOf(row)}${detailOf(row)}</td></tr>
`,
  );
  return html`<table class="log"><caption class="hidden">Activity, newest first</caption>
<thead><tr><th scope="col">When</th><th scope="col">What</th></tr></thead>
<tbody>
${cells}</tbody></table>`;
}

function titleOf({ kind, detail }: OwnerActivity): string {
  if (kind !== "owner_changed") return kinds[kind] ?? kind;
  return ownerChanges.find(([recorded]) => recorded.test(detail ?? ""))?.[1] ?? "Account changed";
}

function keyOf({ keyId, keyName }: OwnerActivity): Html | string {
  if (keyId === null) return "";
  return html` <span class="name">${keyName ?? ""}</span> <code>${keyId}</code>`;
}

/** Instants in it are for machines; a person gets minutes. */
function detailOf({ detail }: OwnerActivity): Html | string {
  if (detail === null) return "";
  const readable = detail.replace(/(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})[\d:.]*Z/g, "$1 $2 UTC");
  return html`<br><span class="muted">${readable}</span>`;
}

/** null: from the newest on; so is anything that is no number. */
function beforeOf(url: string): number | null {
  const before = Number(new URLSearchParams(url.split("?")[1]).get("before"));
  return Number.isSafeInteger(before) && before > 0 ? before : null;
}
