import type { Request, RequestHandler } from "express";
import type { OwnerKey, ReadsOwners } from "../../../access/owners/owner-reads.ts";
import { OwnerRefusal } from "../../../access/owners/owner-refusal.ts";
import type { KeyUse } from "../../../store/read/owner-reads.ts";
import { grouped } from "../../../values/money/money-text.ts";
import { type Html, html } from "../../html.ts";
import { sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { queryOf } from "../request-context.ts";
import { ownerOf } from "../session-guard.ts";
import { dayName, facts, instant, notice, screenReaderOnly } from "./formatting.ts";

const endedOfPage = 50;
const liveOfPage = 20;
/** Up to this number, active keys have no search field, and ended keys are shown unfolded. */
const fewKeys = 6;
/** Maximum length of a search text: names, ends of secrets and ids are shorter. */
const textCharactersMax = 100;

type KeyState = "active" | "expired" | "revoked";

/** Context of a list of keys: the current time, and the units of this month by key, null if they were not counted. */
type Seen = { at: number; units: ReadonlyMap<string, number> | null };

/** Returns the state of a key. An expired key that was revoked counts as revoked. */
export function stateOf(key: Pick<OwnerKey, "revokedAt" | "expiresAt">, at: number): KeyState {
  if (key.revokedAt !== null) return "revoked";
  return at >= key.expiresAt ? "expired" : "active";
}

/**
 * Shows the active keys of the account with their actions, and the ended keys, each newest first and in pages. `q` in the address filters
 * active keys by name, end of the secret or id.
 */
export function keysPage({ clock, reads, usage }: DashboardParts): RequestHandler {
  return async (req, res) => {
    const owner = ownerOf(res);
    const at = clock.now();
    const { usage: month } = await reads.overview(owner.accountId, at);
    const units = await unitsOf(() => usage.byKey(owner.accountId, month.monthStartsAt, month.monthEndsAt));
    const live = await reads.liveKeys(owner.accountId, at);
    const page = pageOf(req, "ended");
    const offset = (page - 1) * endedOfPage;
    const found = await reads.endedKeys(owner.accountId, at, { limit: endedOfPage + 1, offset });
    const body = html`<h1>Keys</h1>
${await revokedNotice(req, reads, owner.accountId)}
<p>A key opens the API for a program of yours. Its secret is shown once, when the key is made or rotated.</p>
<p class="actions"><a class="button" href="/dashboard/keys/new">New project key</a>
<a class="button quiet" href="/dashboard/tokens/new">New personal token</a></p>
${liveSection(live, req, { at, units })}
${found.length === 0 && page === 1 ? "" : endedSection(found, req, { at, units })}`;
    sendPage(res, { title: "Keys", owner, body });
  };
}

/** Returns the units by key; null if too many counts are running. The list is shown without them. */
async function unitsOf(count: () => Promise<readonly KeyUse[]>): Promise<Seen["units"]> {
  try {
    return new Map((await count()).map(({ keyId, units }) => [keyId, units]));
  } catch (error) {
    if (error instanceof OwnerRefusal && error.code === "busy") return null;
    throw error;
  }
}

function liveSection(live: readonly OwnerKey[], req: Request, seen: Seen): Html {
  const q = (queryOf(req).get("q") ?? "").trim().slice(0, textCharactersMax);
  const found = live.filter((key) => hasText(key, q)).toSorted((a, b) => b.createdAt - a.createdAt);
  const last = Math.max(1, Math.ceil(found.length / liveOfPage));
  const page = Math.min(pageOf(req, "page"), last);
  const shown = found.slice((page - 1) * liveOfPage, page * liveOfPage);
  const none =
    q === ""
      ? html`<p>No key is in use.</p>`
      : html`<p>No key in use has <strong>${q}</strong> in its name, the end of its secret or its id. <a href="/dashboard/keys">All keys</a></p>`;
  return html`<section aria-labelledby="active"><h2 id="active">In use <span class="of">${q === "" ? "" : `${found.length} of `}${live.length}</span></h2>
${live.length > fewKeys || q !== "" ? findForm(q) : ""}
${shown.length === 0 ? none : list(shown, seen)}
${last === 1 ? "" : livePages(req, page, last)}
</section>`;
}

function hasText({ name, display, keyId }: OwnerKey, text: string): boolean {
  return [name, display, keyId].some((part) => part.toLowerCase().includes(text.toLowerCase()));
}

function findForm(q: string): Html {
  return html`<form class="find" role="search" action="/dashboard/keys"><label><span class="hidden">Find a key by name, end of its secret or id</span>
<input type="search" name="q" value="${q}" maxlength="${textCharactersMax}" placeholder="Name, end of the secret, or id" autocomplete="off" spellcheck="false"></label>
<button class="quiet">Find</button>${q === "" ? "" : html` <a href="/dashboard/keys">All keys</a>`}</form>`;
}

function livePages(req: Request, page: number, last: number): Html {
  const link = (to: number, rel: string, name: string) =>
    to < 1 || to > last ? "" : html`<a href="${addressOf(req, "page", to)}#active" rel="${rel}">${name}</a> `;
  return html`<nav class="actions" aria-label="Pages of the keys in use">${link(page - 1, "prev", "Newer")}${link(page + 1, "next", "Older")}<span class="muted">Page ${page} of ${last}</span></nav>`;
}

/** Renders ended keys. `found` contains one key more than a page if there is another page. */
function endedSection(found: readonly OwnerKey[], req: Request, seen: Seen): Html {
  const page = pageOf(req, "ended");
  const shown = found.slice(0, endedOfPage);
  const newer = page === 1 ? "" : html`<a href="${addressOf(req, "ended", page - 1)}#ended" rel="prev">Newer</a> `;
  const older =
    found.length > shown.length ? html`<a href="${addressOf(req, "ended", page + 1)}#ended" rel="next">Older</a>` : "";
  const isOpen = page > 1 || shown.length <= fewKeys;
  return html`<section aria-labelledby="ended"><h2 id="ended">Ended</h2>
<details class="fold"${isOpen ? html` open` : ""}><summary>Revoked and expired keys</summary>
${shown.length === 0 ? html`<p>None older.</p>` : list(shown, seen)}
${page === 1 && older === "" ? "" : html`<nav class="actions" aria-label="Pages of the ended keys">${newer}${older}</nav>`}
</details></section>`;
}

/** Returns the address of a page of one list, with the other list and the search unchanged. */
function addressOf(req: Request, list: "page" | "ended", page: number): string {
  const query = new URLSearchParams();
  for (const name of ["q", "page", "ended"]) {
    const value = name === list ? String(page) : queryOf(req).get(name);
    if (value !== null && value !== "") query.set(name, value);
  }
  return `/dashboard/keys?${String(query)}`;
}

/** Returns the page number in the query, from 1. An invalid number is 1. */
function pageOf(req: Request, name: string): number {
  const page = queryOf(req).get(name) ?? "";
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}

/** Renders a key for its owner, never with its secret. `count` is the number of requests this month, if known. */
export function keyFacts(key: OwnerKey, at: number, count?: string): Html {
  const rotated = key.rotatedAt === null ? [] : [["Rotated", instant(key.rotatedAt)] as const];
  const portfolios = key.kind === "personal" ? [["Portfolios", portfoliosOf(key)] as const] : [];
  return facts([
    ["Secret", html`<code>${key.display}</code>`],
    ["Kind", key.kind === "project" ? "Project key, for market data" : "Personal token, for portfolios"],
    ["Scopes", html`<code>${key.scopes.join(" ")}</code>`],
    ...portfolios,
    ["Created", instant(key.createdAt)],
    ...rotated,
    ["Last used", key.lastUsedDay === null ? "no request charged yet" : `${dayName(key.lastUsedDay)} (UTC)`],
    ...(count === undefined ? [] : [["Requests this month", count] as const]),
    endOf(key, at),
    ["Key id", html`<code>${key.keyId}</code>`],
  ]);
}

function endOf(key: OwnerKey, at: number): readonly [string, Html] {
  const state = stateOf(key, at);
  if (key.revokedAt !== null) return ["Revoked", instant(key.revokedAt)];
  return [state === "active" ? "Expires" : "Expired", instant(key.expiresAt)];
}

function portfoliosOf(key: OwnerKey): Html {
  const names = key.portfolios.map(({ portfolioId, name }) =>
    name === null
      ? html`<li><code>${portfolioId}</code> <span class="muted">not readable while it is not yours</span></li>`
      : html`<li><a href="/dashboard/portfolios/${portfolioId}">${name}</a></li>`,
  );
  const [first] = key.portfolios;
  const consented =
    first === undefined ? "" : html`<span class="muted">Consent given ${instant(first.consentedAt)}</span>`;
  return html`<ul class="plain">${names}</ul>${consented}`;
}

function list(keys: readonly OwnerKey[], seen: Seen): Html {
  return html`<ul class="keys">${keys.map((key) => keyRow(key, seen))}</ul>`;
}

/** Renders a key in two lines with its actions; details are folded. */
function keyRow(key: OwnerKey, { at, units }: Seen): Html {
  const count = units === null ? "not counted: the service is busy" : grouped(units.get(key.keyId) ?? 0);
  const [ends, when] = endOf(key, at);
  const used = key.lastUsedDay === null ? "never used" : `used ${dayName(key.lastUsedDay)}`;
  const state = stateOf(key, at);
  const path = `/dashboard/keys/${key.keyId}`;
  const rotate = html`<a class="button quiet" href="${path}/rotate">Rotate${screenReaderOnly(` ${key.name}`)}</a>`;
  const revoke = html`<a class="button danger" href="${path}/revoke">Revoke${screenReaderOnly(` ${key.name}`)}</a>`;
  const actions = { active: [rotate, revoke], expired: [revoke], revoked: [] }[state];
  return html`<li class="card key" data-key="${key.keyId}" data-state="${state}">
<details><summary><h3>${key.name} <span class="tag ${state}">${state}</span></h3>
<span class="muted"><code>${key.display}</code> · ${used} · ${ends.toLowerCase()} ${when}</span></summary>
${keyFacts(key, at, count)}
</details>
${actions.length === 0 ? "" : html`<p class="actions">${actions}</p>`}</li>
`;
}

/** Renders a notice about the revoked key in the address. Name and time are read from the key itself. */
async function revokedNotice(req: Request, reads: ReadsOwners, accountId: string): Promise<Html | string> {
  const keyId = queryOf(req).get("revoked");
  const key = keyId === null ? null : await reads.key(accountId, keyId);
  if (key === null || key.revokedAt === null) return "";
  return notice(html`<strong>${key.name}</strong> is revoked for good. Requests with it are refused from now on.`);
}
