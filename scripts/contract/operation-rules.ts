import { componentsOf, type Node, node, type Operation, operationsOf, resolve } from "./document.ts";
import type { Finding } from "./finding.ts";

export const errorStatuses = ["400", "401", "403", "404", "413", "429", "503"];

const extensionValues: Record<string, unknown[]> = {
  "x-itemtape-plan": ["none", "free", "paid"],
  "x-itemtape-cost": [0, 1],
  "x-itemtape-scope": ["none", "any", "market:read", "portfolio:read"],
  "x-itemtape-minute": [true, false],
  "x-itemtape-extension": [true, false],
};

/** Rules about operations, their parameters, answers and examples. */
export function checkOperations(document: Node): Finding[] {
  return operationsOf(document).flatMap((operation) => [
    ...checkNaming(document, operation),
    ...checkExtensions(operation),
    ...checkSecurity(document, operation),
    ...checkParameters(document, operation),
    ...checkResponses(document, operation),
    ...checkConditional(document, operation),
  ]);
}

function checkNaming(document: Node, operation: Operation): Finding[] {
  const at = place(operation);
  const findings: Finding[] = [];
  if (!/^(list|get|stream|resolve)([A-Z][a-z0-9]*)+$/.test(operation.id)) {
    findings.push({ rule: "operation-id", at, message: "operationId: camelCase list, get, stream or resolve + noun" });
  }
  const tags = Array.isArray(operation.node.tags) ? operation.node.tags : [];
  const known = Array.isArray(document.tags) ? document.tags.map((tag) => node(tag).name) : [];
  if (tags.length !== 1 || !known.includes(tags[0])) {
    findings.push({ rule: "one-tag", at, message: "tags: exactly one, declared and described at the root" });
  }
  for (const key of ["summary", "description"]) {
    if (!isText(operation.node[key])) findings.push({ rule: "described", at, message: `${key}: is missing` });
  }
  return findings;
}

function checkExtensions(operation: Operation): Finding[] {
  const at = place(operation);
  const rule = "extensions" as const;
  const unknown = Object.keys(operation.node).filter((key) => key.startsWith("x-") && !(key in extensionValues));
  return [
    ...unknown.map((key) => ({ rule, at, message: `${key}: is not an extension of this document` })),
    ...Object.entries(extensionValues)
      .filter(([key, values]) => !values.includes(operation.node[key]))
      .map(([key, values]) => ({ rule, at, message: `${key}: must be one of ${values.join(", ")}` })),
  ];
}

/** The security requirement and `x-itemtape-scope` say the same; a public operation has no plan, cost or limit. */
function checkSecurity(document: Node, operation: Operation): Finding[] {
  const at = place(operation);
  const rule = "security";
  const scope = String(operation.node["x-itemtape-scope"]);
  const scheme = "bearerAuth";
  const findings: Finding[] = [];
  if (!(scheme in componentsOf(document, "securitySchemes"))) {
    findings.push({ rule, at, message: `components/securitySchemes/${scheme}: is missing` });
  }
  const expected = scope === "none" ? [] : [{ [scheme]: scope === "any" ? [] : [scope] }];
  if (JSON.stringify(operation.node.security) !== JSON.stringify(expected)) {
    findings.push({ rule, at, message: `security: must be ${JSON.stringify(expected)} for x-itemtape-scope ${scope}` });
  }
  const isFree = operation.node["x-itemtape-cost"] === 0 && operation.node["x-itemtape-minute"] === false;
  if ((scope === "none") !== (operation.node["x-itemtape-plan"] === "none") || (scope === "none" && !isFree)) {
    findings.push({
      rule,
      at,
      message: "a public operation, and only such a one, has plan none, cost 0 and minute false",
    });
  }
  return findings;
}

function checkParameters(document: Node, operation: Operation): Finding[] {
  const parameters = Array.isArray(operation.node.parameters) ? operation.node.parameters : [];
  return parameters.flatMap((entry) => {
    const parameter = resolve(document, entry);
    const at = `${place(operation)}/parameters/${String(parameter.name)}`;
    const findings: Finding[] = [];
    if (!isBounded(resolve(document, parameter.schema))) {
      findings.push({
        rule: "parameter-bounds",
        at,
        message: "needs minimum and maximum, an enum, or a maximal length",
      });
    }
    if (!("example" in parameter)) findings.push({ rule: "parameter-example", at, message: "needs one `example`" });
    if (!isText(parameter.description)) findings.push({ rule: "described", at, message: "needs a description" });
    return findings;
  });
}

/** Exactly the reads that take a key can be asked whether anything changed: header, status and tag stand together. */
function checkConditional(document: Node, operation: Operation): Finding[] {
  const at = place(operation);
  const rule = "conditional";
  const parameters = Array.isArray(operation.node.parameters) ? operation.node.parameters : [];
  const inHeader = parameters
    .filter((entry) => resolve(document, entry).in === "header")
    .map((entry) => node(entry).$ref);
  const responses = node(operation.node.responses);
  const expected = isConditional(operation) ? ["#/components/parameters/IfNoneMatch"] : [];
  const findings: Finding[] = [];
  if (JSON.stringify(inHeader) !== JSON.stringify(expected)) {
    findings.push({
      rule,
      at,
      message: "IfNoneMatch is the header parameter of a GET with a key, and no other has one",
    });
  }
  if ("304" in responses && node(responses["304"]).$ref !== "#/components/responses/NotModified") {
    findings.push({ rule, at, message: "304: must be NotModified" });
  }
  for (const [status, entry] of Object.entries(responses)) {
    const response = resolve(document, entry);
    const isTagged = isConditional(operation) && (status === "200" || status === "304");
    if ("ETag" in node(response.headers) !== isTagged) {
      findings.push({
        rule,
        at: `${at}/${status}`,
        message: `ETag: ${isTagged ? "is missing" : "does not belong here"}`,
      });
    }
    if (status === "304" && "content" in response) {
      findings.push({ rule, at: `${at}/304`, message: "a 304 has no body" });
    }
  }
  return findings;
}

function isConditional({ method, node: { "x-itemtape-scope": scope } }: Operation): boolean {
  return method === "get" && scope !== "none";
}

function isBounded(schema: Node): boolean {
  if (Array.isArray(schema.enum) || "const" in schema || schema.type === "boolean") return true;
  if (schema.type === "integer") return "minimum" in schema && "maximum" in schema;
  return schema.type === "string" && "maxLength" in schema;
}

function checkResponses(document: Node, operation: Operation): Finding[] {
  const responses = node(operation.node.responses);
  const statuses = ["200", ...(isConditional(operation) ? ["304"] : []), ...errorStatuses];
  const at = place(operation);
  const findings: Finding[] = [];
  if (JSON.stringify(Object.keys(responses).sort()) !== JSON.stringify(statuses)) {
    findings.push({ rule: "statuses", at, message: `responses: must be exactly ${statuses.join(", ")}` });
  }
  for (const [status, entry] of Object.entries(responses)) {
    const response = resolve(document, entry);
    const content = Object.values(node(response.content));
    const examples = content.flatMap((media) => Object.values(node(node(media).examples)));
    if (status !== "304" && (content.length === 0 || examples.length === 0)) {
      findings.push({ rule: "response-example", at: `${at}/${status}`, message: "needs at least one named example" });
    }
    if (!Object.keys(node(response.headers)).includes("X-Request-Id")) {
      findings.push({ rule: "request-id-header", at: `${at}/${status}`, message: "must declare X-Request-Id" });
    }
    findings.push(
      ...checkOneExample(document, response, status, `${at}/${status}`),
      ...examples.flatMap((example) => checkProblem(resolve(document, example), status, `${at}/${status}`)),
    );
  }
  return findings;
}

/** One 200 for each media type and one example for each code of an error; other recorded answers are fixtures of the replay. */
function checkOneExample(document: Node, response: Node, status: string, at: string): Finding[] {
  const rule = "one-example";
  return Object.entries(node(response.content)).flatMap(([mediaType, media]): Finding[] => {
    const examples = Object.values(node(node(media).examples));
    if (status === "200" && examples.length > 1)
      return [{ rule, at, message: `${mediaType}: one example is enough; move the others to test/contract/fixtures` }];
    const codes = examples.map((example) => node(resolve(document, example).value).code);
    const again = codes.find((code, index) => codes.indexOf(code) !== index);
    if (status === "200" || again === undefined) return [];
    return [{ rule, at, message: `${String(again)}: has two examples; move one to test/contract/fixtures` }];
  });
}

/** An example of an error tells the status under which it stands, and the type that belongs to its code. */
function checkProblem(example: Node, status: string, at: string): Finding[] {
  if (status === "200") return [];
  const problem = node(example.value);
  if (String(problem.status) === status && problem.type === `/problems/${String(problem.code)}`) return [];
  const message = `example ${String(problem.code)}: status must be ${status} and type /problems/{code}`;
  return [{ rule: "problem-example", at, message }];
}

/** Marks of examples that nothing can provoke stand in Example Objects only and give a reason. */
export function checkExamples(document: Node): Finding[] {
  return Object.entries(componentsOf(document, "examples")).flatMap(([name, example]) => {
    const at = `#/components/examples/${name}`;
    const findings: Finding[] = [];
    if (!isText(example.summary)) findings.push({ rule: "described", at, message: "needs a summary" });
    if (!("value" in example)) findings.push({ rule: "example-value", at, message: "needs a value" });
    if ("x-unreachable" in example && !isText(example["x-unreachable"])) {
      findings.push({ rule: "unreachable-reason", at, message: "x-unreachable: must be the reason" });
    }
    return findings;
  });
}

function place(operation: Operation): string {
  return `${operation.method.toUpperCase()} ${operation.path}`;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
