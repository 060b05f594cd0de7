import { document, follow, operationList } from "../../scripts/contract/answers.ts";

export type Plan = "free" | "builder" | "trader" | "quant";

/** The contract's extensions of an operation. */
export type DeclaredOperation = {
  operationId: string;
  method: string;
  path: string;
  plan: "none" | "free" | "paid";
  cost: 0 | 1;
  scope: string;
  takesBody: boolean;
  isExport: boolean;
  parameters: Parameter[];
};

/** A parameter with its schema. */
export type Parameter = { name: string; in: "path" | "query"; schema: Record<string, unknown> };

/** Facts about a request and its caller. An absent fact is in order. */
export type Facts = {
  transport?: "malformed_request" | "credential_in_url";
  routeMissed?: boolean;
  unwantedBody?: boolean;
  credential?: "none" | "unknown" | "expired" | "revoked" | "disabled";
  scopes?: readonly string[];
  tooLarge?: boolean;
  /** Code of the refusal of parameters, body or cursor. */
  parameters?: string;
  plan?: Plan;
  minuteUsedUp?: boolean;
  exportRefusal?: "snapshot_busy" | "snapshot_capacity" | "snapshot_daily_limit";
  monthUsedUp?: boolean;
  /** Code of the 404 for an unknown path parameter. */
  notFound?: string;
};

/** `units` is the request's cost in monthly units. `attempts` is its cost in the minute. */
export type Expected = { status: number; code: string | null; units: 0 | 1; attempts: 0 | 1 };

const credentialCodes = {
  none: [401, "invalid_api_key"],
  unknown: [401, "invalid_api_key"],
  expired: [401, "expired_api_key"],
  revoked: [401, "revoked_api_key"],
  disabled: [403, "account_disabled"],
} as const;

export const declaredOperations: readonly DeclaredOperation[] = operationList.map(({ operationId, method, path }) => {
  const operation = document.paths[path]?.[method.toLowerCase()] as Record<string, unknown>;
  return {
    operationId,
    method,
    path,
    plan: operation["x-itemtape-plan"] as DeclaredOperation["plan"],
    cost: operation["x-itemtape-cost"] as DeclaredOperation["cost"],
    scope: operation["x-itemtape-scope"] as string,
    takesBody: operation.requestBody !== undefined,
    isExport: operationId === "streamMarketSnapshot",
    // A header selects the form of the response and is never refused.
    parameters: ((operation.parameters ?? []) as Record<string, unknown>[])
      .map((reference) => follow(reference) as unknown as Parameter)
      .filter((parameter) => parameter.in === "path" || parameter.in === "query")
      .map((parameter) => ({ name: parameter.name, in: parameter.in, schema: follow(parameter.schema) })),
  };
});

/** The expected response by the order of admission and the payer. A second implementation, independent of the program. */
export function expectedOf(operation: DeclaredOperation, facts: Facts): Expected {
  const refusal = beforeAdmission(operation, facts);
  if (refusal !== null) return { status: refusal[0], code: refusal[1], units: 0, attempts: 0 };
  if (operation.scope === "none") return { status: 200, code: null, units: 0, attempts: 0 };
  if (facts.minuteUsedUp) return { status: 429, code: "rate_limited", units: 0, attempts: 0 };
  if (operation.isExport && facts.exportRefusal !== undefined)
    return { status: 429, code: facts.exportRefusal, units: 0, attempts: 1 };
  if (operation.cost === 1 && facts.monthUsedUp)
    return { status: 429, code: "monthly_quota_exceeded", units: 0, attempts: 1 };
  if (facts.notFound !== undefined) return { status: 404, code: facts.notFound, units: operation.cost, attempts: 1 };
  return { status: 200, code: null, units: operation.cost, attempts: 1 };
}

function beforeAdmission(operation: DeclaredOperation, facts: Facts): readonly [number, string] | null {
  if (facts.transport !== undefined) return [400, facts.transport];
  if (facts.routeMissed) return [404, "endpoint_not_found"];
  if (facts.unwantedBody) return [400, "malformed_request"];
  const isPublic = operation.scope === "none";
  if (!isPublic && facts.credential !== undefined) return credentialCodes[facts.credential];
  const { scope } = operation;
  const needsScope = !isPublic && scope !== "any";
  if (needsScope && !(facts.scopes ?? [scope]).includes(scope)) return [403, "insufficient_scope"];
  if (facts.tooLarge) return [413, "request_too_large"];
  if (facts.parameters !== undefined) return [400, facts.parameters];
  if (operation.plan === "paid" && facts.plan === "free") return [403, "plan_upgrade_required"];
  return null;
}
