// Sends the request of an operation's page and shows the answer beside the button.
import { missingScope } from "../../browser/api.mjs";
import { byId, element } from "../../browser/dom.mjs";
import { clearMessages, scopeAdvice, showProblem, showStatus } from "../../browser/messages.mjs";
import { Session } from "../../browser/session.mjs";
import { isStream, streamSummary } from "./stream.mjs";

/** @import { Api } from "../../browser/api.mjs" */

/** More characters than this would make the page slow. */
const shownCharactersMax = 120_000;
const keyForm = /itemtape_(live|pat)_/i;
// The same marks as in `reference/json-html.ts`, which colours the examples.
const marks = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const form = byId("try", HTMLFormElement);
const stop = byId("stop", HTMLButtonElement);
const send = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
const needsAccount = document.getElementById("key-form") !== null;
const session = needsAccount
  ? new Session({ onKey: async () => {}, onOpen: async () => {}, onForget: hideAnswer })
  : null;
/** @type {AbortController | null} */
let running = null;

for (const field of document.querySelectorAll("[form=try]")) /** @type {HTMLElement} */ (field).hidden = false;
/** @type {HTMLElement} */ (form.closest("section")).hidden = false;
showSamples();
session?.start();
stop.addEventListener("click", () => running?.abort());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void run();
});

async function run() {
  clearMessages();
  const request = requestOf(form);
  if (request.fault !== null) return showProblem("Not sent", request.fault);
  const api = session?.api ?? null;
  if (needsAccount && api === null) {
    byId("key-fold", HTMLDetailsElement).open = true;
    byId("key", HTMLInputElement).focus();
    return showProblem("Not sent", "This operation reads for an account: sign in, or use a key.");
  }
  running = new AbortController();
  busy(true);
  hideAnswer();
  const startedMs = performance.now();
  try {
    const answer = await answerTo(api, request, running.signal);
    const headMs = Math.round(performance.now() - startedMs);
    showStatus("Reading the answer…");
    show(answer, await contentOf(answer), headMs);
  } catch (error) {
    showStatus("");
    showProblem(
      running.signal.aborted ? "Stopped" : "No answer",
      error instanceof Error ? error.message : String(error),
    );
  }
  session?.showCost();
  busy(false);
}

/**
 * @param {Api | null} api
 * @param {{ address: string, method: string, body: string | null, headers: Record<string, string> }} request
 * @param {AbortSignal} signal
 */
function answerTo(api, { address, method, body, headers }, signal) {
  if (api !== null) return api.request(address, { method, body, headers, signal });
  return fetch(address, { method, headers, cache: "no-store", credentials: "omit", redirect: "error", signal });
}

/** `verdict`: how a stream ended. @param {Response} answer @returns {Promise<{ text: string, verdict: string }>} */
async function contentOf(answer) {
  if (answer.body !== null && isStream(answer.headers.get("content-type"))) return streamSummary(answer.body);
  const text = await answer.text();
  try {
    return { text: JSON.stringify(JSON.parse(text), null, 2), verdict: "" };
  } catch {
    return { text, verdict: "" };
  }
}

/** @param {Response} answer @param {{ text: string, verdict: string }} content @param {number} headMs */
function show(answer, { text, verdict }, headMs) {
  const { status, headers } = answer;
  const left = headers.get("X-RateLimit-Remaining");
  const facts = [
    `HTTP ${status}`,
    `${headMs} ms`,
    ...(left === null ? [] : [`${left} requests left this minute`]),
    headers.get("X-Request-Id") ?? "",
  ].filter((fact) => fact !== "");
  const code = status >= 400 ? /"code": "([a-z_]+)"/.exec(text)?.[1] : undefined;
  const link = code === undefined ? [] : [" · ", element("a", { href: `/problems/${code}` }, `What ${code} means`)];
  byId("answer-facts", HTMLElement).replaceChildren(facts.join(" · "), ...link);
  byId("answer-advice", HTMLElement).replaceChildren(...scopeAdvice({ code: code ?? "", scope: missingScope(answer) }));
  const shown =
    text.length <= shownCharactersMax
      ? text
      : `${text.slice(0, shownCharactersMax)}\n… ${text.length - shownCharactersMax} more characters`;
  byId("answer-verdict", HTMLElement).textContent = verdict;
  byId("answer-text", HTMLElement).replaceChildren(text === "" ? "The answer has no body." : colouredJson(shown));
  byId("answer", HTMLElement).hidden = false;
  showStatus(`Answered with ${status}.`);
}

function hideAnswer() {
  byId("answer", HTMLElement).hidden = true;
}

/** @param {boolean} isBusy */
function busy(isBusy) {
  send.disabled = isBusy;
  stop.hidden = !isBusy;
  if (isBusy) showStatus("Sending…");
  else running = null;
}

/**
 * Reads the request out of the page's fields. Empty fields are not sent. `fault`: why it must not be sent at all, such as a key in a
 * field, which would appear in addresses and logs.
 * @param {HTMLFormElement} form
 */
function requestOf(form) {
  const { method = "GET", path = "" } = form.dataset;
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  let address = path;
  /** @type {string | null} */
  let body = null;
  for (const field of form.elements) {
    const { name, value, dataset } = /** @type {HTMLInputElement} */ (field);
    if (dataset.in === "body") body = value;
    else if (dataset.in === "path") address = address.replace(`{${name}}`, encodeURIComponent(value.trim()));
    else if (value === "" || dataset.in === undefined) continue;
    else if (dataset.in === "header") headers[name] = value;
    else query.set(name, value);
  }
  if (query.size > 0) address = `${address}?${query}`;
  const isKey = keyForm.test(JSON.stringify([decodeURIComponent(address), body, headers]));
  const fault = isKey ? "A field of the request holds an API key, which belongs into the key's own field only." : null;
  return { address, method, body, headers, fault };
}

/**
 * Returns JSON with its names, texts, numbers and words coloured.
 * @param {string} text
 */
function colouredJson(text) {
  const made = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, quoted, colon] = match;
    const token = quoted ?? whole;
    const part = document.createElement("span");
    part.className = kindOf(token, colon);
    part.textContent = token;
    made.append(text.slice(end, match.index), part, colon ?? "");
    end = match.index + whole.length;
  }
  made.append(text.slice(end));
  return made;
}

/** @param {string} token @param {string | undefined} colon */
function kindOf(token, colon) {
  if (token.startsWith('"')) return colon === undefined ? "js" : "jn";
  return /^[tfn]/.test(token) ? "jw" : "jd";
}

/** Lets the samples be copied, with the address of the server that this page was reached at. */
function showSamples() {
  const served = `http://${location.host}`;
  for (const sample of document.querySelectorAll(".sample")) {
    const code = /** @type {HTMLElement} */ (sample.querySelector("code"));
    const button = /** @type {HTMLButtonElement} */ (sample.querySelector("button"));
    if (served !== location.origin) code.textContent = (code.textContent ?? "").replaceAll(served, location.origin);
    button.hidden = !("clipboard" in navigator);
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(code.textContent ?? "").then(() => {
        button.textContent = "Copied";
      });
    });
  }
}
