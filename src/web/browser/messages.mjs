/** @import { Problem } from "./api.mjs" */
import { ProblemError } from "./api.mjs";
import { byId, element } from "./dom.mjs";

/** Shows what is going on, in a line that is read out. @param {string} text */
export function showStatus(text) {
  byId("status", HTMLElement).textContent = text;
}

/**
 * Shows what went wrong where the visitor sees it: on a phone its place may be below the screen. Backquoted words of `detail` are code.
 * @param {string} title @param {string} detail @param {...Node} more
 */
export function showProblem(title, detail, ...more) {
  const words = detail.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
  const place = byId("problem", HTMLElement);
  place.replaceChildren(element("h2", {}, title), element("p", {}, ...words), ...more);
  place.scrollIntoView({ block: "nearest" });
}

/** What to read with instead, by the scope that is missing. @type {Readonly<Record<string, { reads: string, link: string, href: string }>>} */
const credentials = {
  "market:read": {
    reads: "The market is read with a project key.",
    link: "Make a project key",
    href: "/dashboard/keys/new",
  },
  "portfolio:read": {
    reads: "Portfolios are read with a personal token, which names those that it may read.",
    link: "Make a personal token",
    href: "/dashboard/tokens/new",
  },
};

/** Tells which credential a refused request needs, and where it is made. @param {Pick<Problem, "code" | "scope">} problem @returns {Node[]} */
export function scopeAdvice({ code, scope }) {
  if (code !== "insufficient_scope") return [];
  const needed = credentials[scope ?? ""];
  if (needed === undefined) return [element("p", {}, "Sign in, or use a key of your own.")];
  const { reads, link, href } = needed;
  return [element("p", {}, `${reads} `, element("a", { href }, link), " in the dashboard and use it here as the key.")];
}

/** Removes all messages from the page. */
export function clearMessages() {
  showStatus("");
  byId("problem", HTMLElement).replaceChildren();
}

/**
 * Shows why the API refused, or that nothing answered.
 * @param {unknown} error
 * @param {(problem: Problem) => Node[]} [advice] What the page can do about it.
 */
export function showError(error, advice = () => []) {
  showStatus("");
  if (!(error instanceof ProblemError)) {
    showProblem("No answer", error instanceof Error ? error.message : String(error));
    return;
  }
  const { title, detail = "", type, code, status, request_id } = error.problem;
  const facts = element("p", { class: "muted" }, `HTTP ${status} · request_id ${request_id}`);
  const link = /^\/problems\/[a-z_]+$/.test(type)
    ? [element("p", {}, element("a", { href: type }, `What ${code} means`))]
    : [];
  showProblem(title, detail, ...scopeAdvice(error.problem), ...advice(error.problem), ...link, facts);
}
