import { expect } from "chai";
import { loadContract } from "../../src/contract/document.ts";
import { documentedOperations } from "../../src/web/docs/documented.ts";
import { exampleTarget } from "../../src/web/docs/samples/target.ts";
import { useWorld } from "../support/world.ts";

const operations = documentedOperations(loadContract());
const pages = [
  "/",
  "/docs",
  "/llms.txt",
  "/client/",
  "/client/itemtape.js",
  "/market",
  "/problems",
  "/dashboard/sign-in",
];

describe("responses to pages of other origins", () => {
  const world = useWorld();
  const origin = "https://elsewhere.example";

  /** Headers of an answer that open it to other origins, by name. */
  async function opened(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
    const answer = await fetch(world.base + path, { ...init, headers: { origin, ...init.headers } });
    await answer.body?.cancel();
    const found = [...answer.headers].filter(([name]) => name.startsWith("access-control-"));
    return { status: answer.status, headers: Object.fromEntries(found) };
  }

  it("include status and contract, also by HEAD or unchanged", async () => {
    const anyOrigin = { "access-control-allow-origin": "*" };
    const { headers } = await fetch(`${world.base}/openapi.json`);
    for (const [path, init, status] of [
      ["/v1/status", {}, 200],
      ["/v1/status", { method: "HEAD" }, 200],
      ["/openapi.json", {}, 200],
      ["/openapi.json", { method: "HEAD" }, 200],
      ["/openapi.json", { headers: { "if-none-match": String(headers.get("etag")) } }, 304],
    ] as const) {
      expect(await opened(path, init), path).to.deep.equal({ status, headers: anyOrigin });
    }
  });

  it("exclude other operations, with or without a key or by preflight", async () => {
    for (const operation of operations.filter(({ plan }) => plan !== "none")) {
      const { operationId, method, scope } = operation;
      const key = scope === "portfolio:read" ? world.keys.builderToken : world.keys.builder;
      const path = exampleTarget(operation);
      const body = operation.body === null ? {} : { body: JSON.stringify(operation.body) };
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const preflight = {
        method: "OPTIONS",
        headers: { "access-control-request-method": method, "access-control-request-headers": "authorization" },
      };
      const answers = [
        await opened(path, {
          method,
          ...body,
          headers: body.body === undefined ? { authorization: headers.authorization } : headers,
        }),
        await opened(path, { method, ...body }),
        await opened(path, preflight),
      ];
      expect(
        answers.map(({ status }) => status),
        operationId,
      ).to.deep.equal([answers[0]?.status, 401, 404]);
      expect(answers[0]?.status, operationId).to.be.oneOf([200, 404]);
      for (const answer of answers) expect(answer.headers, operationId).to.deep.equal({});
    }
  });

  it("exclude pages and refusals", async () => {
    for (const path of [...pages, "/v1/status?x=1", "/nothing"]) {
      expect((await opened(path)).headers, path).to.deep.equal({});
    }
  });
});
