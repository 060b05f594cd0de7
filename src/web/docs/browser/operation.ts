import type { Api } from "../../browser/api.ts";
// Sends the request of an operation's page and shows the answer beside the button.
import { missingScope } from "../../browser/api.ts";
import { byId, element } from "../../browser/dom.ts";
import { clearMessages, scopeAdvice, showProblem, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { isStream, streamSummary } from "./stream.ts";

/** More characters than this would make the page slow. */
const shownCharactersMax = 120_000;
const keyForm = /itemtape_(live|pat)_/i;
// The same marks as in `reference/json-html.ts`, which colours the examples.
const marks = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const form = byId("try", HTMLFormElement);
const stop = byId("stop", HTMLButtonElement);
const send = form.querySelector("button") as HTMLButtonElement;
const needsAccount = document.getElementById("key-form") !== null;
const session = needsAccount
  ? new Session({ onKey: async () => {}, onOpen: async () => {}, onForget: hideAnswer })
  : null;
let running: AbortController | null = null;

for (const field of document.querySelectorAll("[form=try]")) (field as HTMLElement).hidden = false;
(form.closest("section") as HTMLElement).hidden = false;
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

function answerTo(
  api: Api | null,
  {
    address,
    method,
    body,
    headers,
  }: { address: string; method: string; body: string | null; headers: Record<string, string> },
  signal: AbortSignal,
) {
  if (api !== null) return api.request(address, { method, body, headers, signal });
  return fetch(address, { method, headers, cache: "no-store", credentials: "omit", redirect: "error", signal });
}

/** `verdict`: how a stream ended. */
async function contentOf(answer: Response): Promise<{ text: string; verdict: string }> {
  if (answer.body !== null && isStream(answer.headers.get("content-type"))) return streamSummary(answer.body);
  const text = await answer.text();
  try {
    return { text: JSON.stringify(JSON.parse(text), null, 2), verdict: "" };
  } catch {
    return { text, verdict: "" };
  }
}

function show(answer: Response, { text, verdict }: { text: string; verdict: string }, headMs: number) {
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

function busy(isBusy: boolean) {
  send.disabled = isBusy;
  stop.hidden = !isBusy;
  if (isBusy) showStatus("Sending…");
  else running = null;
}

/**
 * Reads the request out of the page's fields. Empty fields are not sent. `fault`: why it must not be sent at all, such as a key in a
 * field, which would appear in addresses and logs.
 */
function requestOf(form: HTMLFormElement) {
  const { method = "GET", path = "" } = form.dataset;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let address = path;
  let body: string | null = null;
  for (const field of form.elements) {
    const { name, value, dataset } = field as HTMLInputElement;
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

/** Returns JSON with its names, texts, numbers and words coloured. */
function colouredJson(text: string) {
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

function kindOf(token: string, colon: string | undefined) {
  if (token.startsWith('"')) return colon === undefined ? "js" : "jn";
  return /^[tfn]/.test(token) ? "jw" : "jd";
}

/** Lets the samples be copied, with the address of the server that this page was reached at. */
function showSamples() {
  const served = `http://${location.host}`;
  for (const sample of document.querySelectorAll(".sample")) {
    const code = sample.querySelector("code") as HTMLElement;
    const button = sample.querySelector("button") as HTMLButtonElement;
    if (served !== location.origin) code.textContent = (code.textContent ?? "").replaceAll(served, location.origin);
    button.hidden = !("clipboard" in navigator);
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(code.textContent ?? "").then(() => {
        button.textContent = "Copied";
      });
    });
  }
}
