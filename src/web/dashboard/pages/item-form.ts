// Kept apart from the form's handler, to avoid a circular import: the preview of an import also shows this form.
import { type Html, html } from "../../html.ts";
import type { csrfField } from "../page.ts";
import { describedBy, fieldError } from "./credential-form.ts";

export type Field = "item" | "quantity" | "cost" | "on";
export type ItemErrors = Partial<Record<Field, string>>;
export type GivenItem = Record<Field, string>;

export const noItem: GivenItem = { item: "", quantity: "1", cost: "", on: "" };
/** Renders the form for one item. */
export function itemForm(path: string, csrf: ReturnType<typeof csrfField>, given: GivenItem, errors: ItemErrors): Html {
  const field = (name: Field, label: string, input: Html) =>
    html`<div class="field"><label for="${name}">${label}</label>
${fieldError(name, errors[name])}
${input}</div>
`;
  return html`<section aria-labelledby="one"><h2 id="one">One item</h2>
<form method="post" action="${path}/items" id="item-form">
${csrf}${field("item", "Item", html`<input id="item" name="item" type="text" value="${given.item}" list="items" required maxlength="300" autocomplete="off" spellcheck="false"${describedBy("item", errors.item)}><datalist id="items"></datalist>`)}
${field("quantity", "Quantity", html`<input id="quantity" name="quantity" type="number" value="${given.quantity}" min="1" max="1000000000" required${describedBy("quantity", errors.quantity)}>`)}
${field("cost", "Cost of one, US dollars (optional)", html`<input id="cost" name="cost" type="text" inputmode="decimal" value="${given.cost}" maxlength="20" autocomplete="off"${describedBy("cost", errors.cost)}>`)}
${field("on", "Bought on (optional)", html`<input id="on" name="on" type="date" value="${given.on}"${describedBy("on", errors.on)}>`)}
<p class="actions"><button>Add item</button> <a href="${path}">Cancel</a></p>
</form></section>`;
}
