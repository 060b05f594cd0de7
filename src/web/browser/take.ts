import { element } from "./dom.ts";
import { showStatus } from "./messages.ts";

/** Saves a CSV text as a file of the visitor. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** Copies the address of the page. A page that came over plain HTTP from elsewhere has no clipboard. */
export async function copyLink(): Promise<void> {
  if (navigator.clipboard === undefined) return showStatus("Copy the address of this page.");
  await navigator.clipboard.writeText(location.href);
  showStatus("Link copied.");
}
