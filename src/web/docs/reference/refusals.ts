import { STATUS_CODES } from "node:http";
import { type Html, html } from "../../html.ts";
import { type ContractNode, entriesOf, textOf } from "../contract-node.ts";
import { exampleHtml } from "./json-html.ts";
import type { Reference } from "./reference.ts";

/** An example of a refusal. `unreachable` is the reason why it never occurs, "" if it can occur. */
type Refusal = {
  readonly code: string;
  readonly summary: string;
  readonly value: unknown;
  readonly unreachable: string;
};

/** Renders every status except 200, folded, with its codes and their examples. Declared but unreachable refusals show the reason. */
export function otherStatuses(operation: ContractNode, reference: Reference): Html {
  const answers = entriesOf(operation.responses).map(([status, answer]): [string, ContractNode] => [
    status,
    reference.resolve(answer),
  ]);
  const common = new Set(Object.keys((answers[0]?.[1].headers ?? {}) as object));
  const rows = answers
    .filter(([status]) => status !== "200")
    .map(([status, answer]) => statusPart(status, answer, common, reference));
  return html`<section aria-labelledby="errors">
<h2 id="errors">Other answers and errors</h2>
<p class="muted">Every error is an <code>application/problem+json</code> record. Retry 429 and 503 only, after <code>Retry-After</code>.</p>
${rows}</section>
`;
}

function statusPart(status: string, answer: ContractNode, common: ReadonlySet<string>, reference: Reference): Html {
  const refusals = refusalsOf(answer, reference);
  const codes = refusals.filter(({ unreachable }) => unreachable === "");
  const isNever = refusals.length > 0 && codes.length === 0;
  const names = isNever
    ? html` <span class="muted">never answered</span>`
    : codes.map(({ code }) => html` <code>${code}</code>`);
  const headers = Object.keys((answer.headers ?? {}) as object).filter((name) => !common.has(name));
  const own =
    headers.length === 0
      ? ""
      : html`<p class="bounds">With ${headers.map((name, index) => html`${index === 0 ? "" : ", "}<code>${name}</code>`)}</p>\n`;
  return html`<details class="other">
<summary><b>${status}</b> ${STATUS_CODES[status] ?? ""}${names}</summary>
${reference.prose(textOf(answer.description))}${own}${refusals.map((refusal) => refusalPart(refusal, reference))}</details>
`;
}

function refusalPart({ code, summary, value, unreachable }: Refusal, reference: Reference): Html {
  if (unreachable !== "") return html`<p class="muted">${unreachable}</p>\n`;
  return html`<div class="refusal">${reference.prose(`\`${code}\`: ${summary}`)}${exampleHtml(value, `Answer with ${code}`)}</div>
`;
}

/** Returns the examples of a response. */
function refusalsOf(answer: ContractNode, { resolve }: Reference): Refusal[] {
  const examples = entriesOf(answer.content).flatMap(([, media]) => entriesOf(media.examples));
  return examples.map(([, entry]) => {
    const example = resolve(entry);
    return {
      code: textOf((example.value as ContractNode).code),
      summary: textOf(example.summary),
      value: example.value,
      unreachable: textOf(example["x-unreachable"]),
    };
  });
}
