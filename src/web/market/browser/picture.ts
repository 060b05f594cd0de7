import { html } from "lit-html";
import { rarityClass } from "./rarities.ts";
import type { Item } from "./types.ts";

/** Origins of pictures that the server's configuration permits. */
const origins = (document.querySelector<HTMLElement>("[data-pictures]")?.dataset.pictures ?? "")
  .split(" ")
  .filter(Boolean);

/** Renders the picture of an item on the colour of its rarity; without a picture only the colour. */
export function pictureOf({ image_url: address, ...facts }: Pick<Item, "image_url" | "rarity" | "type">) {
  const isAllowed = typeof address === "string" && origins.includes(originOf(address));
  const image = isAllowed
    ? html`<img src=${address} alt="" width="48" height="36" loading="lazy" referrerpolicy="no-referrer">`
    : "";
  const size = origins.length === 0 ? "small" : "";
  return html`<span class="picture ${size} ${rarityClass(facts)}">${image}</span>`;
}

function originOf(address: string) {
  return URL.canParse(address) ? new URL(address).origin : "";
}
