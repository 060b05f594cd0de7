import { expect } from "chai";
import { Itemtape, type ItemtapeOptions } from "../../src/client/index.ts";
import { allOf, apiKey, requestId, send, status, thrownBy, useScriptedServer } from "./scripted-server.ts";

/** A call as a program without types makes it. */
type Untyped = {
  call(operationId: unknown, params?: unknown, options?: unknown): Promise<unknown>;
  read(operationId: unknown, params?: unknown, options?: unknown): Promise<unknown>;
  rows(operationId: unknown, params?: unknown, options?: unknown): AsyncIterable<unknown>;
  exportMarket(options: unknown): Promise<unknown>;
  streamMarketUnverified(options: unknown): AsyncIterable<unknown>;
};

const ok = send(200, { data: {}, meta: { request_id: requestId } });

describe("client requests", () => {
  const server = useScriptedServer();

  const client = (options: ItemtapeOptions = {}) => new Itemtape({ baseUrl: server.base, apiKey, ...options });
  const untyped = (options: ItemtapeOptions = {}) => client(options) as unknown as Untyped;

  it("have the key in one header, accepted types and necessary bodies only", async () => {
    server.play(ok, ok, ok);
    const api = client();
    await api.getItem({ item_id: 445 });
    await api.listItems({ q: "★ a&b=c/d?e#f", limit: 2 });
    await api.getMarketPricesBatch({ item_ids: [1, 2], side: "ask" });
    const [get, list, post] = server.requests;
    expect(get).to.deep.include({ line: "GET /v1/items/445", body: "" });
    expect(list?.line).to.equal("GET /v1/items?q=%E2%98%85%20a%26b%3Dc%2Fd%3Fe%23f&limit=2");
    expect(post).to.deep.include({ line: "POST /v1/markets/batch", body: '{"item_ids":[1,2],"side":"ask"}' });
    for (const { headers } of server.requests) {
      expect(headers).to.include({
        authorization: `Bearer ${apiKey}`,
        accept: "application/json, application/problem+json",
        "user-agent": "itemtape-client/0.1.0",
      });
    }
    expect([get?.headers["content-type"], post?.headers["content-type"]]).to.deep.equal([
      undefined,
      "application/json",
    ]);
  });

  it("send no key for getStatus or from a client without one", async () => {
    server.play(status, ok);
    await client().getStatus();
    await new Itemtape({ baseUrl: server.base, userAgent: "shop/2" }).getUsage();
    expect(server.requests.map(({ headers }) => headers.authorization)).to.deep.equal([undefined, undefined]);
    expect(server.requests[1]?.headers["user-agent"]).to.equal("shop/2");
  });

  it("use no key from the environment by default", async () => {
    const before = process.env.ITEMTAPE_API_KEY;
    process.env.ITEMTAPE_API_KEY = apiKey;
    server.play(ok);
    await new Itemtape({ baseUrl: server.base }).getUsage().finally(() => {
      if (before === undefined) delete process.env.ITEMTAPE_API_KEY;
      else process.env.ITEMTAPE_API_KEY = before;
    });
    expect(server.requests[0]?.headers.authorization).to.equal(undefined);
  });

  it("keep a path before /v1 and names within their path segment", async () => {
    server.play(ok, ok, ok);
    const api = client({ baseUrl: `${server.base}/market//` });
    await api.listItems({ item_ids: [445, 485], stat_counter: false });
    await api.getOpenable({ slug: "a/../b?c#d%2e" });
    await api.getOpenable({ slug: "__proto__" });
    expect(server.requests.map(({ line }) => line)).to.deep.equal([
      "GET /market/v1/items?item_ids=445%2C485&stat_counter=false",
      "GET /market/v1/openables/a%2F..%2Fb%3Fc%23d%252e",
      "GET /market/v1/openables/__proto__",
    ]);
  });

  const wrong: [description: string, call: (api: Untyped) => Promise<unknown>, message: RegExp][] = [
    ["an unknown operation", (api) => api.call("getItems"), /^the contract has no operation getItems$/],
    ["a name of all objects", (api) => api.call("constructor"), /^the contract has no operation constructor$/],
    [
      "the export",
      (api) => api.call("streamMarketSnapshot"),
      /use follow, exportMarket, exportDay or streamMarketUnverified$/,
    ],
    ["a missing parameter", (api) => api.call("getItem", {}), /^getItem: the parameter `item_id` is missing$/],
    ["one that is undefined", (api) => api.call("getItem", { item_id: undefined }), /`item_id` is missing$/],
    ["a missing field", (api) => api.call("getMarketPricesBatch", {}), /the parameter `item_ids` is missing$/],
    ["an unknown parameter", (api) => api.call("getStatus", { q: "x" }), /^getStatus: has no parameter `q`$/],
    ["one of all objects", (api) => api.call("listItems", { toString: "x" }), /has no parameter `toString`$/],
    ["text for an integer", (api) => api.call("getItem", { item_id: "445" }), /`item_id` must be an integer$/],
    ["a fraction", (api) => api.call("getItem", { item_id: 1.5 }), /must be an integer$/],
    ["a number for text", (api) => api.call("listItems", { q: 7 }), /`q` must be a string of well-formed Unicode$/],
    ["text for a boolean", (api) => api.call("listItems", { souvenir: "true" }), /`souvenir` must be true or false$/],
    ["half a character", (api) => api.call("listItems", { q: "\ud800" }), /must be a string of well-formed/],
    ["null", (api) => api.call("listItems", { q: null }), /must be a string/],
    [
      "a list with text",
      (api) => api.call("getMarketPricesBatch", { item_ids: [1, "2"] }),
      /must be a list of integers$/,
    ],
    [
      "a name that leads elsewhere",
      (api) => api.call("getOpenable", { slug: ".." }),
      /`slug` must be a name, not "\.\."$/,
    ],
    ["an empty name", (api) => api.call("getOpenable", { slug: "" }), /`slug` must be a name, not ""$/],
    [
      "the key",
      (api) => api.call("listItems", { q: `x${apiKey}` }),
      /contains an API key, which must never be in a URL$/,
    ],
    [
      "any key",
      (api) => api.call("getOpenable", { slug: `itemtape_pat_${"a1B2c3".repeat(6)}` }),
      /contains an API key/,
    ],
    ["no tag", (api) => api.call("getUsage", {}, { ifNoneMatch: "x\r\ny: z" }), /^ifNoneMatch: must be the `etag`/],
    [
      "no policy",
      (api) => api.call("getUsage", {}, { retry: { attemptsMax: 0 } }),
      /^retry\.attemptsMax: must be a whole/,
    ],
    [
      "a list with holes",
      (api) => api.call("getMarketPricesBatch", { item_ids: new Array(3) }),
      /`item_ids` must be a list of integers$/,
    ],
    [
      "a list of text with a hole",
      (api) => api.call("resolveItemNames", { names: Object.assign(["a"], { 2: "c" }) }),
      /`names` must be a list of strings$/,
    ],
    [
      "a misspelt option",
      (api) => api.call("getUsage", {}, { singal: 1 }),
      /^a call has no option singal; it has signal, /,
    ],
    ["one of all objects", (api) => api.call("getUsage", {}, { toString: 1 }), /^a call has no option toString; /],
    ["a misspelt one of a read", (api) => api.read("getUsage", {}, { retries: 3 }), /^a call has no option retries; /],
    [
      "a tag with a list",
      (api) => allOf(api.rows("listItems", {}, { ifNoneMatch: "" })),
      /^a list has no option ifNoneM/,
    ],
    ["a misspelt one of an export", (api) => api.exportMarket({ digset: "skip" }), /^an export has no option digset; /],
    ["another way with a digest", (api) => api.exportMarket({ digest: "none" }), /^digest: must be "check" or "skip"$/],
    ["no listener", (api) => api.exportMarket({ onProgress: 1 }), /^onProgress: must be a function$/],
    [
      "a digest in a stream",
      (api) => allOf(api.streamMarketUnverified({ digest: "skip" })),
      /^a stream has no option d/,
    ],
    ["invalid options", (api) => api.call("getUsage", {}, null), /^a call: the options must be an object$/],
    [
      "no signal",
      (api) => api.call("getUsage", {}, { signal: new AbortController() }),
      /^signal: must be an AbortSignal$/,
    ],
    ["a policy that is null", (api) => api.call("getUsage", {}, { retry: null }), /^retry: must be an object$/],
    [
      "a policy of all objects",
      (api) => api.call("getUsage", {}, { retry: { valueOf: 1 } }),
      /^retry: has no setting v/,
    ],
    ["a tag of a number", (api) => api.call("getUsage", {}, { ifNoneMatch: 7 }), /^ifNoneMatch: must be the `etag`/],
    ["an unknown policy", (api) => api.call("getUsage", {}, { retry: { tries: 1 } }), /^retry: has no setting tries$/],
  ];
  for (const [description, call, message] of wrong) {
    it(`with ${description} are TypeErrors that name the argument, and not sent`, async () => {
      server.play(ok);
      const error = await thrownBy(call(untyped()));
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message).to.match(message).and.to.not.include(apiKey);
      expect(server.requests).to.have.length(0);
    });
  }

  it("are conditional with the etag of any response, and not without one", async () => {
    server.play(ok, ok, ok, ok);
    const api = client();
    for (const etag of [null, undefined, 'W/"a"', '"b"']) await api.getUsage({}, { ifNoneMatch: etag });
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).to.deep.equal([
      undefined,
      undefined,
      'W/"a"',
      '"b"',
    ]);
  });

  it("work as detached methods; methods of a subclass have precedence", async () => {
    server.play(ok, ok, ok);
    const { getItem, call, read } = client();
    await getItem({ item_id: 445 });
    await call("getUsage");
    await read("getUsage");
    expect(server.requests.map(({ line }) => line)).to.deep.equal([
      "GET /v1/items/445",
      "GET /v1/usage",
      "GET /v1/usage",
    ]);
    expect([getItem.name, call.name]).to.deep.equal(["getItem", "call"]);
    class Counted extends Itemtape {
      override async read(): Promise<never> {
        throw new Error("counted");
      }
    }
    const { read: counted } = new Counted() as Itemtape;
    expect((await thrownBy(counted("getUsage"))).message).to.equal("counted");
  });

  const options: [description: string, options: object, message: RegExp][] = [
    ["a misspelt option", { retries: 3 }, /^the client has no option retries; it has baseUrl, apiKey, /],
    ["a listener that is none", { onRetry: 1 }, /^onRetry: must be a function$/],
    ["a fetch that is none", { fetch: 1 }, /^fetch: must be a function$/],
    ["a policy that is null", { retry: null }, /^retry: must be an object$/],
    ["a part that is unknown", { parts: { now: 1 } }, /^parts has no option now; it has clock, random, wait$/],
    ["a user agent that is a number", { userAgent: 7 }, /^userAgent: must be 1 to 200 ASCII characters$/],
    ["no address", { baseUrl: "127.0.0.1:8080" }, /^baseUrl: must be an http or https address/],
    ["another scheme", { baseUrl: "file:///etc/passwd" }, /^baseUrl: must be/],
    ["a user", { baseUrl: "http://user:word@host" }, /^baseUrl: must be/],
    ["a query", { baseUrl: "http://host/?key=1" }, /^baseUrl: must be/],
    ["a fragment", { baseUrl: "http://host/#x" }, /^baseUrl: must be/],
    ["a key in the address", { baseUrl: `http://host/${apiKey}` }, /^baseUrl: contains an API key/],
    ["an empty key", { apiKey: "" }, /^apiKey: must be 1 to 200 visible ASCII characters$/],
    ["a key with a line break", { apiKey: `${apiKey}\nx: y` }, /^apiKey: must be/],
    ["a user agent with a line break", { userAgent: "a\nb" }, /^userAgent: must be/],
    ["an infinite time", { retry: { totalMs: Number.POSITIVE_INFINITY } }, /^retry\.totalMs: must be a whole/],
    ["a time of zero", { retry: { answerMs: 0 } }, /^retry\.answerMs: must be a whole number from 1 to/],
  ];
  for (const [description, given, message] of options) {
    it(`fail at construction with ${description}`, () => {
      expect(() => new Itemtape(given))
        .to.throw(TypeError, message)
        .with.property("message")
        .that.does.not.include("word");
    });
  }
});
