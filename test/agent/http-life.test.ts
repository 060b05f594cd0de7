import { expect } from "chai";
import { type HttpAgent, serveHttp } from "../../src/agent/http.ts";
import { Itemtape } from "../../src/client/index.ts";
import { useWorld } from "../support/world.ts";

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getStatus" } });

/** Requests to the API that wait for their release, and report their start and abort. */
class Gate {
  #open: () => void = () => undefined;
  #report: (request: { signal: AbortSignal }) => void = () => undefined;
  readonly #opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });
  readonly begun = new Promise<{ signal: AbortSignal }>((resolve) => {
    this.#report = resolve;
  });

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const signal = init!.signal!;
    this.#report({ signal });
    await Promise.race([this.#opened, new Promise((_, reject) => signal.addEventListener("abort", reject))]);
    return globalThis.fetch(input, init);
  };

  open(): void {
    this.#open();
  }
}

describe("agent adapter lifecycle over HTTP", () => {
  const world = useWorld({ fewItems: true });
  const notes: string[] = [];

  function started(gate: Gate): Promise<HttpAgent> {
    return serveHttp({
      host: "127.0.0.1",
      port: 0,
      clientOf: () => new Itemtape({ baseUrl: world.base, fetch: gate.fetch }),
      adapterContext: { keySource: "the caller's header", address: null },
      note: (text) => void notes.push(text),
    });
  }
  const ask = (adapter: HttpAgent, signal: AbortSignal | null = null) =>
    fetch(`http://127.0.0.1:${adapter.port}/mcp`, { method: "POST", headers, body: call, signal });

  it("answers a call in progress at shutdown and accepts no other", async () => {
    const gate = new Gate();
    const adapter = await started(gate);
    const answer = ask(adapter);
    await gate.begun;
    const closed = adapter.close(30_000);
    const late = await ask(adapter).catch((error: unknown) => error);
    expect(late).to.be.instanceOf(Error);
    gate.open();
    expect(await (await answer).text()).to.include("getStatus: one record.");
    await closed;
  });

  it("aborts an endless call after the drain", async () => {
    const gate = new Gate();
    const adapter = await started(gate);
    const answer = ask(adapter)
      .then((response) => response.text())
      .catch((error: unknown) => error);
    const { signal } = await gate.begun;
    await adapter.close(0);
    expect(await answer).to.be.instanceOf(Error);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });

  it("ends the API request of a disconnected caller", async () => {
    const gate = new Gate();
    const adapter = await started(gate);
    const leaving = new AbortController();
    const answer = ask(adapter, leaving.signal)
      .then((response) => response.text())
      .catch((error: unknown) => error);
    const { signal } = await gate.begun;
    leaving.abort();
    expect(await answer).to.be.instanceOf(Error);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await adapter.close(1000);
  });

  it("logs nothing when callers leave or are disconnected", () => {
    expect(notes).to.deep.equal([]);
  });
});
