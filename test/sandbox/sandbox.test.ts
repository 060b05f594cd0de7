import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { Journal } from "../../src/sandbox/journal.ts";
import { sendRaw } from "../api/raw.ts";
import { transportCases } from "../api/transport-cases.ts";
import { itLong } from "../support/size.ts";
import { skip } from "../support/skip.ts";
import { type RunningSandbox, runSandbox } from "./run.ts";

describe("sandbox", () => {
  let sandbox: RunningSandbox;
  before(async function () {
    // The demo world is made here when this file is run first.
    this.timeout(180_000);
    sandbox = await runSandbox({ fewItems: true });
  });
  after(() => sandbox.close());

  const ask = (key: string, target = "/v1/items?limit=1", more: RequestInit = {}) =>
    fetch(`${sandbox.base}${target}`, { ...more, headers: { authorization: `Bearer ${key}`, ...more.headers } });

  it("plays script steps for requests of its own key only", async () => {
    const key = await sandbox.scripted([
      { operation: "getItem", fault: "item_not_found" },
      { fault: "rate_limited", retry_after: 2 },
      "pass",
      { fault: "service_unavailable", retry_after: null, times: 2 },
    ]);
    const first = await ask(key.key);
    expect([first.status, first.headers.get("retry-after")]).to.deep.equal([429, "2"]);
    const statuses: number[] = [];
    for (const target of ["/v1/items?limit=1", "/v1/items/1", "/v1/items", "/v1/status", "/v1/items?limit=1"])
      statuses.push((await ask(key.key, target)).status);
    expect(statuses).to.deep.equal([200, 404, 503, 503, 200]);
    expect((await ask(sandbox.keys.builder)).status).to.equal(200);
    const journal = await sandbox.journal(key);
    expect(journal.map(({ operation, attempt, fault }) => [operation, attempt, fault])).to.deep.equal([
      ["listItems", 1, "rate_limited"],
      ["listItems", 2, null],
      ["getItem", 1, "item_not_found"],
      ["listItems", 3, "service_unavailable"],
      ["getStatus", 1, "service_unavailable"],
      ["listItems", 4, null],
    ]);
    for (const { at_ms: atMs, answered_ms: answeredMs } of journal) expect(answeredMs).to.be.at.least(atMs);
    expect(journal[0].headers).to.deep.include(["authorization", "Bearer [key]"]);
  });

  it("dates an answer by its write, however busy the process is", async () => {
    let nowMs = 0;
    const journal = new Journal({ now: () => 0, monotonicMs: () => nowMs });
    const server = createServer((req, res) => {
      journal.add(req, res, null);
      res.end("{}").once("finish", () => server.close());
      nowMs = 1000;
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const closed = once(server, "close");
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers: { connection: "close" } });
    await closed;
    expect(journal.entries[0]).to.include({ at_ms: 0, answered_ms: 0, complete: true });
  });

  it("requires the control key, JSON and a local name for control", async () => {
    const status = async (headers: Record<string, string>, host = `127.0.0.1:${sandbox.port}`, body = "{}") => {
      const all = Object.entries({ Host: host, "Content-Length": "2", ...headers, Connection: "close" });
      const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const { answers } = await sendRaw(sandbox.port, `POST /sandbox/keys HTTP/1.1\r\n${lines}\r\n${body}`);
      return answers[0]?.status;
    };
    const json = { "Content-Type": "application/json" };
    const right = { ...json, Authorization: `Bearer ${sandbox.controlKey}` };
    expect(await status(right)).to.equal(201);
    expect(await status(right, "localhost")).to.equal(201);
    expect(await status(right, "sandbox.example")).to.equal(403);
    expect(await status(json)).to.equal(401);
    expect(await status({ ...json, Authorization: `Bearer ${sandbox.keys.quant}` })).to.equal(401);
    expect(await status({ ...right, "Content-Type": "text/plain" })).to.equal(415);
    expect((await sandbox.control("PUT", "/faults")).status).to.equal(405);
    expect((await sandbox.control("GET", "/nothing")).status).to.equal(404);
    expect((await ask(sandbox.keys.free, "/sandboxes")).status).to.equal(404);
  });

  itLong("disables its control API on an address reachable by other machines", async function () {
    const outer = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const address = outer.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
    if (address === undefined) return skip(this, "this machine has no other address than loopback");
    const open = await runSandbox({ host: "0.0.0.0", fewItems: true });
    try {
      const headers = { authorization: `Bearer ${open.controlKey}` };
      const at = (host: string) => fetch(`http://${host}:${open.port}/sandbox/clock`, { headers });
      expect((await at("127.0.0.1")).status).to.equal(200);
      expect((await at(address)).status).to.equal(404);
    } finally {
      await open.close();
    }
  });

  it("names the invalid step and member of a script", async () => {
    const cases: [script: unknown, error: string][] = [
      [{}, "`script` must be an array of steps"],
      [["pass", "nothing"], "step 2: `fault` must be one of GET /sandbox/faults, or `pass`"],
      [[{ fault: "slow", every_ms: 0 }], "step 1: `every_ms` must be a whole number from 1 to 60000"],
      [[{ fault: "reset_before", bytes: 1 }], "step 1: `bytes` is not a figure of the fault; it has no figures"],
      [
        [{ fault: "pass", operation: "listAll" }],
        "step 1: `operation` must be an operationId of the contract, or null for any",
      ],
      [[{ fault: "pass", times: 0 }], "step 1: `times` must be a whole number from 1 to 1000000"],
      [[{ fault: "redirect", to: "there" }], "step 1: `to` must be one of same, other"],
      [[{ fault: "example", name: "Nothing" }], "step 1: `name` must be an example of the contract"],
    ];
    for (const [script, error] of cases)
      expect(await sandbox.control("POST", "/keys", { script })).to.deep.equal({ status: 400, json: { error } });
  });

  it("resets the script and journal of a key, and replaces the script", async () => {
    const key = await sandbox.scripted(["rate_limited"]);
    const statuses = [(await ask(key.key)).status];
    await sandbox.control("POST", `/keys/${key.key_id}/reset`);
    statuses.push((await ask(key.key)).status);
    await sandbox.control("PUT", `/keys/${key.key_id}/script`, { script: ["data_unavailable"] });
    statuses.push((await ask(key.key)).status, (await ask(key.key)).status);
    expect(statuses).to.deep.equal([429, 429, 503, 200]);
    expect(await sandbox.journal(key)).to.have.length(3);
    const { json } = await sandbox.control("GET", `/keys/${key.key_id}`);
    expect(json.script).to.deep.equal([
      { operation: null, fault: "data_unavailable", times: 1, example: null, retry_after: -1, left: 0 },
    ]);
  });

  it("redacts secrets from journals and separates requests without its keys", async () => {
    const key = await sandbox.scripted([]);
    await ask("itemtape_live_none");
    await fetch(`${sandbox.base}/v1/items?key=${key.key}`, { headers: { "x-api-key": key.key } });
    const others = (await sandbox.control("GET", "/journal")).json.data;
    expect(others.at(-1).headers).to.deep.include(["authorization", "Bearer itemtape_live_none"]);
    const [entry] = await sandbox.journal(key);
    expect([entry.target, entry.status]).to.deep.equal(["/v1/items?key=[key]", 400]);
    expect(entry.headers).to.deep.include(["x-api-key", "[key]"]);
    expect(JSON.stringify(entry)).to.not.contain(key.key);
  });

  it("advances its fixed clock only on request", async () => {
    expect((await sandbox.control("GET", "/clock")).json).to.deep.equal({
      now: "2026-01-15T12:00:00.000Z",
      stands: true,
    });
    const { json } = await sandbox.control("POST", "/clock", { advance_seconds: 86_400 });
    expect(json.now).to.equal("2026-01-16T12:00:00.000Z");
    const status = await (await fetch(`${sandbox.base}/v1/status`)).json();
    expect((status as { meta: { generated_at: string } }).meta.generated_at).to.equal("2026-01-16T12:00:00.000Z");
  });

  itLong("forwards malformed bytes and the server's responses unchanged", async () => {
    const wrong: string[] = [];
    for (const { title, bytes } of transportCases.filter((one) => !one.title.includes("/sandbox/"))) {
      const head = String(bytes).startsWith("HEAD ");
      const shown = async (port: number) => {
        const { answers, rest } = await sendRaw(port, bytes, { head });
        return [rest, answers.map(({ status, body }) => [status, body.replace(/req_\w{26}/, "")])];
      };
      const [one, other] = await Promise.all([shown(sandbox.port), shown(sandbox.portBehind)]);
      if (!isDeepStrictEqual(one, other)) wrong.push(title);
    }
    expect(wrong).to.deep.equal([]);
  });
});
