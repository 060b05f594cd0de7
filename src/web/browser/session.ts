import { html } from "lit-html";
import { type Access, Api, ItemtapeError, type OnWait, type PageReader, withKey, withSession } from "./api.ts";
import { byId, fill } from "./dom.ts";
import { clearMessages, showError, showProblem, showStatus } from "./messages.ts";

/** Session storage key under which the tab keeps the API key, if the visitor asks for it. */
const storedKeyName = "itemtape-key";
/** Names of loopback addresses. */
const loopback = ["localhost", "127.0.0.1", "[::1]"];

/** Data of the server about this browser: the signed-in account, or a visitor of the demo. Each token authorizes reads of pages. */
type Reader =
  | ({ signed_in: true; account_id: string; account: string } & PageReader)
  | { signed_in: false; look: PageReader | null };

/**
 * Callbacks of a session. `onKey` sends the page's first requests; an error refuses the access. `onOpen` runs after the access is accepted.
 */
type SessionParts = {
  onKey: (api: Api) => Promise<void>;
  onOpen: () => Promise<void>;
  onForget: () => void;
  advice?: (refusal: ItemtapeError) => unknown;
};

/** Access of the page's visitor: as a signed-in owner, as a visitor of a demo, or with a typed key. */
export class Session {
  api: Api | null = null;
  #parts: SessionParts;
  #field = byId("key", HTMLInputElement);
  #useKey = byId("use-key", HTMLDetailsElement);
  #used = byId("key-used", HTMLElement);
  #signedIn = byId("signed-in", HTMLElement);
  #gate = byId("gate", HTMLElement);
  /** Number of the latest attempt. Results of older attempts are discarded. */
  #attempt = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    byId("key-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const key = this.#field.value.trim();
      this.#field.value = "";
      if (byId("keep", HTMLInputElement).checked) sessionStorage.setItem(storedKeyName, key);
      void this.#connect(key);
    });
    byId("forget", HTMLButtonElement).addEventListener("click", () => {
      this.#forget();
      void this.#asVisitor("The key is forgotten.");
    });
    byId("to-key", HTMLButtonElement).addEventListener("click", () => this.askForKey());
    byId("link-hint", HTMLElement).hidden = !loopback.includes(location.hostname);
    const signIn = byId("sign-in", HTMLAnchorElement);
    // Updated at each click, because the address of the page changes with its state.
    const lead = () => {
      const next = location.pathname + location.search + location.hash;
      signIn.href = `/dashboard/sign-in?next=${encodeURIComponent(next)}`;
    };
    signIn.addEventListener("click", lead);
    lead();
  }

  /** Uses the key stored in the tab, else the access of the signed-in user. */
  start() {
    const kept = sessionStorage.getItem(storedKeyName);
    if (kept !== null) void this.#connect(kept);
    else void this.#asVisitor("");
  }

  /** Opens the form for a key. */
  askForKey() {
    this.#useKey.open = true;
    this.#field.focus();
  }

  /** Shows an error. Forgets the access if it was refused. */
  showError(error: unknown) {
    showError(error, this.#parts.advice);
    if (error instanceof ItemtapeError && error.status === 401) this.#forget();
  }

  async #connect(key: string) {
    clearMessages();
    if (!/^[\x21-\x7e]+$/.test(key))
      return showProblem("That is not a key", "A key is one word such as itemtape_live_…");
    await this.#open(++this.#attempt, withKey(key), () => {
      byId("key-end", HTMLElement).textContent = `…${key.slice(-4)}`;
      this.#show(this.#used);
    });
  }

  /** Uses the access of the signed-in user or of a demo visitor; otherwise shows how to sign in. */
  async #asVisitor(status: string) {
    const attempt = ++this.#attempt;
    showStatus(status);
    const reader = await ask();
    if (attempt !== this.#attempt) return;
    if (reader?.signed_in === true) {
      const account = html`<a href="/dashboard">${reader.account}</a>`;
      await this.#open(attempt, accessOf(reader), () => this.#showReader(account, true));
    } else if (reader !== null && reader.look !== null) {
      const access = withSession("/dashboard/look", reader.look, async () => null);
      // Not a link, because the dashboard needs a sign-in, which a visitor does not have.
      await this.#open(attempt, access, () =>
        this.#showReader(html`<span title="Item names are real, prices are made up.">Demo</span>`),
      );
    } else this.#show(this.#gate);
  }

  /** Tries an access, and uses it if it is accepted. */
  async #open(attempt: number, access: Access, show: () => void) {
    // Data loaded with the previous access must not be shown.
    if (this.api !== null) this.#parts.onForget();
    this.api = null;
    const api = new Api(access, (seconds, title) => showStatus(`${title}: going on in ${seconds} s`));
    await api.visit(() => this.#try(attempt, api, show));
  }

  async #try(attempt: number, api: Api, show: () => void) {
    try {
      await this.#parts.onKey(api);
    } catch (error) {
      if (attempt !== this.#attempt) return;
      if (error instanceof ItemtapeError && error.code === "plan_upgrade_required") {
        this.api = api;
        show();
      }
      this.showError(error);
      return;
    }
    if (attempt !== this.#attempt) return;
    this.api = api;
    show();
    await this.#parts.onOpen();
  }

  #showReader(account: unknown, isOwner = false) {
    fill("account", account);
    this.#show(this.#signedIn);
    this.#useKey.hidden = isOwner;
  }

  /** Shows the current access, or how to sign in. */
  #show(shown: HTMLElement) {
    for (const part of [this.#used, this.#signedIn, this.#gate]) part.hidden = part !== shown;
    this.#useKey.hidden = shown === this.#used;
    if (this.#useKey.hidden) this.#useKey.open = false;
  }

  #forget() {
    this.api = null;
    sessionStorage.removeItem(storedKeyName);
    this.#parts.onForget();
    this.#show(this.#gate);
  }
}

/** Returns the plan and API client of the signed-in owner; null if no owner is signed in. */
export async function ownerAccess(onWait: OnWait) {
  const reader = await ask();
  return reader?.signed_in === true ? { plan: reader.plan, api: new Api(accessOf(reader), onWait) } : null;
}

/** Authorizes reads of an owner. A new sign-in is used only for the same account, because the page shows data of this account. */
function accessOf(reader: PageReader & { account_id: string }) {
  return withSession("/dashboard/read", reader, async () => {
    const now = await ask();
    return now?.signed_in === true && now.account_id === reader.account_id ? now.token : null;
  });
}

/** Asks the server for the access of this browser. Returns null if the request fails. */
async function ask(): Promise<Reader | null> {
  try {
    const answer = await fetch("/dashboard/session", { cache: "no-store", redirect: "error" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
