import { expect } from "chai";
import fc from "fast-check";
import type { Handler, OpenAPIBackend, Operation } from "openapi-backend";
import { createBackend } from "../../src/contract/backend.ts";
import { loadContract, loadRequestDocument } from "../../src/contract/document.ts";
import { compileRoutes, type Routes } from "../../src/contract/routes.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "HEAD"];
const { document, operations } = loadContract();

/** The parts of an operation that a server uses, without the texts for people. */
function requestOf({ operationId, path, method, security, parameters, requestBody, ...others }: Operation): unknown {
  const own = Object.entries(others).filter(([name]) => name === "x-itemtape-plan" || name === "x-itemtape-cost");
  const request = { operationId, path, method, security, parameters, requestBody, ...Object.fromEntries(own) };
  const texts = new Set(["description", "example", "examples"]);
  return JSON.parse(JSON.stringify(request, (name, value) => (texts.has(name) ? undefined : value)));
}

describe("routes", () => {
  /** Built from the whole document. A server reads only a part of it. */
  let api: OpenAPIBackend;
  let served: OpenAPIBackend;
  let routes: Routes<Handler>;
  before(async () => {
    api = await createBackend(document);
    served = await createBackend(loadRequestDocument());
    for (const operationId of operations.keys()) served.register(operationId, () => operationId);
    routes = compileRoutes(served);
  });

  it("have the served document's requests equal to the whole document's", () => {
    const wanted = api.router.getOperations().map(requestOf);
    expect(wanted.length).to.equal(operations.size);
    expect(served.router.getOperations().map(requestOf)).to.deep.equal(wanted);
  });

  /** openapi-backend's own choice, plus the rule "HEAD is GET": it has no HEAD operations, but the router answers HEAD as GET. */
  const chosenByBackend = (method: string, path: string) =>
    api.matchOperation({ method: method === "HEAD" ? "GET" : method, path, headers: {} })?.operationId ?? null;
  const chosenByLane = (method: string, path: string) => routes.match(method, path, [])?.operationId ?? null;

  it("choose each operation by method and path", () => {
    expect(routes.list.map(({ operationId }) => operationId).sort()).to.deep.equal([...operations.keys()].sort());
    for (const { operationId, method, path } of operations.values()) {
      const example = path.replace(/\{[^}]+\}/g, "7");
      expect(chosenByLane(method, example), operationId).to.equal(operationId);
      expect(chosenByBackend(method, example), operationId).to.equal(operationId);
    }
  });

  it("agree with openapi-backend for 4,000 generated paths", function () {
    this.timeout(180_000);
    const word = fc.constantFrom(
      ..."v1 V1 items item resolve history hourly days export markets batch generations snapshot status usage providers openables outcomes indexes members me portfolios holdings transactions {item_id}".split(
        " ",
      ),
    );
    const odd = fc.constantFrom(
      "",
      "0",
      "1",
      "2147483647",
      "..",
      ".",
      "%2e%2e",
      "%69tems",
      "a%2fb",
      "__proto__",
      "constructor",
      "a+b",
      "*",
      ";x=1",
      "🙂",
    );
    const segment = fc.oneof(
      { weight: 5, arbitrary: word },
      { weight: 2, arbitrary: odd },
      { weight: 1, arbitrary: fc.stringMatching(/^[!-.0->@-~]{1,8}$/) },
    );
    const free = fc.array(segment, { minLength: 0, maxLength: 6 }).map((parts) => `/${parts.join("/")}`);
    const templates = [...operations.values()].map(({ path }) => path);
    const near = fc
      .tuple(fc.constantFrom(...templates), segment, fc.constantFrom("", "", "", "", "/", "//", "/x", "x"))
      .map(([template, value, end]) => template.replace(/\{[^}]+\}/g, value) + end);
    const found = new Map<string, number>();
    const property = fc.property(
      fc.oneof({ weight: 1, arbitrary: free }, { weight: 3, arbitrary: near }),
      fc.constantFrom("GET", "GET", "POST", "POST", ...methods),
      (path, method) => {
        const chosen = chosenByLane(method, path);
        found.set(String(chosen), (found.get(String(chosen)) ?? 0) + 1);
        return chosen === chosenByBackend(method, path);
      },
    );
    fc.assert(property, { numRuns: 4_000, seed: 20_260_120 });
    for (const operationId of [...operations.keys(), "null"]) {
      expect(found.get(operationId) ?? 0, `paths of ${operationId}`).to.be.greaterThan(3);
    }
  });

  it("need a handler for each operation at start", async () => {
    const bare = await createBackend(document);
    expect(() => compileRoutes(bare)).to.throw(/no handler is registered/);
  });

  it("are refused at start for an unsupported parameter", async () => {
    const changed = structuredClone(document) as unknown as {
      components: { parameters: Record<string, { name: string }> };
    };
    changed.components.parameters.IfNoneMatch!.name = "If-Match";
    const other = await createBackend(changed as unknown as typeof document);
    for (const operationId of operations.keys()) other.register(operationId, () => operationId);
    expect(() => compileRoutes(other)).to.throw(/header parameters are not read/);
  });

  it("have the document's security and body", () => {
    const declared = document.paths as unknown as Record<
      string,
      Record<string, { security?: { bearerAuth: string[] }[]; requestBody?: unknown }>
    >;
    for (const { operationId, method, path, scopes, checkBody } of routes.list) {
      const operation = declared[path]?.[method.toLowerCase()];
      const security =
        operation?.security ?? (document as unknown as { security: { bearerAuth: string[] }[] }).security;
      expect(scopes, operationId).to.deep.equal(security.length === 0 ? null : security[0]?.bearerAuth);
      expect(checkBody !== null, operationId).to.equal(operation?.requestBody !== undefined);
    }
  });

  it("allow on a path exactly the methods with an operation", () => {
    expect(routes.allowed("/v1/items/1")).to.equal("GET, HEAD");
    expect(routes.allowed("/v1/markets/batch")).to.equal("POST");
    expect(routes.allowed("/v1/markets/nothing")).to.equal(null);
  });
});
