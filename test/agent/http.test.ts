import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Client, ProtocolErrorCode, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { agentRetry } from "../../src/agent/agent.ts";
import { type HttpAgent, serveHttp } from "../../src/agent/http.ts";
import { Itemtape } from "../../src/client/index.ts";
import { World } from "../support/world.ts";
import { callTool, textOf } from "./agent-world.ts";

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

describe("agent adapter over HTTP", () => {
  let world: World;
  let adapter: HttpAgent;
  const notes: string[] = [];
  const open: Client[] = [];

  before(async () => {
    world = await World.start();
    adapter = await serveHttp({
      host: "127.0.0.1",
      port: 0,
      clientOf: (key) => new Itemtape({ baseUrl: world.base, apiKey: key ?? undefined, retry: agentRetry }),
      adapterContext: { keySource: "the caller's header", address: null },
      note: (text) => void notes.push(text),
    });
  });
  after(async () => {
    for (const client of open) await client.close();
    await adapter.close(1000);
    await world.stop();
  });

  async function caller(key: string | null, headers: Record<string, string> = {}): Promise<Client> {
    const all = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers };
    const address = new URL(`http://127.0.0.1:${adapter.port}/mcp`);
    const client = new Client({ name: "test", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers: all } });
    await client.connect(transport);
    open.push(client);
    return client;
  }

  /** A request as anything but a client of the protocol would send it. */
  function raw(method: string, path: string, headers: Record<string, string>, body = ""): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port: adapter.port, method, path, headers };
      const outgoing = httpRequest(options, (incoming) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.once("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
      });
      outgoing.once("error", reject);
      outgoing.end(body);
    });
  }
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

  it("shows concurrent callers only their own accounts", async () => {
    const accounts = [world.account("builder"), world.account("quant")];
    const clients = await Promise.all(accounts.map(({ secret }) => caller(secret)));
    await Promise.all(
      clients
        .flatMap((client, index) => Array(index + 2).fill(client))
        .map((client: Client) => callTool(client, "listProviders")),
    );
    const reported = await Promise.all(clients.map((client) => callTool(client, "getUsage")));
    const seen = reported.map(
      ({ structuredContent }) => structuredContent!.data as { plan: string; monthly_used: number },
    );
    expect(seen.map(({ plan, monthly_used }) => [plan, monthly_used])).to.deep.equal([
      ["builder", 2],
      ["quant", 3],
    ]);
    expect(accounts.map(({ accountId }) => world.used(accountId))).to.deep.equal([2, 3]);
  });

  it("never lends its key to callers without a valid key", async () => {
    const { builder } = world.keys;
    const others = [
      {},
      { authorization: `Basic ${builder}` },
      { "x-api-key": builder },
      { authorization: builder },
      { authorization: "Bearer http" },
    ];
    for (const headers of others) {
      const client = await caller(null, headers);
      const result = await callTool(client, "listItems");
      expect(textOf(result)).to.match(/^listItems failed: invalid_api_key \(HTTP 401\)/);
      expect((await callTool(client, "getStatus")).isError).to.not.equal(true);
    }
  });

  it("lets the official client find tools and receive export progress", async () => {
    const client = await caller(world.account("builder").secret);
    expect((await client.listTools()).tools.length).to.be.at.least(25);
    const reported: (number | undefined)[] = [];
    const params = { name: "streamMarketSnapshot", arguments: {} };
    const result = await client.callTool(params, { onprogress: ({ total }) => void reported.push(total) });
    expect(result.isError).to.not.equal(true);
    expect(reported.length).to.be.at.least(1);
    expect(reported.every((total) => total === reported[0])).to.equal(true);
  });

  const refused: [string, string, string, Record<string, string>, number][] = [
    ["a page of another origin", "POST", "/mcp", { ...json, origin: "https://evil.example" }, 403],
    ["a page of another port of this machine", "POST", "/mcp", { ...json, origin: "http://localhost:3000" }, 403],
    ["a page with a null origin", "POST", "/mcp", { ...json, origin: "null" }, 403],
    ["a foreign host name", "POST", "/mcp", { ...json, host: "evil.example" }, 403],
    ["a name that looks like this machine's", "POST", "/mcp", { ...json, host: "127.0.0.1.evil.example" }, 403],
    ["another path", "POST", "/", json, 404],
    ["a stream of its own", "GET", "/mcp", { accept: "text/event-stream" }, 405],
    ["the end of a session", "DELETE", "/mcp", {}, 405],
    ["a body of a non-JSON type", "POST", "/mcp", { ...json, "content-type": "text/plain" }, 415],
  ];
  for (const [what, method, path, headers, status] of refused) {
    it(`refuses ${what} with ${status}`, async () => {
      const answer = await raw(method, path, headers, method === "POST" ? list : "");
      expect(answer.status).to.equal(status);
      expect(answer.headers["access-control-allow-origin"]).to.equal(undefined);
      if (status === 405) expect(answer.headers.allow).to.equal("POST");
    });
  }

  it("serves its own origin and every name of this machine", async () => {
    const host = `localhost:${adapter.port}`;
    const answers = await Promise.all([
      raw("POST", "/mcp", { ...json, host, origin: `http://${host}` }, list),
      raw("POST", "/mcp", { ...json, host: `[::1]:${adapter.port}` }, list),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
  });

  it("refuses a page on another port of the requested address", async () => {
    const host = `127.0.0.1:${adapter.port}`;
    const other = `http://127.0.0.1:${adapter.port === 3000 ? 3001 : 3000}`;
    const [foreign, own] = await Promise.all([
      raw("POST", "/mcp", { ...json, host, origin: other }, list),
      raw("POST", "/mcp", { ...json, host, origin: `http://${host}` }, list),
    ]);
    expect([foreign.status, own.status]).to.deep.equal([403, 200]);
  });

  it("accepts a message of 256 KiB, but not a byte more", async () => {
    const [whole, tooLong] = await Promise.all([
      raw("POST", "/mcp", json, list.padEnd(262_144)),
      raw("POST", "/mcp", json, list.padEnd(262_145)),
    ]);
    expect([whole.status, tooLong.status]).to.deep.equal([200, 413]);
  });

  it("counts null parameters as absent", async () => {
    const { status } = await raw("POST", "/mcp", json, list.replace('"params":{}', '"params":null'));
    expect(status).to.equal(200);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getStatus", arguments: null } };
    expect((await raw("POST", "/mcp", json, JSON.stringify(call))).text).to.include("getStatus: one record.");
  });

  it("refuses a list of calls, so that one request is one call", async () => {
    const calls = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} }));
    for (const body of [calls, calls.slice(0, 1), []]) {
      const { status, text } = await raw("POST", "/mcp", json, JSON.stringify(body));
      expect(status).to.equal(400);
      expect((JSON.parse(text) as { error: { code: number } }).error.code).to.equal(ProtocolErrorCode.InvalidRequest);
    }
  });

  it("refuses an invalid message with the protocol's error", async () => {
    for (const [body, code] of [
      ["{", ProtocolErrorCode.ParseError],
      ["{}", ProtocolErrorCode.InvalidRequest],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', ProtocolErrorCode.InvalidRequest],
    ] as const) {
      const { status, text } = await raw("POST", "/mcp", json, body);
      expect(status).to.equal(400);
      const answer = JSON.parse(text) as { id: null; error: { code: number } };
      expect([answer.id, answer.error.code]).to.deep.equal([null, code]);
    }
  });

  it("serves other callers during slow requests", async () => {
    const head = Object.entries({ host: "localhost", ...json, "content-length": 500 });
    const request = ["POST /mcp HTTP/1.1", ...head.map(([name, value]) => `${name}: ${value}`), "", "{"].join("\r\n");
    const slow = Array.from({ length: 100 }, () => connect(adapter.port, "127.0.0.1"));
    for (const socket of slow) socket.on("error", () => undefined);
    await Promise.all(
      slow.map((socket) => new Promise<void>((resolve) => void socket.write(request, () => resolve()))),
    );
    const { status } = await raw("POST", "/mcp", json, list);
    for (const socket of slow) socket.destroy();
    expect(status).to.equal(200);
  });

  it("hides the address of the service behind it", async () => {
    const lost = await serveHttp({
      host: "127.0.0.1",
      port: 0,
      clientOf: () => new Itemtape({ baseUrl: "http://127.0.0.1:9" }),
      adapterContext: { keySource: "the caller's header", address: null },
      note: (text) => void notes.push(text),
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getStatus" } });
    const answer = await fetch(`http://127.0.0.1:${lost.port}/mcp`, { method: "POST", headers: json, body });
    const text = await answer.text();
    expect(text).to.include("no_answer_unreachable").and.not.include("127.0.0.1:9");
    await lost.close(1000);
  });

  it("logs nothing, and so no key", () => {
    expect(notes).to.deep.equal([]);
  });
});
