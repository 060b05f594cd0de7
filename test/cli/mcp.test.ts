import { type ChildProcess, spawn } from "node:child_process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "chai";
import { programPath, runHere } from "../support/cli.ts";
import { useWorld } from "../support/world.ts";

describe("itemtape mcp", () => {
  const world = useWorld({ fewItems: true });

  const environment = (more: Record<string, string>): Record<string, string> => {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("ITEMTAPE_"));
    return { ...(Object.fromEntries(own) as Record<string, string>), ...more };
  };

  it("serves the official client over stdin and stdout with its key", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [programPath, "mcp"],
      env: environment({ ITEMTAPE_API_KEY: world.keys.builder, ITEMTAPE_URL: world.base }),
      stderr: "pipe",
    });
    let errors = "";
    transport.stderr?.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(transport);
    expect(client.getServerVersion()?.name).to.equal("itemtape");
    expect(client.getInstructions()).to.include("item_id");
    expect((await client.listTools()).tools.map(({ name }) => name)).to.include("streamMarketSnapshot");
    const { structuredContent } = await client.callTool({ name: "getUsage", arguments: {} });
    expect((structuredContent as { data: { plan: string } }).data.plan).to.equal("builder");
    await client.close();
    expect(errors).to.equal("");
  });

  it("writes only the protocol to stdout, and answers everything before exit", async () => {
    const child = start(["--url", world.base], { ITEMTAPE_API_KEY: world.keys.builder });
    const messages = [
      { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "listItems", arguments: { limit: 1 } } },
      { id: 3, method: "tools/call", params: { name: "streamMarketSnapshot", arguments: {} } },
    ];
    child.stdin?.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
    const { code, stdout, stderr } = await ended(child);
    const answers = stdout.split("\n").filter((line) => line !== "");
    const ids = answers.map((line) => (JSON.parse(line) as { jsonrpc: "2.0"; id: number }).id);
    expect(ids).to.have.members([1, 2, 3]);
    expect([code, stderr]).to.deep.equal([0, ""]);
  });

  it("never forwards its own key over HTTP, and exits at SIGTERM", async () => {
    const child = start(["--http", "--port", "0", "--url", world.base], { ITEMTAPE_API_KEY: world.keys.builder });
    const output = ended(child);
    const address = await new Promise<string>((resolve) => {
      let text = "";
      child.stderr?.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const found = /(http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(text);
        if (found !== null) resolve(found[1]!);
      });
    });
    const ask = async (headers: Record<string, string>) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getUsage" } });
      const accept = "application/json, text/event-stream";
      const all = { "content-type": "application/json", accept, ...headers };
      return (await fetch(address, { method: "POST", headers: all, body })).text();
    };
    expect(await ask({})).to.include("getUsage failed: invalid_api_key");
    expect(await ask({ authorization: `Bearer ${world.keys.free}` })).to.include("plan: free");
    child.kill("SIGTERM");
    const { code, stdout, stderr } = await output;
    expect([code, stdout]).to.deep.equal([0, ""]);
    expect(stderr).to.include("ITEMTAPE_API_KEY is not used with --http");
    for (const key of Object.values(world.keys)) expect(stderr).not.to.include(key);
  });

  const refused: [string[], Record<string, string>, RegExp][] = [
    [["--port", "8090"], {}, /--port: needs --http/],
    [["--host", "::1"], {}, /--host: needs --http/],
    [["--http", "--port", "0", "--host="], {}, /--host: must be a non-empty address/],
    [["--http", "--port", "65536"], {}, /--port: must be a whole number from 0 to 65535/],
    [["--http", "--port", "0", "--host", "192.0.2.1"], {}, /192\.0\.2\.1:0: the address cannot be used/],
    [["--url", "ftp://a"], {}, /--url: must be the address of a service/],
    [["--url", "http://user:secret@a"], {}, /--url: must be the address of a service/],
    [[], { ITEMTAPE_API_KEY: "kéy" }, /ITEMTAPE_API_KEY: must be an API key$/],
    [["--url", "http://secret"], { ITEMTAPE_API_KEY: "secret" }, /: contains (a|an API) key/],
  ];
  for (const [words, env, description] of refused) {
    it(`refuses \`${words.join(" ")}\` ${Object.keys(env)[0] ?? ""}`, async () => {
      const { code, lines, notes } = await runHere(["mcp", ...words], { env });
      expect([code, lines]).to.deep.equal([64, []]);
      expect(notes.at(-1)).to.match(description);
      expect(notes.join("\n")).not.to.include("secret").and.not.include("kéy");
    });
  }

  const clientInfo = { name: "test", version: "1.0.0" };

  function start(words: readonly string[], env: Record<string, string>): ChildProcess {
    const stdio = ["pipe", "pipe", "pipe"] as const;
    return spawn(process.execPath, [programPath, "mcp", ...words], { env: environment(env), stdio: [...stdio] });
  }

  function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.on("data", (chunk: Buffer) => {
        texts[name] += chunk.toString();
      });
    }
    return new Promise((resolve) => void child.once("close", (code) => resolve({ code, ...texts })));
  }
});
