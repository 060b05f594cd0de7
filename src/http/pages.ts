import express, { type NextFunction, type Request, type Response } from "express";
import type { Contract } from "../contract/document.ts";
import type { Events } from "../events.ts";
import { Failure } from "../values/failure.ts";
import { pageFiles, sharedFiles } from "./browser/files.ts";
import { chartsPage } from "./charts/page.ts";
import { exchangeOf } from "./exchange.ts";
import { announcesBody, unexpectedBody } from "./guard.ts";
import { contentSecurityPolicy } from "./html.ts";
import { openablesPage } from "./openables/page.ts";
import { pageCodes, problemListPage, problemPage, startPage } from "./page-texts.ts";
import { sendProblem } from "./problem.ts";
import type { Step } from "./server.ts";

type Page = { readonly mediaType: string; readonly body: string | Buffer; readonly policy?: string };

/**
 * Everything beside the contract's operations: the document, a page per error code, the start page, the charts, the openables. Needs no
 * credential.
 */
export function createPages(contract: Contract, events: Events): Step {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.set("trust proxy", false);
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.use((req: Request, res: Response, next: NextFunction) => {
    const { failure, close } = unexpectedBody();
    if (announcesBody(req)) sendProblem(exchangeOf(res), failure, close);
    else next();
  });
  const pages = pagesOf(contract);
  for (const [path, page] of pages) app.get(path, (_req: Request, res: Response) => sendPage(res, page));
  app.use((req: Request, res: Response) => {
    sendProblem(exchangeOf(res), new Failure("endpoint_not_found", pages.has(req.path) ? { allow: "GET, HEAD" } : {}));
  });
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    const exchange = exchangeOf(res);
    events.internalError({ request_id: exchange.requestId, operation: null }, error);
    sendProblem(exchange, new Failure("service_unavailable"));
  });
  return (req, res, next) => app(req as Request, res as Response, next);
}

function pagesOf(contract: Contract): ReadonlyMap<string, Page> {
  const asHtml = (body: string): Page => ({ mediaType: "text/html; charset=utf-8", body });
  return new Map<string, Page>([
    ["/", asHtml(startPage(contract))],
    ["/openapi.json", { mediaType: "application/json", body: contract.json }],
    ["/problems", asHtml(problemListPage())],
    ...pageCodes.map((code): [string, Page] => [`/problems/${code}`, asHtml(problemPage(code))]),
    ...sharedFiles(),
    ...pageFiles("/charts", chartsPage()),
    ...pageFiles("/openables", openablesPage()),
  ]);
}

/** Written by hand because express would answer a conditional request with 304, whatever it asks for. */
function sendPage(res: Response, { mediaType, body, policy = contentSecurityPolicy }: Page): void {
  res.writeHead(200, [
    ...["Content-Type", mediaType],
    ...["Content-Length", String(Buffer.byteLength(body))],
    ...["X-Request-Id", exchangeOf(res).requestId],
    ...["X-Content-Type-Options", "nosniff"],
    ...["Cache-Control", "no-store"],
    ...["Vary", "Authorization"],
    ...["Referrer-Policy", "no-referrer"],
    ...["Content-Security-Policy", policy],
  ]);
  if (res.req.method === "HEAD") res.end();
  else res.end(body);
}
