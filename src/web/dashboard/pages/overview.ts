import type { RequestHandler } from "express";
import type { AccountOverview } from "../../../access/accounts.ts";
import { endingKey } from "../../../access/keys.ts";
import type { OwnerKey, ReadsOwners } from "../../../access/owners/owner-reads.ts";
import { OwnerRefusal } from "../../../access/owners/owner-refusal.ts";
import type { UsageCache } from "../../../access/owners/usage-cache.ts";
import type { RefusedCounts } from "../../../access/refused-requests.ts";
import type { Usage } from "../../../access/usage.ts";
import { grouped } from "../../../values/money/money-text.ts";
import { dayOf } from "../../../values/time/calendar.ts";
import { type Html, html } from "../../html.ts";
import { csrfField, sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { queryOf } from "../request-context.ts";
import { ownerOf } from "../session-guard.ts";
import { capital, counted, dayName, instant, monthName, notice } from "./formatting.ts";
import { passwordChanged } from "./password.ts";
import { type DailyUse, usageChart } from "./usage-chart.ts";

/** Shows the plan, keys, usage and limits of an account. */
export function overviewPage({ clock, usage, reads, refused }: DashboardParts): RequestHandler {
  return async (req, res) => {
    const owner = ownerOf(res);
    const overview = await reads.overview(owner.accountId, clock.now());
    const { monthStartsAt, monthEndsAt } = overview.usage;
    const use = await usageOf(usage, owner.accountId, overview.usage);
    const ending = await endingKeyOf(reads, owner.accountId, clock.now());
    const isChanged = queryOf(req).get("notice") === passwordChanged;
    const body = html`<h1>${overview.name}</h1>
${isChanged ? notice("The password is changed. Every other session of this account has ended.") : ""}
${ending === null ? "" : endText(ending, clock.now())}
<div class="cards">
${planCard(overview)}
${monthCard(overview.usage)}
${minuteCard(overview.usage)}
${snapshotCard(overview.usage)}
</div>
<section aria-labelledby="usage">
<h2 id="usage">Usage in ${monthName(monthStartsAt)}</h2>
<p class="muted">Counted requests of all keys and of your pages, by UTC day and operation. The count is up to half a minute old.</p>
${
  use === null
    ? notCounted
    : html`${byWhat(use)}
${usageChart(use, monthStartsAt, monthEndsAt)}`
}
${refusedText(refused.of(owner.accountId))}
</section>
<section aria-labelledby="account">
<h2 id="account">Account</h2>
<dl class="facts">
<div><dt>Account id</dt><dd><code>${overview.accountId}</code><br><span class="muted">A support reference: quote it when you ask for help. It is no credential and opens nothing.</span></dd></div>
<div><dt>Keys</dt><dd><a href="/dashboard/keys">${counted(overview.keys, "key")}</a>, ended ones included. All of them share one allowance.</dd></div>
<div><dt>Sign-in</dt><dd>As <strong>${owner.login}</strong>. <a href="/dashboard/password">Change the password</a></dd></div>
<div><dt>Opened</dt><dd>${instant(overview.createdAt)}</dd></div>
</dl>
<form method="post" action="/dashboard/sign-out-everywhere">${csrfField(res)}<p class="actions"><button class="quiet">Sign out everywhere</button>
<span class="muted">Ends every session of this account, this one too. Keys go on working.</span></p></form>
</section>`;
    sendPage(res, { title: "Overview", owner, body });
  };
}

/** Number of ended keys that are searched for the last one. */
const endedMax = 20;

/** Returns the last project key of the account if it has ended or ends soon, else null. */
async function endingKeyOf(reads: ReadsOwners, accountId: string, at: number): Promise<OwnerKey | null> {
  const ended = await reads.endedKeys(accountId, at, { limit: endedMax, offset: 0 });
  return endingKey([...(await reads.liveKeys(accountId, at)), ...ended], at);
}

function endText({ name, expiresAt }: OwnerKey, at: number): Html {
  const has = expiresAt <= at ? "ended" : "ends";
  return html`<div class="notice warning" id="key-end"><p>Your last key, ${name}, ${has} on ${dayName(dayOf(expiresAt))}. <a href="/dashboard/keys/new">Make a new one</a>: a rotation keeps the end.</p></div>`;
}

/** Renders the requests by origin: keys or pages. Renders nothing without requests. */
function byWhat(use: readonly DailyUse[]): Html {
  const units = use.reduce((sum, day) => sum + day.units, 0);
  const pages = use.reduce((sum, day) => sum + day.pages, 0);
  if (units === 0) return html``;
  return html`<p><strong>${grouped(units - pages)}</strong> with keys, <strong>${grouped(pages)}</strong> by pages of this service while you were signed in.</p>`;
}

/** Renders the number of refused requests by code. */
function refusedText({ since, byCode }: RefusedCounts): Html {
  const codes = Object.entries(byCode);
  const all = codes.reduce((sum, [, count]) => sum + count, 0);
  const which = codes.map(
    ([code, count], index) =>
      html`${index === 0 ? ": " : ", "}<a href="/problems/${code}">${code}</a> ${grouped(count)}`,
  );
  return html`<p id="refused"><strong>${grouped(all)}</strong> refused since this server started, ${instant(since)}${which}. They cost nothing.</p>`;
}

const notCounted = html`<p>Not counted: the service is busy. Load the page again in a moment.</p>`;

/** Returns the usage by day; null if too many counts are running. The rest of the page is shown without it. */
async function usageOf(cache: UsageCache, accountId: string, { monthStartsAt, monthEndsAt }: Usage) {
  try {
    return await cache.byDay(accountId, monthStartsAt, monthEndsAt);
  } catch (error) {
    if (error instanceof OwnerRefusal && error.code === "busy") return null;
    throw error;
  }
}

function planCard({ plan, planEndsAt }: AccountOverview): Html {
  const end =
    planEndsAt === null
      ? html`Without an end.`
      : html`Until ${instant(planEndsAt)}. It does not renew itself; from then on the plan is Free.`;
  return card("Plan", capital(plan), end);
}

function monthCard({ monthlyUsed, monthlyLimit, monthlyRemaining, monthEndsAt }: Usage): Html {
  return card(
    "Requests this month",
    html`${grouped(monthlyUsed)} <span class="of">of ${grouped(monthlyLimit)}</span>`,
    html`<progress value="${Math.min(monthlyUsed, monthlyLimit)}" max="${monthlyLimit}" aria-label="Requests used this month"></progress>
${grouped(monthlyRemaining)} left until ${instant(monthEndsAt)}.`,
  );
}

function minuteCard({ minuteLimit }: Usage): Html {
  return card("Minute limit", grouped(minuteLimit), html`Requests in a minute, of all keys together.`);
}

function snapshotCard(usage: Usage): Html {
  const { snapshotStartsLimit: limit, snapshotStartsUsed: used, snapshotNextStartAt: nextAt } = usage;
  if (limit === 0) return card("Snapshot starts left", "None", html`Full exports are not part of this plan.`);
  const left = Math.max(0, limit - used);
  const next = nextAt === null ? "" : html` The next one is possible at ${instant(nextAt)}.`;
  return card(
    "Snapshot starts left",
    html`${grouped(left)} <span class="of">of ${grouped(limit)}</span>`,
    html`In any 24 hours.${next}`,
  );
}

function card(title: string, value: string | Html, description: Html): Html {
  return html`<section class="card"><h2>${title}</h2><p class="value">${value}</p><p class="muted">${description}</p></section>`;
}
