// Sends the request of an operation's page, and shows the response beside the button.

import { html, nothing } from "lit-html";
import { plural } from "../../../values/text/counted.ts";
import { type Api, missingScope } from "../../browser/api.ts";
import { byId, fill } from "../../browser/dom.ts";
import { clearMessages, scopeAdvice, showProblem, showStatus } from "../../browser/messages.ts";
import { Session } from "../../browser/session.ts";
import { jsonParts } from "./json-parts.ts";
import { isStream, streamSummary } from "./stream.ts";

/** Maximum number of characters shown, because more would slow down the page. */
const shownCharactersMax = 120_000;
const keyForm = /itemtape_(live|pat)_/i;

/** A request from the form. `fault` is a reason not to send it. */
type Request = {
  address: string;
  method: string;
  body: string | null;
  headers: Record<string, string>;
  fault: string | null;
};

const form = byId("try", HTMLFormElement);
const stop = byId("stop", HTMLButtonElement);
const send = form.querySelector("button") as HTMLButtonElement;
const session = document.getElementById("use-key")
  ? new Session({ onKey: async () => {}, onOpen: async () => {}, onForget: hideAnswer })
  : null;
let running: AbortController | null = null;

const dayMs = 86_400_000;

for (const field of document.querySelectorAll<HTMLElement>("[form=try]")) field.hidden = false;
for (const field of document.querySelectorAll<HTMLInputElement>("[data-yesterday]"))
  field.value = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
(form.closest("section") as HTMLElement).hidden = false;
for (const sample of document.querySelectorAll(".sample")) showSample(sample);
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
  if (session !== null && api === null) {
    session.askForKey();
    return showProblem("Not sent", "This operation reads for an account: sign in, or paste an API key.");
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
    const why = error instanceof Error ? error.message : String(error);
    showProblem(running.signal.aborted ? "Stopped" : "No answer", why);
  }
  busy(false);
}

function answerTo(api: Api | null, { address, method, body, headers }: Request, signal: AbortSignal) {
  if (api !== null) return api.request(address, { method, body, headers, signal });
  return fetch(address, { method, headers, cache: "no-store", credentials: "omit", redirect: "error", signal });
}

/** Content to show. `verdict` describes the end of a stream. */
type Content = { text: string; verdict: string };

async function contentOf(answer: Response): Promise<Content> {
  if (answer.body !== null && isStream(answer.headers.get("content-type"))) return streamSummary(answer.body);
  const text = await answer.text();
  try {
    return { text: JSON.stringify(JSON.parse(text), null, 2), verdict: "" };
  } catch {
    return { text, verdict: "" };
  }
}

function show(answer: Response, { text, verdict }: Content, headMs: number) {
  const { status, headers } = answer;
  const left = headers.get("X-RateLimit-Remaining");
  const facts = [
    `HTTP ${status}`,
    `${headMs} ms`,
    left === null ? "" : `${plural(Number(left), "request")} left this minute`,
    headers.get("X-Request-Id") ?? "",
  ].filter((fact) => fact !== "");
  const code = status >= 400 ? /"code": "([a-z_]+)"/.exec(text)?.[1] : undefined;
  const link = code === undefined ? nothing : html` · <a href="/problems/${code}">What ${code} means</a>`;
  fill("answer-facts", html`${facts.join(" · ")}${link}`);
  fill("answer-advice", scopeAdvice({ code: code ?? null, scope: missingScope(answer) }));
  fill("answer-verdict", verdict);
  const rest = text.length - shownCharactersMax;
  const shown = rest <= 0 ? text : `${text.slice(0, shownCharactersMax)}\n… ${rest} more characters`;
  fill("answer-text", text === "" ? "The answer has no body." : colouredJson(shown));
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
 * Builds the request from the form. Empty fields are not sent. A key in a field is refused, because it would appear in addresses and logs.
 */
function requestOf(form: HTMLFormElement): Request {
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

function colouredJson(json: string) {
  return jsonParts(json).map(({ text, kind }) => (kind === null ? text : html`<i class=${kind}>${text}</i>`));
}

/** Makes a sample copyable, with the address by which the browser reached this server. */
function showSample(sample: Element) {
  const served = `http://${location.host}`;
  const code = sample.querySelector("code") as HTMLElement;
  const button = sample.querySelector("button") as HTMLButtonElement;
  if (served !== location.origin) code.textContent = code.textContent.replaceAll(served, location.origin);
  button.hidden = !("clipboard" in navigator);
  button.addEventListener("click", () => {
    void navigator.clipboard.writeText(code.textContent).then(() => {
      button.textContent = "Copied";
    });
  });
}
