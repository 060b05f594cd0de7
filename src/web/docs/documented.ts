import type { Contract } from "../../contract/document.ts";
import { plural } from "../../values/text/counted.ts";
import { type ContractNode, exampleValue, listOf, type Resolve, resolverOf } from "./contract-node.ts";

/** An operation of the contract, prepared for its documentation. */
export type Documented = {
  readonly operationId: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** `none` needs no account, `free` means every plan, `paid` means Builder, Trader or Quant. */
  readonly plan: string;
  /** `none`, `any` or the scope that a key needs. */
  readonly scope: string;
  /** Cost in units of the monthly allowance. */
  readonly cost: number;
  /** Path and query parameters with example values. Page cursors, defaults and optional filters are omitted. */
  readonly parameters: readonly ExampleParameter[];
  /** First example of the request body; null without a body. */
  readonly body: unknown;
  /** Field of `meta` with the next page, and the parameter for it; null without pages. */
  readonly paging: { readonly meta: string; readonly parameter: string } | null;
  /** Names of all parameters, and of the top-level fields of the body and the response. */
  readonly names: readonly string[];
  /** Whether the response is a stream of lines instead of one JSON value. */
  readonly isStream: boolean;
  /** Whether it is the export of the whole market, which must be checked to its end before use. */
  readonly isExport: boolean;
  /** Codes of the refusals in its examples, then of a broken stream. Unreachable codes are omitted. */
  readonly codes: readonly string[];
};

type ExampleParameter = { readonly name: string; readonly in: "path" | "query"; readonly value: unknown };

const pagings = [
  { meta: "next_cursor", parameter: "cursor" },
  { meta: "next_page", parameter: "after" },
];
const exportId = "streamMarketSnapshot";
const streamMedia = "application/x-ndjson";

/** Returns all operations in the contract's order. */
export function documentedOperations(contract: Contract): readonly Documented[] {
  const { document, operations } = contract;
  const resolve = resolverOf(contract);
  const paths = document.paths as unknown as Record<string, Record<string, ContractNode>>;
  return [...operations.values()].map(({ operationId, method, path, summary }) => {
    const node = paths[path]?.[method.toLowerCase()] as ContractNode;
    const parameters = listOf(node.parameters).map(resolve);
    const names = new Set(parameters.filter((one) => one.in !== "header").map(({ name }) => String(name)));
    const body = node.requestBody === undefined ? null : resolve(node.requestBody);
    const answer = contentOf(answersOf(node, resolve)[0]?.[1]);
    const fields = Object.values(answer).flatMap(({ schema }) => answerFields(schema, resolve));
    return {
      operationId,
      method,
      path,
      summary,
      tag: String(listOf(node.tags)[0]),
      plan: String(node["x-itemtape-plan"]),
      scope: String(node["x-itemtape-scope"]),
      cost: Number(node["x-itemtape-cost"]),
      parameters: ofSample(parameters, resolve).flatMap(exampleParameter),
      body: body === null ? null : firstExample(body, resolve),
      paging: names.has("limit") ? (pagings.find(({ parameter }) => names.has(parameter)) ?? null) : null,
      names: [
        ...new Set([...names, ...fieldsOf(contentOf(body ?? {})["application/json"]?.schema, resolve), ...fields]),
      ],
      isStream: answer[streamMedia] !== undefined,
      isExport: operationId === exportId,
      codes: codesOf(node, resolve),
    };
  });
}

/** Returns the path of the operation's reference page. */
export function referencePath({ operationId }: Pick<Documented, "operationId">): string {
  return `/docs/operations/${operationId}`;
}

/** Describes the permitted callers of an operation, and its cost. */
export function termsOf({
  plan,
  scope,
  cost,
  isExport,
}: Pick<Documented, "plan" | "scope" | "cost" | "isExport">): string {
  if (plan === "none") return "Needs no key and costs nothing.";
  const key = keyNames[scope] ?? `a key with the scope ${scope}`;
  const plans = plan === "paid" ? "the Builder, Trader or Quant plan" : "any plan";
  const price = cost === 0 ? "nothing" : `${plural(cost, "unit")} of the month`;
  const start = isExport ? " and one of the export starts that the plan has a day" : "";
  return `Needs ${key} of an account on ${plans}; costs ${price}${start}.`;
}

const keyNames: Record<string, string> = {
  any: "a key of any kind",
  "market:read": "a project key",
  "portfolio:read": "a personal access token",
};

/** Removes parameters that a sample does not need: defaults, the provider filter, and in a search all filters. */
function ofSample(parameters: readonly ContractNode[], resolve: Resolve): readonly ContractNode[] {
  const isSearch = parameters.some(({ name }) => name === "q");
  return parameters.filter((parameter) => {
    const { name, in: place, schema } = parameter;
    if (isSearch) return name === "q" || name === "limit";
    return (
      place === "path" || (name !== "provider" && exampleValue(parameter) !== resolve(schema as ContractNode).default)
    );
  });
}

function exampleParameter(parameter: ContractNode): ExampleParameter[] {
  const { name, in: place } = parameter;
  const value = pagings.some((paging) => paging.parameter === name) ? undefined : exampleValue(parameter);
  return (place === "path" || place === "query") && value !== undefined
    ? [{ name: String(name), in: place, value }]
    : [];
}

function firstExample(body: ContractNode, resolve: Resolve): unknown {
  const examples = contentOf(body)["application/json"]?.examples ?? {};
  const [first] = Object.values(examples);
  return resolve(first).value ?? null;
}

/** Returns the fields of `data`, or of a stream's records. */
function answerFields(schema: ContractNode | undefined, resolve: Resolve): string[] {
  const whole = resolve(schema);
  const { data } = (whole.properties ?? {}) as ContractNode;
  return fieldsOf(whole.contentSchema ?? data, resolve);
}

/** Returns the field names of a record, of the rows of a list, and of all alternatives. */
function fieldsOf(schema: unknown, resolve: Resolve): string[] {
  const whole = resolve(schema);
  const inner = [...listOf(whole.anyOf), ...listOf(whole.oneOf), ...(whole.items === undefined ? [] : [whole.items])];
  return [...Object.keys((whole.properties ?? {}) as ContractNode), ...inner.flatMap((one) => fieldsOf(one, resolve))];
}

function codesOf(operation: ContractNode, resolve: Resolve): string[] {
  const answers = answersOf(operation, resolve);
  const refusals = answers
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, answer]) => Object.values(contentOf(answer)))
    .flatMap(({ examples }) => Object.values(examples ?? {}).map(resolve))
    .filter((example) => example["x-unreachable"] === undefined)
    .map(({ value }) => String((value as ContractNode).code));
  const stream = contentOf(answers[0]?.[1])[streamMedia];
  return [...new Set([...refusals, ...(stream === undefined ? [] : streamCodesOf(stream.schema, resolve))])];
}

/** Returns the codes of a stream's `error` records, from the schema of the records. */
function streamCodesOf(schema: ContractNode | undefined, resolve: Resolve): string[] {
  const record = resolve((schema?.contentSchema as ContractNode | undefined)?.items);
  const kinds = listOf(record.oneOf).map((branch) => resolve(branch).properties as Record<string, ContractNode>);
  const error = kinds.find(({ type }) => type?.const === "error");
  return listOf(resolve(error?.code).enum).map(String);
}

function answersOf(operation: ContractNode, resolve: Resolve): [string, ContractNode][] {
  return Object.entries(operation.responses as ContractNode).map(([status, answer]) => [status, resolve(answer)]);
}

function contentOf(node: ContractNode | undefined): Record<string, { schema?: ContractNode; examples?: ContractNode }> {
  return (node?.content ?? {}) as Record<string, { schema?: ContractNode; examples?: ContractNode }>;
}
