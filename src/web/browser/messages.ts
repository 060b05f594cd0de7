import { html, nothing } from "lit-html";
import { ItemtapeError, scopeOf } from "./api.ts";
import { byId, fill } from "./dom.ts";

/** Shows the current status in a line that screen readers announce. */
export function showStatus(text: string) {
  byId("status", HTMLElement).textContent = text;
}

/** Shows a problem and scrolls it into view, because on a phone it may be below the screen. Words of `detail` in backquotes are code. */
export function showProblem(title: string, detail: string, ...more: unknown[]) {
  const words = detail.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  fill("problem", html`<h2>${title}</h2><p>${words}</p>${more}`);
  byId("problem", HTMLElement).scrollIntoView({ block: "nearest" });
}

/** Credential to use instead, by missing scope. */
const credentials: Readonly<Record<string, { reads: string; link: string; href: string }>> = {
  "market:read": {
    reads: "The market is read with a project key.",
    link: "Make a project key",
    href: "/dashboard/keys/new",
  },
  "portfolio:read": {
    reads: "Portfolios are read with a personal token, which names the readable ones.",
    link: "Make a personal token",
    href: "/dashboard/tokens/new",
  },
};

/** Returns advice on the credential that a refused request needs, and a link for creating it. */
export function scopeAdvice({ code, scope }: { code: string | null; scope: string | null }): unknown {
  if (code !== "insufficient_scope") return nothing;
  const needed = credentials[scope ?? ""];
  if (needed === undefined) return html`<p>Sign in, or paste an API key.</p>`;
  const { reads, link, href } = needed;
  return html`<p>${reads} <a href=${href}>${link}</a> in the dashboard and use it here as the key.</p>`;
}

/** Removes all messages from the page. */
export function clearMessages() {
  showStatus("");
  fill("problem", nothing);
  showLacking(nothing);
}

/**
 * Shows a sentence about a missing feature of the plan, without an alarm. Does nothing on pages of the reference, which have no place for
 * it.
 */
export function showLacking(sentence: unknown) {
  if (document.getElementById("lacking") !== null) fill("lacking", sentence);
}

/** Title, explanation and details of a failure for display. `type` is the address of the page about its code, or "". */
type Failure = { title: string; detail: string; type: string; facts: string };

/** Returns the texts of a failure. `facts` is "" without a response. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ItemtapeError) {
    const { status, problem, requestId } = error;
    const facts = `HTTP ${status} · request_id ${requestId ?? ""}`;
    if (problem === null)
      return { title: `HTTP ${status}`, detail: "The answer is not a problem record.", type: "", facts };
    const { title, detail = "", type } = problem;
    return { title, detail, type: /^\/problems\/[a-z_]+$/.test(type) ? type : "", facts };
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return { title: "No answer", detail: cause instanceof Error ? cause.message : String(cause), type: "", facts: "" };
}

/**
 * Shows why the API refused a request, or that it did not answer.
 * @param advice Returns advice for a refusal.
 */
export function showError(error: unknown, advice: (refusal: ItemtapeError) => unknown = () => nothing) {
  showStatus("");
  const { title, detail, type, facts } = failureOf(error);
  if (!(error instanceof ItemtapeError)) return showProblem(title, detail);
  const { code } = error;
  if (code === "plan_upgrade_required" && document.getElementById("lacking") !== null) {
    const advised = advice(error);
    showLacking(advised === nothing ? html`<p>Your plan does not include this.</p>` : advised);
    return;
  }
  const link = type === "" ? nothing : html`<p><a href=${type}>What ${code} means</a></p>`;
  const advised = [scopeAdvice({ code, scope: scopeOf(error) }), advice(error)];
  showProblem(title, detail, advised, link, html`<p class="muted">${facts}</p>`);
}
