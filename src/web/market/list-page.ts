import type { Contract } from "../../contract/document.ts";
import { rarityNames, weaponNames } from "../../values/text/item-words.ts";
import { browserPage } from "../frame.ts";
import { helpMark } from "../help.ts";
import { type Html, html } from "../html.ts";

/**
 * Renders the page that lists the items of the market, with search and filters.
 * @param pictures Origins of item pictures, separated by spaces.
 */
export function marketPage(contract: Contract, pictures: string): string {
  return browserPage({
    place: "/market",
    title: "Market",
    style: "/market/browser/market.css",
    script: "/market/browser/list.js",
    intro: html`<div class="page-head"><h1>Market</h1>${helpMark("this list", "Best ask and bid over all markets, from listings and buy orders. Sorted by relevance until you press a column. “Changed”: when this became the lowest price.")}</div>`,
    form: formOf(contract),
    picture: html`<section id="found" aria-labelledby="found-count" data-pictures="${pictures}" hidden></section>
<div id="sources"></div>`,
    patterns: html``,
  });
}

/** Example searches for well-known items, shown before the first search. A list by id would start with arbitrary items. */
export const knownSearches = [
  "ak redline",
  "awp asiimov",
  "awp dragon lore",
  "karambit doppler",
  "butterfly fade",
  "kilowatt case",
];

/** Matches the amounts that `centsOf` of the page's script reads. */
const amount = html`pattern="\\s*\\$?\\s*[0-9,]{1,15}(\\.[0-9]{1,2})?\\s*" title="Dollars, such as 12.50"`;

function formOf(contract: Contract): Html {
  const choices = (name: string) =>
    choicesOf(contract, name).map((value) => html`<option value="${value}">${value}</option>`);
  const completions = (id: string, names: readonly string[]) =>
    html`<datalist id="${id}">${names.map((name) => html`<option value="${name}">`)}</datalist>`;
  const yesOrNo = html`<option value="true">yes</option><option value="false">no</option>`;
  return html`<form id="search" role="search">
<div class="search-row">
<div class="field wide combobox"><label class="hidden" for="q">Search items</label>
<input id="q" name="q" type="search" role="combobox" aria-expanded="false" aria-controls="q-found" aria-autocomplete="list"
 maxlength="120" autocomplete="off" spellcheck="false" enterkeyhint="search" placeholder="Search items, such as ak redline ft">
<ul id="q-found" role="listbox" aria-label="Suggestions" hidden></ul></div>
<button>Search</button>
<button id="clear" type="button" class="quiet">Clear</button>
</div>
<div class="search-more">
<p id="known" hidden>${knownSearches.map((words) => html`<button type="button" class="quiet">${words}</button> `)}</p>
<details id="filters"><summary>Filters <span id="filter-count" class="muted"></span></summary>
<fieldset id="controls" class="filters"><legend class="hidden">Filters</legend>
<label class="field"><span>Type</span><select name="item_type"><option value="">any</option>${choices("item_type")}</select></label>
<label class="field"><span>Weapon or family</span><input name="weapon" type="text" list="weapons" placeholder="any" autocomplete="off" maxlength="120"></label>
<label class="field"><span>Rarity</span><input name="rarity" type="text" list="rarities" placeholder="any" autocomplete="off" maxlength="120"></label>
<label class="field"><span>Exterior</span><select name="wear"><option value="">any</option>${choices("wear")}</select></label>
<label class="field"><span>Phase</span><select name="phase"><option value="">any</option>${choices("phase")}</select></label>
<label class="field"><span>StatTrak™</span><select name="stat_counter"><option value="">any</option>${yesOrNo}</select></label>
<label class="field"><span>Souvenir</span><select name="souvenir"><option value="">any</option>${yesOrNo}</select></label>
<label class="field paid"><span>Quoted at</span><select name="provider"><option value="">any</option></select></label>
<label class="field paid"><span>Ask from $</span><input name="ask_min" type="text" inputmode="decimal" ${amount} placeholder="any" autocomplete="off" maxlength="16"></label>
<label class="field paid"><span>Ask to $</span><input name="ask_max" type="text" inputmode="decimal" ${amount} placeholder="any" autocomplete="off" maxlength="16"></label>
</fieldset>
<p id="filter-note" class="muted note"></p>
${completions("weapons", weaponNames)}${completions("rarities", rarityNames)}
</details></div>
</form>`;
}

type Parameter = { readonly name: string; readonly schema: { readonly enum?: readonly string[] } };

/** Returns the values that a filter of `listItems` accepts. */
function choicesOf({ document }: Contract, name: string): readonly string[] {
  const { components } = document as unknown as { components: { parameters: Record<string, Parameter> } };
  const parameter = Object.values(components.parameters).find((one) => one.name === name);
  if (parameter?.schema.enum === undefined) throw new Error(`the contract has no list of values for ${name}`);
  return parameter.schema.enum;
}
