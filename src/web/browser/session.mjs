/** @import { Problem } from "./api.mjs" */
import { Api, ProblemError } from "./api.mjs";
import { byId } from "./dom.mjs";
import { clearMessages, showError, showProblem, showStatus } from "./messages.mjs";

/** Name under which the tab keeps the key, only if that is asked for. */
const keptKey = "itemtape-key";

/**
 * `onKey`: the page's first requests, which try the key; what they throw refuses it. `onOpen`: the key is in use.
 * @typedef {object} SessionParts
 * @property {(api: Api) => Promise<void>} onKey
 * @property {() => Promise<void>} onOpen
 * @property {() => void} onForget
 * @property {(problem: Problem) => Node[]} [advice]
 */

/** The key of the page's visitor: typed in the form, used for requests, forgotten at a press. */
export class Session {
  /** @type {Api | null} */
  api = null;
  #parts;
  #field = byId("key", HTMLInputElement);
  #form = byId("key-form", HTMLFormElement);
  #used = byId("key-used", HTMLElement);

  /** @param {SessionParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const key = this.#field.value.trim();
      this.#field.value = "";
      if (byId("keep", HTMLInputElement).checked) sessionStorage.setItem(keptKey, key);
      void this.#connect(key);
    });
    byId("forget", HTMLButtonElement).addEventListener("click", () => {
      this.#forget();
      showStatus("The key is forgotten.");
    });
  }

  /** Takes the key that the tab keeps, if it does. */
  start() {
    const kept = sessionStorage.getItem(keptKey);
    if (kept !== null) void this.#connect(kept);
  }

  /** Shows what went wrong; forgets a key that is refused. @param {unknown} error */
  showError(error) {
    showError(error, this.#parts.advice);
    if (error instanceof ProblemError && error.problem.status === 401) this.#forget();
  }

  showCost() {
    if (this.api === null) return;
    const { quotaRemaining, refused, sent } = this.api;
    const left = quotaRemaining === null ? "" : `, ${quotaRemaining} left this month`;
    byId("cost", HTMLElement).textContent =
      `${sent} sent with this key${refused === 0 ? "" : `, ${refused} refused`}${left}`;
  }

  /** @param {string} key */
  async #connect(key) {
    clearMessages();
    if (!/^[\x21-\x7e]+$/.test(key)) return showProblem("That is no key", "A key is one word such as itemtape_live_…");
    const api = new Api(key, (seconds, { title }) => showStatus(`${title}: going on in ${seconds} s`));
    try {
      await this.#parts.onKey(api);
    } catch (error) {
      this.showError(error);
      return;
    }
    this.api = api;
    this.#form.hidden = true;
    this.#used.hidden = false;
    byId("key-end", HTMLElement).textContent = `…${key.slice(-4)}`;
    this.showCost();
    await this.#parts.onOpen();
  }

  #forget() {
    this.api = null;
    sessionStorage.removeItem(keptKey);
    this.#parts.onForget();
    this.#form.hidden = false;
    this.#used.hidden = true;
    this.#field.focus();
  }
}
