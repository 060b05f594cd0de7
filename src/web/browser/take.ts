import { element } from "./dom.ts";
import { showStatus } from "./messages.ts";

/** Offers a CSV text to the visitor as a download. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** Copies the address of the page. Browsers provide no clipboard to pages over plain HTTP, except from loopback. */
export async function copyLink(): Promise<void> {
  if (navigator.clipboard === undefined) return showStatus("Copy the address of this page.");
  await navigator.clipboard.writeText(location.href);
  showStatus("Link copied.");
}
