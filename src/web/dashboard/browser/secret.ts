import { byId } from "../../browser/dom.ts";

const shownMs = 5 * 60_000;
const box = byId("secret-box", HTMLElement);
const secret = byId("secret", HTMLElement);
const actions = byId("secret-actions", HTMLElement);
const copyLine = byId("copy-line", HTMLButtonElement);
const status = byId("secret-status", HTMLElement);
const keysPath = "/dashboard/keys";

/** Time at which the secret is hidden. A timer also hides it: clocks can be changed, and timers stop while a machine sleeps. */
const until = Date.now() + shownMs;
const end = setTimeout(() => hide("Hidden after five minutes."), shownMs);
const ticks = setInterval(tick, 1000);

// A reload or the back button then opens the list of keys instead of sending the form again.
history.replaceState(null, "", keysPath);
actions.hidden = false;
tick();
byId("copy", HTMLButtonElement).addEventListener("click", () => void copySecret(""));
copyLine.addEventListener("click", () => void copySecret(copyLine.dataset.before ?? ""));
addEventListener("pagehide", leave);
document.addEventListener("visibilitychange", hideUnseen);
hideUnseen();

function hideUnseen() {
  if (document.visibilityState === "hidden") leave();
}

function leave() {
  hide("Hidden because this tab was left.");
}

function tick() {
  const seconds = Math.ceil((until - Date.now()) / 1000);
  if (seconds <= 0) return hide("Hidden after five minutes.");
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  byId("remaining", HTMLElement).textContent = `Hidden in ${time}, or when you leave this tab`;
}

/** Removes the secret from the page, and shows the reason. */
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

async function copySecret(before: string) {
  const text = before + secret.textContent;
  const isCopied = (await copiedByClipboard(text)) || copiedBySelection(text);
  status.textContent = isCopied ? "Copied." : "The browser did not copy it: select the secret and copy it yourself.";
}

/** Browsers permit this only over https or from loopback. */
async function copiedByClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function copiedBySelection(text: string): boolean {
  const holder = document.createElement("span");
  holder.textContent = text;
  box.append(holder);
  getSelection()?.selectAllChildren(holder);
  const isCopied = document.execCommand("copy");
  holder.remove();
  return isCopied;
}
