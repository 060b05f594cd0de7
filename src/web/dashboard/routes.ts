import { readFileSync } from "node:fs";
import express, { type NextFunction, type Request, type Response } from "express";
import type { NodesOwners } from "../../access/nodes/owners.ts";
import { OwnerPortfolios } from "../../access/owners/owner-portfolios.ts";
import { OwnerReads, type ReadsOwners } from "../../access/owners/owner-reads.ts";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import { OwnerWriter } from "../../access/owners/owner-writer.ts";
import { PageCredentials } from "../../access/owners/page-credentials.ts";
import type { PasswordCost } from "../../access/owners/passwords.ts";
import { SignInThrottle } from "../../access/owners/sign-in-throttle.ts";
import { countsOfFile, UsageCache } from "../../access/owners/usage-cache.ts";
import type { RefusedRequests } from "../../access/refused-requests.ts";
import type { PerformFor } from "../../api/api-handler.ts";
import type { ConcurrencyLimiter } from "../../api/concurrency-limiter.ts";
import type { PerformPage } from "../../api/page-reads.ts";
import type { Middleware } from "../../api/server.ts";
import type { Config } from "../../config/config.ts";
import type { Events } from "../../log/events.ts";
import type { Database } from "../../store/database.ts";
import type { Ids } from "../../values/ids.ts";
import { fileOfProgram } from "../../values/root.ts";
import type { Clock } from "../../values/time/clock.ts";
import { pageSender } from "../send-page.ts";
import { originPolicy } from "./origin-policy.ts";
import { redirect, sendFile, sendJson, sendRefusal } from "./page.ts";
import { PageReads } from "./page-reads.ts";
import { dashboardPages } from "./pages/index.ts";
import type { DashboardParts } from "./parts.ts";
import { PasswordAttempts } from "./password-attempts.ts";
import { contextOf } from "./request-context.ts";
import { SessionGuard, withNext } from "./session-guard.ts";
import { signInRoutes } from "./sign-in.ts";
import { statusOf } from "./statuses.ts";

/**
 * Parts for building the dashboard. `reader` may be read-only; `performFor` performs reads of pages. `cost` is the cost of password
 * hashing, by default the product's own. `config.publicUrl` is the origin that owners use; without it, any host that reaches the server.
 * `config.host` is the listening address.
 */
export type DashboardSetup = {
  config: Partial<Pick<Config, "host" | "publicUrl" | "pageUnits">>;
  databasePath: string;
  /** Address of PostgreSQL, which then stores the owners' data; null if the file does. */
  privateUrl?: string | null;
  nodes: NodesOwners | null;
  reader: Database;
  clock: Clock;
  ids: Ids;
  events: Events;
  concurrency: ConcurrencyLimiter;
  performFor: PerformFor;
  performPage: PerformPage;
  /** Returns the names of all items as JSON. */
  names: () => Promise<string>;
  /** Returns the ids of the most offered items as JSON. */
  offered: () => Promise<string>;
  suggest: DashboardParts["suggest"];
  refused: RefusedRequests;
  cost?: PasswordCost | undefined;
  /** Whether the server values portfolios once a day. */
  valuationSchedule?: boolean;
};

/** Handles /dashboard and all paths below it, and passes on other requests. `close` ends its threads. */
type Dashboard = { middleware: Middleware; close(): Promise<void> };

const titles: Readonly<Record<number, string>> = {
  400: "Not filled in correctly",
  403: "Refused",
  404: "Page not found",
  409: "Not possible any more",
  410: "This link does not work",
  503: "Busy",
};
const unexpectedRetryS = 5;

/** Builds the dashboard. */
export function createDashboard(setup: DashboardSetup): Dashboard {
  const {
    config,
    databasePath,
    privateUrl = null,
    reader,
    nodes,
    clock,
    ids,
    events,
    concurrency,
    cost,
    refused,
    suggest,
    valuationSchedule: isValued = false,
  } = setup;
  const writer = new OwnerWriter({ databasePath, privateUrl, ...(cost === undefined ? {} : { cost }) }, clock);
  const usage = new UsageCache(nodes ?? countsOfFile(databasePath), clock);
  const portfolios = new OwnerPortfolios(databasePath, clock, privateUrl);
  const reads = nodes ?? new OwnerReads(reader);
  const credentials = nodes ?? new PageCredentials(reader);
  const origins = originPolicy(config.publicUrl ?? "");
  const guard = new SessionGuard({ reads, writer, ids, concurrency, origins });
  const pageReads = new PageReads({ ...setup, reads, credentials, writer, origins });
  const attempts = new PasswordAttempts(nodes?.signIns ?? new SignInThrottle(), events);
  const common = { reads, events, clock, refused, suggest, isValued };
  const parts = { ...common, writer, usage, portfolios, pageReads, guard, attempts };
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.set("trust proxy", false);
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.use(guard.begin);
  const style = readFileSync(fileOfProgram("src/web/dashboard/browser/dashboard.css"), "utf8");
  app.get("/dashboard/base.css", (_req, res) => {
    sendFile(res, { mediaType: "text/css; charset=utf-8", body: style });
  });
  app.get("/dashboard/session", guard.requireOwnOrigin, async (req, res) =>
    sendJson(res, await signedIn(req, res, reads, pageReads)),
  );
  app.get("/dashboard/names", guard.requireOwnOrigin, catalogHandler(setup.names, pageReads));
  app.get("/dashboard/most-offered", guard.requireOwnOrigin, catalogHandler(setup.offered, pageReads));
  app.get("/dashboard/", (req, res, next) => {
    if (req.path === "/dashboard/") redirect(res, "/dashboard");
    else next();
  });
  app.use("/dashboard", signInRoutes(parts));
  app.use("/dashboard", dashboardPages(parts));
  app.use((_req: Request, res: Response) => {
    sendRefusal(res, 404, { title: "Page not found", text: "Nothing answers at this address." });
  });
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => refuse(res, events, error));
  const middleware: Middleware = (req, res, next) => {
    if (pageReads.handle(req, res)) return;
    if (isDashboard(req.url ?? "")) app(req as Request, res as Response, next);
    else next();
  };
  const close = async () => {
    await Promise.all([writer.close(), usage.close(), portfolios.close()]);
  };
  return { middleware, close };
}

/** Returns a handler that sends catalog JSON to signed-in owners and to visitors of a demo. */
function catalogHandler(read: () => Promise<string>, pageReads: PageReads) {
  let last: { json: string; send: (res: Response) => void } | null = null;
  return async (req: Request, res: Response) => {
    const { session, at } = contextOf(res);
    const isReader = session === null ? pageReads.visitor(req, at) !== null : session.disabledAt === null;
    if (!isReader) {
      sendRefusal(res, 403, { title: "Refused", text: "Sign in to read the names of items." });
      return;
    }
    const json = await read();
    if (last?.json !== json)
      last = { json, send: pageSender({ mediaType: "application/json", body: json, isPrivate: true }) };
    contextOf(res).answered();
    if (!contextOf(res).exchange.isDisconnected) last.send(res);
  };
}

/** Returns the first data for a page: the signed-in account with plan and token, or whether a visitor may read the demo. */
async function signedIn(req: Request, res: Response, reads: ReadsOwners, pageReads: PageReads): Promise<object> {
  const context = contextOf(res);
  const page = { page_units: pageReads.pageUnits };
  const { session, at } = context;
  if (session !== null && session.disabledAt === null) {
    const { plan } = await reads.overview(session.accountId, at);
    const { accountId, accountName } = session;
    const token = context.readToken();
    return { signed_in: true, account_id: accountId, account: accountName, plan, token, ...page };
  }
  const visitor = session === null ? pageReads.visitor(req, at) : null;
  if (visitor === null) return { signed_in: false, look: null };
  return { signed_in: false, look: { plan: visitor.plan, token: context.readToken(), ...page } };
}

function isDashboard(url: string): boolean {
  return url === "/dashboard" || url.startsWith("/dashboard/") || url.startsWith("/dashboard?");
}

/** Answers an error from a handler. An error other than a refusal is logged, counted and shown as a 503. */
function refuse(res: Response, events: Events, error: unknown): void {
  const context = contextOf(res);
  if (res.headersSent) {
    context.exchange.req.socket.destroy();
    return;
  }
  if (!(error instanceof OwnerRefusal)) {
    events.internalError({ request_id: context.exchange.requestId, operation: null }, error);
    const text = "Internal error. It was logged; please retry.";
    sendRefusal(res, 503, { title: "Out of order", text }, [["Retry-After", String(unexpectedRetryS)]]);
    return;
  }
  const { code, message, retryAfterS } = error;
  if (code === "session_ended") redirect(res, withNext("/dashboard/sign-in", context.path));
  else if (code === "stale_sign_in") redirect(res, withNext("/dashboard/sign-in-again", context.path));
  else {
    const status = statusOf(code);
    const headers: [string, string][] = retryAfterS === null ? [] : [["Retry-After", String(retryAfterS)]];
    sendRefusal(res, status, { title: titles[status] ?? "Refused", text: message }, headers);
  }
}
