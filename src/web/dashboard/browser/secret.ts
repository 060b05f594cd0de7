import { byId } from "./dom.ts";

const shownMs = 5 * 60_000;
const box = byId("secret-box", HTMLElement);
const secret = byId("secret", HTMLElement);
const actions = byId("secret-actions", HTMLElement);
const copy = byId("copy", HTMLButtonElement);
const copyLine = byId("copy-line", HTMLButtonElement);
const remaining = byId("remaining", HTMLElement);
const status = byId("secret-status", HTMLElement);
const keysPath = "/dashboard/keys";

/** Timers stand still while a machine sleeps, and its clock may be set: what comes first ends it. */
const until = Date.now() + shownMs;
const end = setTimeout(() => hide("Hidden after five minutes."), shownMs);
const ticks = setInterval(tick, 1000);

// A reload, or a way back to this page, asks for the list of keys: the form is not sent again.
history.replaceState(null, "", keysPath);
actions.hidden = false;
tick();
copy.addEventListener("click", () => void copySecret(""));
copyLine.addEventListener("click", () => void copySecret(copyLine.dataset.before ?? ""));
addEventListener("pagehide", left);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") left();
});
if (document.visibilityState === "hidden") left();

function left() {
  hide("Hidden because this tab was left.");
}

function tick() {
  const seconds = Math.ceil((until - Date.now()) / 1000);
  if (seconds <= 0) hide("Hidden after five minutes.");
  else
    remaining.textContent = `Hidden in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}, or when you leave this tab`;
}

/** Takes the secret out of the page. */
function hide(why: string) {
  clearTimeout(end);
  clearInterval(ticks);
  if (box.dataset.hidden !== undefined) return;
  box.dataset.hidden = "";
  const hadFocus = actions.contains(document.activeElement);
  secret.textContent = "hidden";
  actions.hidden = true;
  const rotate = document.createElement("a");
  rotate.href = `${keysPath}/${box.dataset.key}/rotate`;
  rotate.textContent = "rotate the key";
  status.replaceChildren(`${why} The secret cannot be shown again: if you do not have it, `, rotate, ".");
  if (hadFocus) rotate.focus();
}

/** @param before What stands before the secret. */
async function copySecret(before: string) {
  const text = before + (secret.textContent ?? "");
  const isCopied = (await copiedByClipboard(text)) || copiedBySelection(text);
  status.textContent = isCopied ? "Copied." : "The browser did not copy it: select the secret and copy it yourself.";
}

/** Only a secure page may use it: https, or this machine itself. */
async function copiedByClipboard(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function copiedBySelection(text: string) {
  const holder = document.createElement("span");
  holder.textContent = text;
  box.append(holder);
  getSelection()?.selectAllChildren(holder);
  const isCopied = document.execCommand("copy");
  holder.remove();
  return isCopied;
}
