import { isStream } from "./document.mjs";

/** Maximum records of a stream that are shown; the rest is read, counted and let go. */
const shownRecordsMax = 4;
const shownCharactersMax = 600;

const keyForm = /itemtape_(live|pat)_/i;

/**
 * Sends a request of the page's forms. A stream is read to its end but not kept, so that a whole market does not fill the page; the
 * returned answer reports how it ended. A key typed into a field of a form is never sent: it would appear in addresses and logs.
 * @throws {Error} when a field other than that of the dialog contains a key.
 * @param {string} url
 * @param {RequestInit} request
 */
export async function fetchBounded(url, request) {
  const { method = "GET", headers = {}, body = null, credentials = "same-origin" } = request;
  const { Authorization: _, ...others } = /** @type {Record<string, string>} */ (headers);
  if (keyForm.test(JSON.stringify([url, body, others]))) {
    throw new Error("not sent: a field of the form holds an API key, which belongs under Authorize only");
  }
  const answer = await fetch(url, { method, headers, body, credentials, cache: "no-store", redirect: "error" });
  if (answer.body === null || !isStream(answer.headers.get("content-type"))) return answer;
  const text = await summaryOf(answer.body);
  return new Response(text, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
}

/** @param {ReadableStream<Uint8Array>} body */
async function summaryOf(body) {
  /** @type {string[]} */
  const first = [];
  let last = "";
  let records = 0;
  let rest = "";
  let cut = null;
  try {
    for await (const part of textOf(body)) {
      const lines = (rest + part).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        records += 1;
        last = line;
        if (first.length < shownRecordsMax) first.push(shortened(line));
      }
    }
  } catch (error) {
    cut = String(error);
  }
  const hidden = records - first.length - 1;
  const shown =
    records > first.length ? [...first, ...(hidden > 0 ? [`… ${hidden} records …`] : []), shortened(last)] : first;
  return [...shown, "", verdict({ records, last, rest, cut })].join("\n");
}

/** @param {{ records: number, last: string, rest: string, cut: string | null }} end */
function verdict({ records, last, rest, cut }) {
  if (cut !== null || rest !== "") return `# Broken off after ${records} records: not to be used. ${cut ?? ""}`;
  const { type, items, code } = parsed(last);
  if (type === "error") return `# Ended with ${code}: not to be used.`;
  if (type !== "end") return "# Closed without an end record: not to be used.";
  if (items !== records - 2) return `# The end record counts ${items} items, ${records - 2} came: not to be used.`;
  return `# ${records} records, ${items} items, closed by an end record. Only some are shown here; the samples keep and check all.`;
}

/** @param {string} line */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** @param {string} line */
function shortened(line) {
  return line.length <= shownCharactersMax ? line : `${line.slice(0, shownCharactersMax)}…`;
}

/** @param {ReadableStream<Uint8Array>} body */
async function* textOf(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}
