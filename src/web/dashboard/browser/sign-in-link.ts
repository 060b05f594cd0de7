import { byId } from "../../browser/dom.ts";

const token = location.hash.slice(1);
// Removes the token from the address bar and the browser's history.
history.replaceState(null, "", location.pathname);
byId("link-token", HTMLInputElement).value = token;
byId("link-button", HTMLButtonElement).disabled = token === "";
byId("link-hint", HTMLElement).textContent =
  token === ""
    ? "Open the whole link. npx itemtape sign-in prints a new one."
    : "The link works once, within ten minutes.";
