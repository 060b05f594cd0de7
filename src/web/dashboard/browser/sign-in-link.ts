import { byId } from "../../browser/dom.ts";

const token = location.hash.slice(1);
// Neither the address bar nor the history of the browser keeps it.
history.replaceState(null, "", location.pathname);
byId("link-token", HTMLInputElement).value = token;
byId("link-button", HTMLButtonElement).disabled = token === "";
byId("link-hint", HTMLElement).textContent =
  token === ""
    ? "Open the whole link. npx itemtape sign-in prints a new one."
    : "The link works once, within ten minutes.";
