import { type ProblemEntry, problems, streamProblems } from "../api/problems.ts";
import type { ErrorCode } from "../contract/types.ts";
import { type Documented, referencePath } from "./docs/documented.ts";
import { type Html, html, prose } from "./html.ts";
import { plainPage } from "./shell.ts";

type StreamCode = keyof typeof streamProblems;

/** Codes with a page: codes of problem records, then codes of a broken export. */
export const pageCodes: readonly (ErrorCode | StreamCode)[] = [
  ...(Object.keys(problems) as ErrorCode[]),
  ...(Object.keys(streamProblems) as StreamCode[]),
];

/** Returns the page of a code: cause, fix, whether to retry, and the `operations` that may return it. */
export function problemPage(code: ErrorCode | StreamCode, operations: readonly Documented[]): string {
  const entry = code in problems ? problems[code as ErrorCode] : streamProblems[code as StreamCode];
  const where = statusText(code);
  return plainPage(
    `${entry.title} · Itemtape`,
    html`<p class="crumbs"><a href="/docs">Reference</a> · <a href="/problems">Problems</a></p>
<h1>${entry.title}</h1>
<p class="muted"><code>${code}</code> · ${where}</p>
<h2>Cause</h2>
<p>${prose(entry.cause)}</p>
<h2>Fix</h2>
<p>${withLinks(entry.fix, operations)}</p>
<h2>Retry?</h2>
<p>${prose(entry.retry)}</p>
${exampleOf(code)}<h2>Operations</h2>
${answeredBy(code, operations)}
<p class="muted">Quote the answer's <code>request_id</code> when you ask for help.</p>`,
    "/docs",
  );
}

/** Returns the list of all codes. */
export function problemListPage(): string {
  const rows = pageCodes.map((code) => {
    const { title } = code in problems ? problems[code as ErrorCode] : streamProblems[code as StreamCode];
    return html`<tr><td>${code in problems ? problems[code as ErrorCode].status : "stream"}</td><td><a href="/problems/${code}"><code>${breakable(code)}</code></a></td><td>${title}</td></tr>
`;
  });
  return plainPage(
    "Problems · Itemtape",
    html`<p class="crumbs"><a href="/docs">Reference</a></p>
<h1>Problems</h1>
<p>Every refusal is an <code>application/problem+json</code> record with one of these codes. Retry only 429 and 503.</p>
<table>
<thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`,
    "/docs",
  );
}

/** Returns the page for an unknown address. */
export function missingPage(): string {
  return plainPage(
    "Page not found · Itemtape",
    html`<h1>Page not found</h1>
<p>The address may be mistyped, or the page has moved.</p>
<p><a href="/">Start</a> · <a href="/market">Market</a> · <a href="/docs">Docs</a></p>
<p class="muted">Programs get <a href="/problems/endpoint_not_found"><code>endpoint_not_found</code></a>.</p>`,
  );
}

/** Renders a text with links: requests such as `GET /v1/items` to the page of their operation, dashboard paths to the dashboard. */
function withLinks(text: string, operations: readonly Documented[]): readonly Html[] {
  return text.split(/`?((?:GET|POST) \/v1\/[a-z/-]+|\/dashboard\/[a-z/]*[a-z])`?/).map((part, index) => {
    if (index % 2 === 1 && part.startsWith("/dashboard/")) return html`<a href="${part}"><code>${part}</code></a>`;
    const operation = operations.find(({ method, path }) => index % 2 === 1 && part === `${method} ${path}`);
    return operation === undefined ? prose(part) : html`<a href="${referencePath(operation)}"><code>${part}</code></a>`;
  });
}

/** Renders an example problem record with the default detail of the code. Renders nothing for codes of streams. */
function exampleOf(code: ErrorCode | StreamCode): Html {
  if (!(code in problems)) return html``;
  const { title, status, detail }: ProblemEntry = problems[code as ErrorCode];
  const record = { type: `/problems/${code}`, title, status, detail, code, request_id: "req_…" };
  return html`<h2>Answer</h2>
<pre tabindex="0" aria-label="Answer"><code>${JSON.stringify(record, null, 2)}</code></pre>
`;
}

/** Renders a code that can wrap between its words on narrow pages. */
function breakable(code: string): readonly Html[] {
  return code.split("_").map((word, index) => (index === 0 ? html`${word}` : html`_<wbr>${word}`));
}

/** Renders links to the operations that may return the code. */
function answeredBy(code: string, operations: readonly Documented[]): Html {
  const links = operations
    .filter(({ codes }) => codes.includes(code))
    .map((operation) => html`<a href="${referencePath(operation)}">${operation.operationId}</a> `);
  if (links.length === 0) return html`<p>No operation returns it: the request failed before it was routed.</p>`;
  if (links.length < operations.length) return html`<p>${links}</p>`;
  return html`<p>Every operation may return it.</p>
<p>${links}</p>`;
}

function statusText(code: ErrorCode | StreamCode): string {
  if (!(code in problems)) return "in the stream";
  const { status }: ProblemEntry = problems[code as ErrorCode];
  return `HTTP ${status}`;
}
