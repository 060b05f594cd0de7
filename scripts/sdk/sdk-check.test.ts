import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { silent } from "../../src/values/progress.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { type Node, node, readDocumentText, resolve } from "../contract/document.ts";
import { callsOf } from "./calls.ts";
import { checkGenerator, type SdkResult } from "./check.ts";
import type { Generator } from "./generator.ts";
import { oazapfts } from "./generators/oazapfts.ts";
import { openapiFetch } from "./generators/openapi-fetch.ts";
import { reportText } from "./report.ts";
import { openSubject, parseServedDocument, type Subject } from "./subject.ts";

// These tests need generators, so `npm run sdk:check` runs them after it has installed the packages.

const document = parseServedDocument(readDocumentText());
const calls = callsOf(document);
const operations = calls.length;
const paged = calls.filter(({ paging }) => paging !== null).length;
const conditional = calls.filter(({ canBeConditional }) => canBeConditional).length;
const transactionsPath = "/v1/me/portfolios/{portfolio_id}/transactions";

let opened: { subject: Subject; stop(): Promise<void> };
let dir: string;
const check = (generator: Generator, given = document): Promise<SdkResult> =>
  checkGenerator(generator, { document: given, subject: opened.subject, dir, clock: systemClock, progress: silent });
before(async function () {
  this.timeout(180_000);
  dir = mkdtempSync(join(tmpdir(), "itemtape-sdks-"));
  opened = await openSubject();
});
after(async () => {
  await opened.stop();
  rmSync(dir, { recursive: true });
});

describe("npm run sdk:check", () => {
  it("calls every operation through an SDK and leaves no file behind", async () => {
    const result = await check(oazapfts);
    expect(result.failures).to.deep.equal([]);
    expect(result).to.include({ operations, called: operations });
    // Further requests: pages of all rows, and the refusal.
    expect(result.requests).to.equal(operations + paged + conditional + result.widened.length + 1);
    expect(readdirSync(dir)).to.deep.equal([]);
  }).timeout(300_000);
});

describe("npm run sdk:check with a wrong SDK", () => {
  let result: SdkResult;
  const messagesOf = (id: string) =>
    result.failures.filter(({ operationId }) => operationId === id).map(({ message }) => message);
  before(async function () {
    this.timeout(300_000);
    result = await check(astray, seeded());
  });

  it("reports a failure for each wrong operation and for no other", () => {
    const ids = result.failures.map(({ operationId }) => operationId);
    expect([...new Set(ids)].sort()).to.deep.equal([
      "getIndex",
      "getItem",
      "getUsage",
      "listElsewhere",
      "listIndexes",
      "listItems",
      "listPortfolioTransactions",
      "listProviders",
      "resolveItemNames",
    ]);
    expect(result).to.include({ operations: 11, called: 2 });
  });

  it("reports an operation missing at the server and undocumented parameters", () => {
    const lines = reportText([result]);
    expect(lines).to.match(/^openapi-typescript +\S+ +2\/11 /m);
    expect(lines).to.match(/^openapi-typescript: listElsewhere: the server answered 404/m);
    expect(lines).to.match(/^openapi-typescript: getIndex: does not compile: /m);
  });

  it("reports a lost query parameter on the first and next page", () => {
    expect(messagesOf("listItems").join("\n")).to.match(
      /^asked with the wrong query: ((?!&q=| instead ).)*&limit=2&((?!&q=| instead ).)* instead of .*&limit=2&.*&q=karambit/m,
    );
    expect(messagesOf("listProviders").join()).to.match(
      /^on page 2 asked with the wrong query: limit=2 instead of after=[^&]+&limit=2$/,
    );
  });

  it("reports a wrong path value although the server answered it", () => {
    expect(messagesOf("getItem")).to.deep.equal([
      "asked with the wrong path: /v1/items/2 instead of /v1/items/4",
      "unchanged: asked with the wrong path: /v1/items/2 instead of /v1/items/4",
    ]);
  });

  it("reports a lost key and shows none", () => {
    expect(messagesOf("getUsage")).to.include("asked with the wrong key: none instead of the caller's");
    expect(reportText([result])).not.to.include("itemtape_");
  });

  it("reports a wrong body and a foreign condition", () => {
    expect(messagesOf("resolveItemNames").join()).to.match(
      /^asked with the wrong body: {"names":\["another"\]} instead/,
    );
    expect(messagesOf("listIndexes").join()).to.match(
      /^unchanged: asked with the wrong If-None-Match: \* instead of W\/"/,
    );
  });

  it("requests a second page if examples show one page, and reports failures", () => {
    expect(result.widened).to.deep.equal([
      "listItems",
      "listIndexes",
      "listExchangeRates",
      "listPortfolioTransactions",
    ]);
    expect(messagesOf("listExchangeRates")).to.deep.equal([]);
    expect(messagesOf("listPortfolioTransactions")).to.deep.equal([
      "no second page: the demo world has one row of it at most",
    ]);
  });
});

/** An SDK that changes its requests in ways that the server accepts. */
const astray: Generator = {
  ...openapiFetch,
  head: `${openapiFetch.head.replace("baseUrl: base", "baseUrl: base, fetch: (request) => fetch(changed(request))")}
function changed(request: Request): Request {
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  if (url.pathname === "/v1/items") url.searchParams.delete("q");
  if (url.pathname === "/v1/providers") url.searchParams.delete("after");
  if (url.pathname === "/v1/items/4") url.pathname = "/v1/items/2";
  if (url.pathname === "/v1/usage") headers.delete("authorization");
  if (url.pathname === "/v1/indexes" && headers.has("if-none-match")) headers.set("if-none-match", "*");
  const { method } = request;
  if (url.pathname !== "/v1/items/resolve") return new Request(url, { method, headers });
  return new Request(url, { method, headers, body: '{"names":["another"]}' });
}`,
};

/** A document with some operations, an unknown operation, one without its parameters, and one with a single row. */
function seeded(): Node {
  const paths = node(document.paths);
  const kept = [
    "status",
    "providers",
    "items",
    "items/resolve",
    "items/{item_id}",
    "usage",
    "indexes",
    "exchange-rates",
  ];
  const providers = node(paths["/v1/providers"]);
  const index = node(paths["/v1/indexes/{index_id}"]);
  const transactions = node(node(paths[transactionsPath]).get);
  const [id, ...others] = transactions.parameters as unknown[];
  const otherId = { ...resolve(document, id), example: "pf_000000000000000demor" };
  const changed = {
    ...Object.fromEntries(kept.map((path) => [`/v1/${path}`, paths[`/v1/${path}`]])),
    "/v1/elsewhere": { get: { ...node(providers.get), operationId: "listElsewhere" } },
    "/v1/indexes/{index_id}": { get: { ...node(index.get), parameters: [] } },
    [transactionsPath]: { get: { ...transactions, parameters: [otherId, ...others] } },
  };
  return { ...document, paths: changed };
}
