import type { Operation as DeclaredOperation, OpenAPIBackend } from "openapi-backend";
import { createBackend } from "../contract/backend.ts";
import { loadRequestDocument } from "../contract/document.ts";
import { compileRoutes, type Route, type Routes } from "../contract/routes.ts";
import type { OperationId } from "../contract/types.ts";
import type { ApiHandler, OperationHandler, PerformFor } from "./api-handler.ts";
import type { Operation, OperationTable } from "./operations.ts";
import { PageReads, type PerformPage } from "./page-reads.ts";
import type { Middleware } from "./server.ts";

export type Wiring = {
  readonly apiHandler: Middleware;
  readonly performFor: PerformFor;
  readonly performPage: PerformPage;
  readonly api: OpenAPIBackend;
  readonly routes: Routes<OperationHandler>;
};

/**
 * Registers the table's rows in openapi-backend by operationId and compiles the API handler from it.
 *
 * @throws {Error} when the table's credential, plan or price differs from the contract's.
 */
export async function wireOperations(table: OperationTable, handler: ApiHandler): Promise<Wiring> {
  const api = await createBackend(loadRequestDocument());
  const declared = new Map(api.router.getOperations().map((one) => [one.operationId as OperationId, one]));
  for (const [operationId, { method }] of declared) {
    api.register(operationId, handler.operation(table[operationId] as Operation<never>, method === "get"));
  }
  const routes = compileRoutes<OperationHandler>(api);
  for (const route of routes.list) {
    const difference = differenceOf(route, table[route.operationId], declared.get(route.operationId));
    if (difference !== null)
      throw new Error(`operation ${route.operationId}: contract and table differ in ${difference}`);
  }
  const { perform: performPage } = new PageReads(handler, routes, table);
  return {
    apiHandler: handler.middleware(routes),
    performFor: handler.performFor(routes),
    performPage,
    api,
    routes,
  };
}

function differenceOf(
  route: Route<OperationHandler>,
  { rule }: Pick<Operation<never>, "rule">,
  declared: DeclaredOperation | undefined,
): string | null {
  if (rule === null) return route.scopes === null ? null : "credential";
  if (route.scopes === null) return "credential";
  const extensions = declared as unknown as Record<string, unknown>;
  if (route.scopes.join() !== (rule.scope ?? "")) return "scope";
  if (extensions["x-itemtape-plan"] !== rule.plan) return "plan";
  return extensions["x-itemtape-cost"] === rule.monthlyUnits ? null : "cost";
}
