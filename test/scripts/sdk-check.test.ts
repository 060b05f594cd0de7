import { copyFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Node, node, readDocumentText, repositoryRoot, resolve } from "../../scripts/contract/document.ts";
import { callsOf } from "../../scripts/sdk/calls.ts";
import { checkGenerator, type SdkResult } from "../../scripts/sdk/check.ts";
import { compile } from "../../scripts/sdk/compile.ts";
import type { Generator } from "../../scripts/sdk/generator.ts";
import { oazapfts } from "../../scripts/sdk/generators/oazapfts.ts";
import { openapiFetch } from "../../scripts/sdk/generators/openapi-fetch.ts";
import { parseOptions } from "../../scripts/sdk/options.ts";
import { reportText } from "../../scripts/sdk/report.ts";
import { openSubject, parseServedDocument, StaleDocument, type Subject } from "../../scripts/sdk/subject.ts";
import { typedUses } from "../../scripts/sdk/typed-uses.ts";
import { UsageError } from "../../scripts/support/flags.ts";
import { systemClock } from "../../src/values/clock.ts";
import { silent } from "../../src/values/progress.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFile } from "../support/kept-files.ts";
import { bySize, itLong } from "../support/size.ts";

const text = readDocumentText();
/** Not refused: the server serves what openapi.yaml says. */
const document = parseServedDocument(text);
const calls = callsOf(document);
const operations = calls.length;
const paged = calls.filter(({ paging }) => paging !== null).length;
const conditional = calls.filter(({ canBeConditional }) => canBeConditional).length;
const transactionsPath = "/v1/me/portfolios/{portfolio_id}/transactions";

describe("npm run sdk:check", () => {
  let opened: { subject: Subject; stop(): Promise<void> };
  let dir: string;
  const check = (generator: Generator, given = document): Promise<SdkResult> =>
    checkGenerator(generator, { document: given, subject: opened.subject, dir, clock: systemClock, progress: silent });
  before(async function () {
    this.timeout(180_000);
    dir = temporaryFolder();
    opened = await openSubject((path) => {
      const { path: made, keys } = demoFile();
      copyFileSync(made, path);
      return keys;
    });
  });
  after(async () => {
    await opened.stop();
    rmSync(dir, { recursive: true });
  });

  for (const generator of bySize({ short: [], long: [openapiFetch, oazapfts] })) {
    it(`sdk:check calls every operation through the SDK of ${generator.name} and leaves no file behind`, async () => {
      const result = await check(generator);
      expect(result.failures).to.deep.equal([]);
      expect(result).to.include({ operations, called: operations });
      // Besides: the pages of all rows, and the refusal.
      expect(result.requests).to.equal(operations + paged + conditional + result.widened.length + 1);
      expect(readdirSync(dir)).to.deep.equal([]);
    }).timeout(300_000);
  }

  describe("with an SDK that sends wrong requests", () => {
    let result: SdkResult;
    const messagesOf = (id: string) =>
      result.failures.filter(({ operationId }) => operationId === id).map(({ message }) => message);
    before(async function () {
      this.timeout(300_000);
      result = await check(astray, seeded());
    });

    it("sdk:check reports a failure for each wrong operation and for no other", () => {
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

    it("sdk:check reports an operation that the server lacks and one whose parameters the document lacks", () => {
      const lines = reportText([result]);
      expect(lines).to.match(/^openapi-typescript +\S+ +2\/11 /m);
      expect(lines).to.match(/^openapi-typescript: listElsewhere: the server answered 404/m);
      expect(lines).to.match(/^openapi-typescript: getIndex: does not compile: /m);
    });

    it("sdk:check reports a lost query parameter on the first page and on the next", () => {
      expect(messagesOf("listItems").join("\n")).to.match(
        /^asked with the wrong query: ((?!&q=| instead ).)*&limit=2&((?!&q=| instead ).)* instead of .*&limit=2&.*&q=karambit/m,
      );
      expect(messagesOf("listProviders").join()).to.match(
        /^on page 2 asked with the wrong query: limit=2 instead of after=[^&]+&limit=2$/,
      );
    });

    it("sdk:check reports a wrong value in the path although the server answered it", () => {
      expect(messagesOf("getItem")).to.deep.equal([
        "asked with the wrong path: /v1/items/2 instead of /v1/items/4",
        "unchanged: asked with the wrong path: /v1/items/2 instead of /v1/items/4",
      ]);
    });

    it("sdk:check reports a lost key and shows none", () => {
      expect(messagesOf("getUsage")).to.include("asked with the wrong key: none instead of the caller's");
      expect(reportText([result])).not.to.include("itemtape_");
    });

    it("sdk:check reports a wrong body and a condition that is not the ETag of the answer", () => {
      expect(messagesOf("resolveItemNames").join()).to.match(
        /^asked with the wrong body: {"names":\["another"\]} instead/,
      );
      expect(messagesOf("listIndexes").join()).to.match(
        /^unchanged: asked with the wrong If-None-Match: \* instead of W\/"/,
      );
    });

    it("sdk:check asks for a second page of all rows if the examples show one page, and reports a failure if there is none", () => {
      expect(result.widened).to.deep.equal(["listItems", "listExchangeRates", "listPortfolioTransactions"]);
      expect(messagesOf("listExchangeRates")).to.deep.equal([]);
      expect(messagesOf("listPortfolioTransactions")).to.deep.equal([
        "no second page: the demo world has one row of it at most",
      ]);
    });
  });
});

describe("The caller of an SDK", () => {
  itLong(
    "the program of sdk:check does not compile if a field of the SDK is untyped, too wide or not nullable",
    function () {
      this.timeout(300_000);
      const folder = temporaryFolder();
      symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
      const schema: Node = {
        type: "object",
        required: ["side", "amount"],
        properties: { side: { enum: ["ask", "bid"] }, amount: { anyOf: [{ type: "integer" }, { type: "null" }] } },
      };
      const faultsWith = (type: string) => {
        const lines = [`declare const body: ${type};`, ...typedUses({}, schema, "body"), "export {};"];
        writeFileSync(join(folder, "caller.ts"), lines.join("\n"));
        return compile(folder, "caller.ts").faults.length;
      };
      try {
        expect(faultsWith(`{ side: "ask" | "bid"; amount: number | null }`)).to.equal(0);
        expect(faultsWith("any")).to.be.greaterThan(0);
        expect(faultsWith("{ side: string; amount: number | null }")).to.equal(1);
        expect(faultsWith(`{ side: "ask" | "bid"; amount: number }`)).to.equal(1);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it("the program of sdk:check is not written if the document lacks the example of a parameter", () => {
    const silenced = structuredClone(document);
    delete node(node(node(silenced.components).parameters).IndexIdInPath).example;
    expect(() => callsOf(silenced)).to.throw(/^getIndex: parameter index_id: has no example$/);
  });
});

describe("The document that SDKs are made of", () => {
  it("sdk:check refuses a document that differs from the one that the server serves", () => {
    const edited = text.replace("operationId: listProviders", "operationId: listSources");
    expect(() => parseServedDocument(edited)).to.throw(StaleDocument, "run `npm run generate`");
  });
});

describe("The flags of sdk:check", () => {
  it("a flag of sdk:check chooses one generator, and unknown flags and generators are refused", () => {
    expect(parseOptions([])).to.have.length.of.at.least(5);
    expect(parseOptions(["--only", "oazapfts"])).to.deep.equal([oazapfts]);
    expect(() => parseOptions(["--only", "nothing"])).to.throw(UsageError, "--only: takes openapi-typescript");
    expect(() => parseOptions(["--fast"])).to.throw(UsageError, "--fast");
  });
});

/** An SDK that asks for other things than it was told to, wherever the server answers all the same. */
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

/** Operations of the document, one that nobody serves, one whose parameters are not told, and one with a single row. */
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
