import type { Exchange } from "../api/exchange.ts";
import { html } from "./html.ts";

/** Text in the header of pages while a node has no signed metadata in force. */
export const expiredNotice =
  "The signatures of these prices have expired. Newer prices appear once their publisher signs again.";

/** Adds the notice of expired signatures to the header of a rendered page, if the exchange asks for it. */
export function withExpiredNotice(page: string, { showsExpired }: Pick<Exchange, "showsExpired">): string {
  if (!showsExpired) return page;
  const notice = html`<p class="site-note" role="status"><span class="site-in">${expiredNotice}</span></p>`.text;
  return page.replace("</header>", () => `${notice}\n</header>`);
}
