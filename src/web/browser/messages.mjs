/** @import { Problem } from "./api.mjs" */
import { ProblemError } from "./api.mjs";
import { byId, element } from "./dom.mjs";

/** Shows what is going on, in a line that is read out. @param {string} text */
export function showStatus(text) {
  byId("status", HTMLElement).textContent = text;
}

/** @param {string} title @param {string} detail @param {...Node} more */
export function showProblem(title, detail, ...more) {
  byId("problem", HTMLElement).replaceChildren(element("h2", {}, title), element("p", {}, detail), ...more);
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
  showProblem(title, detail, ...advice(error.problem), ...link, facts);
}
