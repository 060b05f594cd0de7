import { plural } from "../../../values/text/counted.ts";
import { type Html, html } from "../../html.ts";
import type { Documented } from "../documented.ts";

const plans: Record<string, string> = { none: "No key", free: "All plans", paid: "Paid plans" };
const keys: Record<string, string> = {
  any: "Any key",
  "market:read": "Project key",
  "portfolio:read": "Personal token",
};

/** Renders the method of an operation as a coloured word. */
export function methodBadge({ method }: Pick<Documented, "method">): Html {
  return html`<b class="method method-${method.toLowerCase()}">${method}</b>`;
}

/** Renders plan, kind of key and cost of an operation as badges. */
export function termBadges(operation: Documented): Html {
  const { scope, isExport, isStream } = operation;
  const words = [
    ...(scope === "none" ? [] : [keys[scope] ?? scope]),
    costText(operation),
    ...(isExport ? ["1 export start"] : []),
    ...(isStream ? ["Lines of JSON"] : []),
  ];
  const plan = html`<a class="badge badge-${operation.plan}" href="/docs/conventions#plans-quota-and-retries">${planText(operation)}</a>`;
  return html`${plan}${words.map((word) => html` <span class="badge">${word}</span>`)}`;
}

/** Returns the permitted plans of an operation in two words. */
export function planText({ plan }: Pick<Documented, "plan">): string {
  return plans[plan] ?? plan;
}

/** Returns the cost of a request in words. */
export function costText({ cost }: Pick<Documented, "cost">): string {
  if (cost === 0) return "Free of charge";
  return plural(cost, "unit");
}
