import { html, nothing } from "lit-html";
import type { Row } from "../../client/types.ts";
import { dateText } from "../../values/time/time-text.ts";
import { fill } from "./dom.ts";

/** A provider with the terms of its source. */
export type Source = Pick<
  Row<"listProviders">,
  "name" | "terms_url" | "terms_read_on" | "redistribution" | "attribution"
>;

const redistributions = {
  allowed: "prices may be passed on",
  not_allowed: "prices may not be passed on",
  unknown: "it is unknown whether prices may be passed on",
};

/** Shows the attributions of these providers, and their terms in a fold, in the element `sources`. */
export function showSources(sources: readonly Source[]): void {
  const attributed = Map.groupBy(
    sources.filter(({ attribution }) => attribution !== null),
    ({ attribution }) => attribution,
  );
  const attributions = [...attributed].map(
    ([text, of]) => html`<p class="muted">${of.map(({ name }) => name).join(", ")}: ${text}</p>`,
  );
  const terms = html`<details><summary>Terms of the prices</summary><ul>${sources.map(termsItem)}</ul></details>`;
  fill("sources", [...attributions, sources.length === 0 ? nothing : terms]);
}

function termsItem({ name, terms_url: url, terms_read_on: readOn, redistribution }: Source) {
  const link = html`; <a href=${url ?? ""} target="_blank" rel="noopener noreferrer nofollow">terms ↗</a>`;
  const read = readOn === null ? "" : `, read on ${dateText(readOn)}`;
  return html`<li>${name}: ${redistributions[redistribution]}${url === null ? nothing : link}${read}</li>`;
}
