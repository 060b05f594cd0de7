import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { agentRetry } from "../../src/agent/agent.ts";
import { type HttpAgent, serveHttp } from "../../src/agent/http.ts";
import { serveStdio } from "../../src/agent/stdio.ts";
import { Itemtape } from "../../src/client/index.ts";
import { World } from "../support/world.ts";
import { callTool, textOf } from "./agent-world.ts";

const modern = "2026-07-28";
const legacy = "2025-11-25";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const discover = { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: envelope } };
const initialize = {
  jsonrpc: "2.0",
  id: 2,
  method: "initialize",
  params: { protocolVersion: legacy, capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const list = { jsonrpc: "2.0", id: 3, method: "tools/list" };

describe("protocol revisions of the agent adapter", () => {
  let world: World;
  let adapter: HttpAgent;
  const adapterContext = { keySource: "the test", address: null };
  const note = () => undefined;
  before(async () => {
    world = await World.start({ fewItems: true });
    adapter = await serveHttp({
      host: "127.0.0.1",
      port: 0,
      clientOf: (key) => new Itemtape({ baseUrl: world.base, apiKey: key ?? undefined, retry: agentRetry }),
      adapterContext,
      note,
    });
  });
  after(async () => {
    await adapter.close(1000);
    await world.stop();
  });

  const modes = [
    ["default", {}, legacy],
    ["legacy", { versionNegotiation: { mode: "legacy" } }, legacy],
    ["auto", { versionNegotiation: { mode: "auto" } }, modern],
    ["pinned", { versionNegotiation: { mode: { pin: modern } } }, modern],
  ] as const;
  for (const [mode, options, version] of modes) {
    it(`speaks ${version} with the official client in its ${mode} mode`, async () => {
      const client = new Client({ name: "test", version: "1" }, options);
      const headers = { authorization: `Bearer ${world.account("trader").secret}` };
      const address = new URL(`http://127.0.0.1:${adapter.port}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
      expect(client.getNegotiatedProtocolVersion()).to.equal(version);
      const { tools } = await client.listTools();
      expect(Buffer.byteLength(JSON.stringify({ tools }))).to.be.at.most(16_384);
      expect(textOf(await callTool(client, "findPrices", { item_id: 19 }))).to.match(/^findPrices: one item\.$/m);
      await client.close();
    });
  }

  it("state revision, texts and cacheable lists to a sessionless request", async () => {
    const send = async (message: { method: string }) => {
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": modern,
        "mcp-method": message.method,
      };
      const address = `http://127.0.0.1:${adapter.port}/mcp`;
      const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(message) });
      return { status: answer.status, ...((await answer.json()) as { result: Record<string, unknown> }) };
    };
    const { result } = await send(discover);
    expect(result.supportedVersions).to.include(modern);
    expect(result.instructions).to.include("never zero");
    const tools = (await send({ ...list, params: { _meta: envelope } } as never)).result;
    expect([tools.ttlMs, tools.cacheScope]).to.deep.equal([3_600_000, "public"]);
    expect((await send({ ...discover, method: "tools/buy" })).status).to.equal(404);
  });

  const openings: [string, object[], number[]][] = [
    ["discover and a stateless list", [discover, { ...list, params: { _meta: envelope } }], [1, 3]],
    ["discover, then initialize", [discover, initialize, list], [1, 2, 3]],
    ["initialize", [initialize, list], [2, 3]],
    ["a list without any opening", [list], [3]],
  ];
  for (const [opening, messages, ids] of openings) {
    it(`answers over stdin and stdout to ${opening}`, async () => {
      const [input, output] = [new PassThrough(), new PassThrough()];
      let written = "";
      output.on("data", (part: Buffer) => {
        written += part.toString();
      });
      const ending = new Promise(() => undefined);
      const served = serveStdio({ input, output, ending, drainMs: 5000, client: new Itemtape(), adapterContext, note });
      for (const message of messages) input.write(`${JSON.stringify(message)}\n`);
      input.end();
      await served;
      const answers = written
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { id: number; error?: object });
      expect(answers.map(({ id, error }) => [id, error])).to.deep.equal(ids.map((id) => [id, undefined]));
    });
  }
});
