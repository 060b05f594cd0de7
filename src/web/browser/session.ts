import { html } from "lit-html";
import { grouped } from "../../values/money/money-text.ts";
import { type Access, Api, ItemtapeError, type OnWait, type PageReader, withKey, withSession } from "./api.ts";
import { byId, fill } from "./dom.ts";
import { clearMessages, showError, showProblem, showStatus } from "./messages.ts";

/** Name under which the tab keeps the key, only if that is asked for. */
const keptKey = "itemtape-key";
/** Name under which the browser remembers that its visitor looks around, so that new tabs do, too. It is no credential. */
const keptLook = "itemtape-look";

/** What the server says of this browser: who is signed in, or that a visitor may look around. Each token is for reads of pages. */
type Reader =
  | ({ signed_in: true; account_id: string; account: string } & PageReader)
  | { signed_in: false; look: PageReader | null };

/** `onKey`: the page's first requests, which try the access; what they throw refuses it. `onOpen`: the access is in use. */
type SessionParts = {
  onKey: (api: Api) => Promise<void>;
  onOpen: () => Promise<void>;
  onForget: () => void;
  advice?: (refusal: ItemtapeError) => unknown;
};

/** How the page's visitor may read: as the owner who is signed in, as one who looks around a demo, or with a key that is typed in the form. */
export class Session {
  api: Api | null = null;
  #parts: SessionParts;
  #field = byId("key", HTMLInputElement);
  #fold = byId("key-fold", HTMLDetailsElement);
  #used = byId("key-used", HTMLElement);
  #signedIn = byId("signed-in", HTMLElement);
  #offer = byId("look-offer", HTMLElement);
  /** Number of the latest attempt: an older one that ends later changes nothing. */
  #attempt = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    byId("key-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const key = this.#field.value.trim();
      this.#field.value = "";
      if (byId("keep", HTMLInputElement).checked) sessionStorage.setItem(keptKey, key);
      void this.#connect(key);
    });
    byId("forget", HTMLButtonElement).addEventListener("click", () => {
      this.#forget();
      void this.#asVisitor("The key is forgotten.");
    });
    byId("look", HTMLButtonElement).addEventListener("click", () => {
      localStorage.setItem(keptLook, "1");
      void this.#asVisitor("");
    });
    const signIn = byId("sign-in", HTMLAnchorElement);
    // Back to what the page shows by then: its address changes with the choice.
    const lead = () => {
      const next = location.pathname + location.search + location.hash;
      signIn.href = `/dashboard/sign-in?next=${encodeURIComponent(next)}`;
    };
    signIn.addEventListener("click", lead);
    lead();
  }

  /** Takes the key that the tab keeps, else reads for who is signed in. */
  start() {
    const kept = sessionStorage.getItem(keptKey);
    if (kept !== null) void this.#connect(kept);
    else void this.#asVisitor("");
  }

  /** Shows what went wrong; forgets an access that is refused. */
  showError(error: unknown) {
    showError(error, this.#parts.advice);
    if (error instanceof ItemtapeError && error.status === 401) this.#forget();
  }

  showCost() {
    if (this.api === null) return;
    const { quotaRemaining, refused, sent } = this.api;
    const left = quotaRemaining === null ? "" : `, ${grouped(quotaRemaining)} left this month`;
    const text = `${sent} sent${refused === 0 ? "" : `, ${refused} refused`}${left}`;
    byId("cost", HTMLElement).textContent = text;
    byId("page-cost", HTMLElement).textContent = text;
  }

  async #connect(key: string) {
    clearMessages();
    if (!/^[\x21-\x7e]+$/.test(key)) return showProblem("That is no key", "A key is one word such as itemtape_live_…");
    await this.#open(++this.#attempt, withKey(key), () => {
      byId("key-end", HTMLElement).textContent = `…${key.slice(-4)}`;
      this.#show(this.#used);
    });
  }

  /** Reads for who is signed in, or who looks around; offers what is possible where nobody does. */
  async #asVisitor(status: string) {
    const attempt = ++this.#attempt;
    showStatus(status);
    const reader = await ask();
    if (attempt !== this.#attempt) return;
    const look = reader === null || reader.signed_in ? null : reader.look;
    if (reader?.signed_in === true) {
      const access = accessOf(reader);
      const name = html`<a href="/dashboard">${reader.account}</a>`;
      await this.#open(attempt, access, () => this.#showReader(name, reader.plan));
    } else if (look !== null && localStorage.getItem(keptLook) !== null) {
      const access = withSession("/dashboard/look", look, async () => null);
      // Without a link: the dashboard asks for a sign-in, and a visitor has none.
      await this.#open(attempt, access, () => this.#showReader("a visitor of the demo", look.plan));
    } else {
      this.#offer.hidden = look === null;
      this.#fold.open = true;
    }
  }

  /** Tries an access and takes it. */
  async #open(attempt: number, access: Access, show: () => void) {
    // What was loaded shows nothing of another access.
    if (this.api !== null) this.#parts.onForget();
    this.api = null;
    const api = new Api(access, (seconds, title) => showStatus(`${title}: going on in ${seconds} s`));
    try {
      await this.#parts.onKey(api);
    } catch (error) {
      if (attempt === this.#attempt) this.showError(error);
      return;
    }
    if (attempt !== this.#attempt) return;
    this.api = api;
    show();
    this.showCost();
    await this.#parts.onOpen();
  }

  #showReader(account: unknown, plan: string) {
    fill("account", account);
    byId("plan", HTMLElement).textContent = plan.charAt(0).toUpperCase() + plan.slice(1);
    this.#show(this.#signedIn);
  }

  /** Shows what is in use, and the form of keys behind it. */
  #show(inUse: HTMLElement) {
    for (const part of [this.#used, this.#signedIn, this.#offer]) part.hidden = part !== inUse;
    this.#fold.hidden = inUse === this.#used;
    this.#fold.open = false;
    byId("key-title", HTMLElement).textContent = "Use another key";
    byId("sign-in-offer", HTMLElement).hidden = true;
  }

  #forget() {
    this.api = null;
    sessionStorage.removeItem(keptKey);
    localStorage.removeItem(keptLook);
    this.#parts.onForget();
    for (const part of [this.#used, this.#signedIn, this.#offer]) part.hidden = true;
    this.#fold.hidden = false;
    this.#fold.open = true;
    byId("key-title", HTMLElement).textContent = "Sign in, or use a key";
    byId("sign-in-offer", HTMLElement).hidden = false;
    this.#field.focus();
  }
}

/** Returns the API as the owner who is signed in reads it; null: nobody is signed in. */
export async function ownerAccess(onWait: OnWait) {
  const reader = await ask();
  return reader?.signed_in === true ? { plan: reader.plan, api: new Api(accessOf(reader), onWait) } : null;
}

/** A new sign-in is gone on with only if it is that of the same account: the page shows what another has read. */
function accessOf(reader: PageReader & { account_id: string }) {
  return withSession("/dashboard/read", reader, async () => {
    const now = await ask();
    return now?.signed_in === true && now.account_id === reader.account_id ? now.token : null;
  });
}

/** Asks the server who this browser is; null: it does not say. */
async function ask(): Promise<Reader | null> {
  try {
    const answer = await fetch("/dashboard/session", { cache: "no-store", redirect: "error" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
