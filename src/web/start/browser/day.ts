import { html, nothing } from "lit-html";
import { dollars, grouped } from "../../../values/money/money-text.ts";
import { dateText } from "../../../values/time/time-text.ts";
import { type Api, ItemtapeError } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { failureOf } from "../../browser/messages.ts";
import { ownerAccess } from "../../browser/session.ts";
import { type Move, NoMovers, readMovers } from "./movers.ts";

const status = byId("day-status", HTMLElement);
const button = byId("day-show", HTMLButtonElement);

const owner = await ownerAccess((seconds, title) => tell(`${title}: going on in ${seconds} s`));
const day = byId("day", HTMLElement);
day.dataset.plan = owner?.plan ?? "none";
// The Free plan has no current prices. Without a sign-in nothing is shown.
if (owner !== null && owner.plan !== "free") {
  day.hidden = false;
  button.addEventListener("click", () => void show(owner.api));
}

async function show(api: Api) {
  button.disabled = true;
  tell("Loading two days …");
  try {
    const { before, last, both, oneOnly, rose, fell } = await readMovers(api);
    const ids = [...rose, ...fell].map(({ itemId }) => itemId);
    const { data } =
      ids.length === 0 ? { data: [] } : await api.call("listItems", { item_ids: ids, limit: ids.length });
    const names = new Map(data.map((item) => [item.item_id, item]));
    fill(
      "rose",
      rose.map((move) => rowOf(move, names)),
    );
    fill(
      "fell",
      fell.map((move) => rowOf(move, names)),
    );
    byId("day-moves", HTMLElement).hidden = false;
    button.hidden = true;
    const days = [last, before].map(
      ({ date, condition }) => `${dateText(date)}${condition === "complete" ? "" : ` (${condition})`}`,
    );
    tell(
      `${days.join(" against ")}: ${grouped(both)} asks of an item at a market were seen on both days, ${grouped(oneOnly)} on one only, which are left out. ` +
        "Of the markets of an item that were seen on both days the cheapest is shown, from $1.",
    );
  } catch (error) {
    button.disabled = false;
    const { title, detail } = failureOf(error);
    if (error instanceof ItemtapeError) tell(`${title}. ${detail}`);
    else tell(error instanceof NoMovers ? error.message : "No answer arrived; please try again.");
  }
}

function tell(text: string) {
  status.textContent = text;
}

function rowOf(
  { itemId, provider, before, after, pct }: Move,
  names: ReadonlyMap<number, { market_hash_name: string; phase: string | null }>,
) {
  const { market_hash_name: name = `Item ${itemId}`, phase = null } = names.get(itemId) ?? {};
  const sign = pct > 0 ? "+" : "−";
  // The market of the amounts, shown on phones, which lack the column for it.
  const amounts = html`<span class="was">${dollars(before)} → </span>${dollars(after)}<span class="at">${provider}</span>`;
  return html`<tr><th scope="row"><a href="/items/${itemId}">${name}</a>${phase === null ? nothing : ` ${phase}`}</th
><td>${provider}</td><td class="number">${amounts}</td
><td class="number ${pct > 0 ? "up" : "down"}">${sign}${Math.abs(pct).toFixed(1)} %</td></tr>`;
}
