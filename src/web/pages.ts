import express, { type NextFunction, type Request, type Response } from "express";
import { exchangeOf } from "../api/exchange.ts";
import { sendProblem } from "../api/problem.ts";
import type { Middleware } from "../api/server.ts";
import { announcesBody, unexpectedBody } from "../api/transport-guard.ts";
import { type Contract, documentText } from "../contract/document.ts";
import type { Events } from "../log/events.ts";
import { Failure } from "../values/failure/failure.ts";
import { type BrowserFile, browserFiles, fileAt, lastingFiles, pageFile } from "./browser-files.ts";
import { clientFiles, clientPage, clientPath } from "./client/files.ts";
import { type Documented, documentedOperations } from "./docs/documented.ts";
import { guidePages } from "./docs/guides.ts";
import { type DocsText, docsTexts } from "./docs/site.ts";
import { eventsPage } from "./events/page.ts";
import { indexesPage, indexPage } from "./indexes/page.ts";
import { isLoopbackRequest } from "./loopback-request.ts";
import { itemPage } from "./market/item-page.ts";
import { marketPage } from "./market/list-page.ts";
import { openablesPage } from "./openables/page.ts";
import { missingPage, pageCodes, problemListPage, problemPage } from "./problem-pages.ts";
import { type Page, pageSender, sendMissingPage, sendMoved } from "./send-page.ts";
import { type StartFacts, startPage, startPolicy } from "./start/page.ts";

const htmlType = "text/html; charset=utf-8";
const documentPath = "/openapi.json";

type Sender = ReturnType<typeof pageSender>;

/**
 * Options of the pages. `publicUrl` is the origin shown in texts; "" uses the host of the request. `itemPictures` lists allowed origins of
 * item pictures, "" for none. `facts` returns the counts on the start page.
 */
type PagesOptions = {
  readonly publicUrl?: string | undefined;
  readonly itemPictures?: string | undefined;
  readonly facts?: () => Promise<StartFacts | null>;
};

/** Pages with a parameter in their path. */
const patternPages: readonly (readonly [pattern: RegExp, make: (itemPictures: string) => string])[] = [
  [/^\/indexes\/[a-z0-9][a-z0-9-]{0,59}$/, indexPage],
  [/^\/openables\/[a-z0-9][a-z0-9-]{0,119}$/, openablesPage],
  [/^\/items\/[1-9]\d{0,9}$/, itemPage],
];

/** Lists with a trailing slash, which remains when people shorten an address. */
const slashed = /^\/(?:changes|docs|indexes|market|openables|problems)\/$/;

/**
 * Serves everything except the contract's operations: document, reference, samples, problem pages, start page, market, openables, guides
 * and clients. Pages are rendered on first use. They need no credential.
 */
export function createPages(contract: Contract, events: Events, options: PagesOptions = {}): Middleware {
  const { publicUrl = "", itemPictures = "", facts = async () => null } = options;
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
  const operations = documentedOperations(contract);
  const pages = pagesOf(contract, operations, itemPictures);
  for (const [path, make] of pages) app.get(path, madeOnce(make));
  for (const [pattern, make] of patternPages)
    app.get(
      pattern,
      madeOnce(() => pageFile(make(itemPictures), itemPictures)),
    );
  app.get("/assets/*address", filesByDigest());
  app.get(slashed, (req: Request, res: Response) => sendMoved(res, req.path.slice(0, -1)));
  app.get("/charts", (_req: Request, res: Response) => sendMoved(res, "/market"));
  const clients = clientFiles();
  for (const [path, make] of clients) {
    let send: ((res: Response) => void) | null = null;
    app.get(path, async (_req: Request, res: Response) => {
      send ??= pageSender(await make());
      if (!exchangeOf(res).isDisconnected) send(res);
    });
  }
  app.get(
    "/",
    startHandler(startPage(contract, operations), facts, (req) => publicUrl || originOf(req)),
  );
  const texts = textsOf(contract, operations);
  const baseOfDocument = documentBases(events);
  const baseOf = (req: Request) => publicUrl || (req.path === documentPath ? baseOfDocument(req) : originOf(req));
  const paths = [documentPath, clientPath, "/llms.txt", "/docs", "/docs/:page", "/docs/:kind/:file"];
  app.get(paths, textHandler(texts, baseOf));
  app.use((req: Request, res: Response) => {
    if (wantsPage(req)) {
      sendMissingPage(exchangeOf(res), missingPage());
      return;
    }
    const isPage =
      req.path === "/" || fileAt(req.path) !== null || [pages, clients, texts].some((paths) => paths.has(req.path));
    sendProblem(exchangeOf(res), new Failure("endpoint_not_found", isPage ? { allow: "GET, HEAD" } : {}));
  });
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    const exchange = exchangeOf(res);
    events.internalError({ request_id: exchange.requestId, operation: null }, error);
    sendProblem(exchange, new Failure("service_unavailable"));
  });
  return (req, res, next) => app(req as Request, res as Response, next);
}

/**
 * Returns a handler that sends a text for the base of the request. It caches each text for the last base only, because clients control it
 * through the Host header.
 */
function textHandler(texts: ReadonlyMap<string, DocsText>, baseOf: (req: Request) => string) {
  const senders = new Map<string, { readonly base: string; readonly send: Sender }>();
  return (req: Request, res: Response, next: NextFunction) => {
    const text = texts.get(req.path);
    if (text === undefined) {
      next();
      return;
    }
    const base = baseOf(req);
    let sender = senders.get(req.path);
    if (sender?.base !== base) {
      sender = { base, send: pageSender({ ...text, body: text.write(base) }, sender !== undefined) };
      senders.set(req.path, sender);
    }
    sender.send(res);
  };
}

/** Returns a handler for the start page, which is rendered again when its counts or the base change. */
function startHandler(
  write: (facts: StartFacts | null, base: string) => string,
  facts: () => Promise<StartFacts | null>,
  baseOf: (req: Request) => string,
) {
  let last: { body: string; send: Sender } | null = null;
  return async (req: Request, res: Response) => {
    const body = write(await facts(), baseOf(req));
    if (last?.body !== body)
      last = { body, send: pageSender({ mediaType: htmlType, body, policy: startPolicy }, last !== null) };
    if (!exchangeOf(res).isDisconnected) last.send(res);
  };
}

/** Returns a handler for a page that is rendered on first use. */
function madeOnce(make: () => Page) {
  let send: ((res: Response) => void) | null = null;
  return (_req: Request, res: Response) => {
    send ??= pageSender(make());
    send(res);
  };
}

/** Returns a handler for the files of pages. Each file is compressed at most twice, for any number of requested digests. */
function filesByDigest() {
  const [own, others] = [new Map<BrowserFile, Sender>(), new Map<BrowserFile, Sender>()];
  return (req: Request, res: Response, next: NextFunction) => {
    const found = fileAt(req.path);
    if (found === null) {
      next();
      return;
    }
    const { file, lasting } = found;
    const senders = lasting ? own : others;
    const send = senders.get(file) ?? pageSender({ ...file, lasting });
    senders.set(file, send);
    send(res);
  };
}

/** Returns whether to answer an unknown path with a page. Programs, and all paths below the API, get a problem record. */
function wantsPage(req: Request): boolean {
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (!isRead || req.path === "/v1" || req.path.startsWith("/v1/")) return false;
  return req.accepts(["application/problem+json", "application/json", "text/html"]) === "text/html";
}

/** Returns the origin of a request. The Host header is already validated; HTTP/1.0 may omit it. */
function originOf({ headers: { host }, socket }: Request): string {
  return `http://${host ?? `${socket.localAddress}:${socket.localPort}`}`;
}

/**
 * Returns a function for the document's base address if no public address is configured. Hosts other than loopback get `/`, because behind
 * a TLS proxy plain http would expose keys. Reports the first such request.
 */
function documentBases(events: Events): (req: Request) => string {
  let isReported = false;
  return (req) => {
    if (isLoopbackRequest(req)) return originOf(req);
    if (!isReported) events.documentWithoutBase({});
    isReported = true;
    return "/";
  };
}

/** Returns the texts that contain the server's address, by path. */
function textsOf(contract: Contract, operations: readonly Documented[]): ReadonlyMap<string, DocsText> {
  const clients: DocsText = { mediaType: htmlType, write: clientPage };
  const write = (base: string) => documentText(contract, base);
  const document: DocsText = { mediaType: "application/json", write, anyOrigin: true };
  return new Map([[documentPath, document], [clientPath, clients], ...docsTexts(contract, operations)]);
}

/** Returns the pages that are equal for all visitors, by path. Each is rendered on first use, so that a start stays fast. */
function pagesOf(
  contract: Contract,
  operations: readonly Documented[],
  itemPictures: string,
): ReadonlyMap<string, () => Page> {
  const asHtml = (body: string): Page => ({ mediaType: htmlType, body });
  const files = [
    ...lastingFiles(),
    ...browserFiles(),
    ["/market", pageFile(marketPage(contract, itemPictures), itemPictures)] as const,
    ["/indexes", pageFile(indexesPage())] as const,
    ["/changes", pageFile(eventsPage())] as const,
    ["/openables", pageFile(openablesPage())] as const,
  ];
  return new Map<string, () => Page>([
    ["/problems", () => asHtml(problemListPage())],
    ...pageCodes.map((code): [string, () => Page] => [
      `/problems/${code}`,
      () => asHtml(problemPage(code, operations)),
    ]),
    ...files.map(([path, page]): [string, () => Page] => [path, () => page]),
    ...guidePages(operations),
  ]);
}
