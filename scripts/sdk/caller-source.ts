import { type Node, node } from "../contract/document.ts";
import { type Call, declared, type Paging, type Parameter } from "./calls.ts";
import { type Generator, type Values, valuesOf } from "./generator.ts";
import { typedUses } from "./typed-uses.ts";

/** Source of a program that makes every call through one SDK. `owners`: the operation of each line, null without one. */
type CallerSource = { text: string; owners: readonly (string | null)[] };

/**
 * Returns the call to make with an unknown key: the first that needs a key.
 * @throws {Error} when none does.
 */
export function refusedCall(calls: readonly Call[]): Call {
  const call = calls.find(({ caller, method }) => caller === "market" && method === "get");
  if (call === undefined) throw new Error("no operation needs a key");
  return call;
}

/** Writes the program that makes every call through the SDK of `generator`. */
export function callerSource(document: Node, calls: readonly Call[], generator: Generator): CallerSource {
  const head = `import { base, check, etagOf, keys, refused, unchanged, validate } from "./caller-support.ts";\n${generator.head}`;
  const parts = [
    { owner: null, text: `${head}\nvoid [validate, etagOf, unchanged];` },
    ...calls.map((call) => ({ owner: call.operationId, text: partOf(document, call, generator) })),
    { owner: "a refusal", text: refusalOf(document, refusedCall(calls), generator) },
  ];
  return {
    text: `${parts.map(({ text }) => text).join("\n")}\n`,
    owners: parts.flatMap(({ owner, text }) => text.split("\n").map(() => owner)),
  };
}

function partOf(document: Node, call: Call, generator: Generator): string {
  const values = valuesOf(call);
  const { operationId, answer, canBeConditional } = call;
  const validator = generator.validator(call);
  const lines = [
    ...takesWrongValue(call, generator, values),
    `await check("call", "${operationId}", async () => {`,
    `    const answer = await ${generator.request(call, values)};`,
    indented(generator.success(call)),
    ...(answer === null ? streamUses : typedUses(document, answer.schema, "body", generator.keepsConst)),
    ...(validator === null ? [] : [`    validate(${validator}, body);`]),
    "    const bodies: unknown[] = [body];",
    ...(call.paging === null ? [] : secondPage(call, call.paging, generator)),
    "    return bodies;",
    "});",
  ];
  if (canBeConditional) {
    const request = generator.request(call, { ...values, header: { "If-None-Match": `etagOf("${operationId}")` } });
    lines.push(`await check("unchanged", "${operationId}", () => unchanged(async () => ${request}));`);
  }
  return lines.join("\n");
}

const streamUses = [
  "    const text: string = body;",
  "    // @ts-expect-error -- it is text",
  "    const not: number = body;",
];

/**
 * Returns code that reads a second page of the examples. If they give one page, the code reads two pages of all rows with the smallest
 * limit.
 */
function secondPage(call: Call, { from, to }: Paging, generator: Generator): string[] {
  const wide = valuesOf(call, "wide");
  const ask = (values: Values, indent: string) =>
    [
      `const answer = await ${generator.request(call, values)};`,
      ...generator.success(call).split("\n"),
      "bodies.push(body);",
    ].map((line) => `${indent}${line}`);
  const askAfter = (values: Values, page: string, indent: string) =>
    ask({ ...values, query: { ...values.query, [to]: `${page}.meta.${from}` } }, indent);
  return [
    "    const first = body;",
    `    if (first.meta.${from} !== null) {`,
    ...askAfter(valuesOf(call), "first", "      "),
    "    } else {",
    ...ask(wide, "      "),
    "      const least = body;",
    `      if (least.meta.${from} !== null) {`,
    ...askAfter(wide, "least", "        "),
    "      }",
    "    }",
  ];
}

/** Returns a call with a parameter of a wrong type. It must not compile and is never made. */
function takesWrongValue(call: Call, generator: Generator, values: Values): string[] {
  const [parameter] = [...declared(call, "path"), ...declared(call, "query")];
  const [field] = Object.keys(call.body ?? {});
  const wrong =
    parameter !== undefined ? withWrong(values, parameter) : field !== undefined ? withBody(call, field) : null;
  if (wrong === null) return [];
  const request = generator.request(call, { ...values, ...wrong });
  return [`// @ts-expect-error -- ${parameter?.name ?? field} has another type`, `void (() => ${request});`];
}

function withWrong(values: Values, { name, in: place, type }: Parameter): Partial<Values> {
  const other = type === "integer" ? "one" : 1;
  return { [place]: { ...values[place], [name]: JSON.stringify(other) } };
}

function withBody({ body }: Call, field: string): Partial<Values> {
  return { body: JSON.stringify({ ...body, [field]: false }) };
}

function refusalOf(document: Node, call: Call, generator: Generator): string {
  const { schemas } = node(document.components);
  return [
    `await check("refusal", "${call.operationId}", async () => {`,
    indented(generator.problem(call, { ...valuesOf(call), key: "keys.unknown" })),
    ...typedUses(document, node(node(schemas).Problem), "problem", generator.keepsConst),
    "    return [problem];",
    "});",
  ].join("\n");
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}
