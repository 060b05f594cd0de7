import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { clientOperations } from "../../generated/client-operations.ts";
import { faultsOf } from "../../scripts/contract/answers.ts";
import type { JsonOperationId } from "../../src/client/index.ts";
import { needTool } from "../support/skip.ts";
import { type Account, useWorld } from "../support/world.ts";
import { PythonClient, type PythonResult, pythonFile } from "./python-client.ts";
import { apiKey, problem, type Reply, requestId, ScriptedServer, send, status } from "./scripted-server.ts";
import { item, linesOf, quote, records, streamed, textOf } from "./streams.ts";

const slug = "kilowatt-case";
const index_id = "knives-equal";
const item_id = 1;

describe("Python client", () => {
  const world = useWorld();
  let account: Account;
  let server: ScriptedServer;
  let python: PythonClient;
  before(async function () {
    needTool(this, "python3", "--version");
    account = world.account("quant");
    server = await ScriptedServer.start();
    python = new PythonClient();
  });
  after(() => {
    python?.stop();
    server?.stop();
  });
  const call = (method: string, params: object = {}, key: string | null = account.secret) =>
    python.call({ base: world.base, key, method, params });
  const scripted = (replies: Reply[], more: object = {}): Promise<PythonResult> => {
    server.play(...replies);
    return python.call({ base: server.base, key: apiKey, method: "get_status", ...more });
  };

  it("uses Python 3.9 and its standard library only", () => {
    const program = `
import ast, json, sys
tree = ast.parse(open(sys.argv[1], encoding="utf-8").read(), feature_version=(3, 9))
found = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
names = [name.split(".")[0] for node in found for name in ([node.module] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])]
# Only from Python 3.10 on does it tell which modules are its own.
print(json.dumps(sorted(set(names) - set(getattr(sys, "stdlib_module_names", names)))))`;
    expect(JSON.parse(execFileSync("python3", ["-c", program, pythonFile], { encoding: "utf8" }))).to.deep.equal([]);
  });

  it("connects to host and port of its address, including bare IPv6", () => {
    const program = `
import json, socket, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import itemtape
asked = []
def refuse(address, *more, **named):
    asked.append(address)
    raise ConnectionRefusedError()
socket.create_connection = refuse
for base in ["http://[::1]", "https://[::1]/x", "http://[::1]:8080", "http://example.com"]:
    try:
        itemtape.Itemtape(base).get_status()
    except itemtape.TransportError as error:
        assert error.reason == "unreachable"
print(json.dumps(asked))`;
    const asked = execFileSync("python3", ["-c", program, dirname(pythonFile)], { encoding: "utf8" });
    const loopback = [80, 443, 8080].map((port) => ["::1", port]);
    expect(JSON.parse(asked)).to.deep.equal([...loopback, ["example.com", 80]]);
  });

  it("has a method for every JSON operation, with a valid response", async () => {
    const owned = (await call("list_portfolios", {}, world.keys.builderToken)).value.data[0];
    const { portfolio_id } = owned;
    const params: Record<JsonOperationId, object> = {
      getStatus: {},
      listProviders: { limit: 2 },
      listContractChanges: { limit: 1 },
      listItems: { q: "karambit", item_ids: [item_id], souvenir: false, limit: 3 },
      resolveItemNames: { names: ["★ Karambit", "nothing"] },
      getItem: { item_id },
      getMarketPrices: { item_id },
      getDailyPriceHistory: { item_id, provider: "steam", from_: "2026-01-02" },
      getHourlyPriceHistory: { item_id, side: "bid", limit: 5, known_at: "2026-01-15T11:00:00Z" },
      getMarketPricesBatch: { item_ids: [item_id, 2_147_483_647], side: "ask" },
      getMarketPricesKnownAt: { known_at: "2026-01-15T11:00:00Z", item_ids: [item_id] },
      getCurrentGeneration: { after: "g4", wait_seconds: 30 },
      getGeneration: { generation: "g5" },
      listHistoryDays: { limit: 1 },
      listDataEvents: { kind: "day_revised", from_: "2026-01-01" },
      listIndexes: {},
      getIndex: { index_id },
      getIndexHistory: { index_id, from_: "2026-01-01" },
      listIndexMembers: { index_id, limit: 2 },
      listExchangeRates: { currency: "EUR" },
      getExchangeRateHistory: { currency: "EUR" },
      listOpenables: { valuation_mode: "cash_ask" },
      getOpenable: { slug },
      getOpenableHistory: { slug, granularity: "hour" },
      listOpenableOutcomes: { slug },
      getUsage: {},
      listPortfolios: { limit: 1 },
      getPortfolio: { portfolio_id },
      listPortfolioHoldings: { portfolio_id },
      listPortfolioTransactions: { portfolio_id },
      getPortfolioHistory: { portfolio_id },
    };
    expect(Object.keys(params)).to.have.members(
      Object.entries(clientOperations).flatMap(([id, { isStream }]) => (isStream ? [] : [id])),
    );
    for (const [operationId, given] of Object.entries(params)) {
      const { scope, isProtected, method } = clientOperations[operationId as JsonOperationId];
      const key = scope === "portfolio:read" ? world.keys.builderToken : account.secret;
      const name = operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const { value, message } = await call(name, given, isProtected ? key : null);
      expect(message, operationId).to.equal(undefined);
      const headers = new Headers({ "content-type": "application/json", "x-request-id": value.request_id });
      const text = JSON.stringify({ data: value.data, meta: value.meta });
      const faults = faultsOf(operationId, { status: value.status, headers, text });
      expect(faults.filter((fault) => !/header .* is missing/.test(fault))).to.deep.equal([], operationId);
      expect(value.etag !== null, `${operationId} has an etag`).to.equal(method === "GET" && isProtected);
    }
  });

  it("reads lists with either kind of cursor to the last row", async () => {
    const found = world.sql("SELECT count(*) AS found FROM items WHERE in_catalog = 1")[0]?.found;
    expect((await call("list_items_rows", { limit: 100 })).value).to.have.length(Number(found));
    const inPages = await call("list_openable_outcomes_rows", { slug, limit: 50 });
    const atOnce = await call("list_openable_outcomes", { slug, limit: 1000 });
    expect(inPages.value).to.deep.equal(atOnce.value.data);
  });

  it("reports an unchanged conditional read", async () => {
    const { etag } = (await call("get_market_prices", { item_id })).value;
    const params = { operation_id: "getMarketPrices", params: { item_id }, if_none_match: etag };
    expect((await call("call", params)).value).to.include({ status: 304, data: null, etag });
  });

  it("verifies the whole market, digest included, for two units", async () => {
    const used = world.used(account.accountId);
    const { value } = await call("export_market");
    expect(world.used(account.accountId)).to.equal(used + 2);
    expect(value.end).to.include({ items: value.items.length, generation: value.start.generation });
    const { data } = (await call("get_generation", { generation: value.start.generation })).value;
    expect(value.digest).to.deep.equal({ items: data.items, bytes: data.bytes, digest: data.digest });
  });

  it("exports a day in both resolutions with the listed digest", async () => {
    const [day] = (await call("list_history_days", { limit: 1 })).value.data;
    for (const resolution of ["daily", "hourly"]) {
      const { start, end, rows } = (
        await call("export_day", {
          date: day.date,
          resolution,
          ...(resolution === "daily" && { revision: day.revision }),
        })
      ).value;
      expect(start).to.include({ date: day.date, resolution, revision: day.revision });
      expect(end.digest).to.equal(resolution === "daily" ? day.digest : day.hourly_digest);
      expect(rows).to.have.length(end.rows);
    }
  });

  it("accepts a response with members of a later contract", async () => {
    const meta = { request_id: requestId, more: 2 };
    expect((await scripted([send(200, { data: { more: 1 }, meta, links: [] })])).value.data).to.deep.equal({ more: 1 });
  });

  it("raises refusals with their code, and sends no wrong parameters", async () => {
    const refused = await call("get_market_prices", { item_id }, world.keys.free);
    expect([refused.error, refused.facts.status, refused.facts.code]).to.deep.equal([
      "ItemtapeError",
      403,
      "plan_upgrade_required",
    ]);
    for (const params of [{ item_id: "1" }, { item_id: 1.5 }, { item_id: true }, {}, { item_id, query: "x" }]) {
      expect((await scripted([], { method: "get_item", params })).error, JSON.stringify(params)).to.equal("TypeError");
    }
    const inUrl = await scripted([], { method: "get_openable", params: { slug: `x${apiKey}` } });
    expect([inUrl.error, inUrl.message?.includes(apiKey)]).to.deep.equal(["TypeError", false]);
    expect(server.requests).to.deep.equal([]);
  });

  const busy = (retryAfter?: string, more: Record<string, string> = {}) =>
    problem(503, "service_unavailable", { ...(retryAfter !== undefined && { "retry-after": retryAfter }), ...more });
  const limited = (retryAfter: string) => problem(429, "rate_limited", { "retry-after": retryAfter });

  it("waits before a retry like the other client", async () => {
    const waited: [replies: Reply[], waits: number[]][] = [
      [[limited("7")], [7]],
      [
        [limited("1"), busy("2"), limited("3")],
        [1, 2, 3],
      ],
      [[busy("Thu, 15 Jan 2026 12:00:09 GMT")], [9]],
      [[busy("Thu, 15 Jan 2026 15:00:04 GMT", { date: "Thu, 15 Jan 2026 15:00:00 GMT" })], [4]],
      [[busy("Thursday, 15-Jan-26 12:00:03 GMT")], [3]],
      [[busy("Thu Jan 15 12:00:05 2026")], [5]],
      [[busy("Thu, 15 Jan 2026 11:00:00 GMT")], [0.5]],
      [
        [busy(), busy(), busy(), busy()],
        [0.5, 1, 2, 4],
      ],
      [
        [busy("soon"), busy("-1"), busy("1.5")],
        [0.5, 1, 2],
      ],
      [[send(429, "<html>", { "content-type": "text/html" })], [0.5]],
    ];
    for (const [replies, waits] of waited) {
      const { value, ...result } = await scripted([...replies, status]);
      expect([value?.data.database, result.waits]).to.deep.equal(["ok", waits]);
    }
  });

  it("gives up like the other client, and repeats no unanswered request", async () => {
    const ended: [replies: Reply[], sent: number, retry?: object][] = [
      [Array(9).fill(busy("1")), 5],
      [Array(9).fill(busy("1")), 2, { attempts_max: 2 }],
      [[limited("40"), limited("40"), limited("40")], 3],
      [[busy("9".repeat(400))], 1],
      [[limited("6")], 1, { wait_s_max: 5.9 }],
      [[problem(429, "monthly_quota_exceeded", { "retry-after": "1" })], 1],
      [[problem(500, "service_unavailable", { "retry-after": "1" })], 1],
    ];
    for (const [replies, sent, retry = {}] of ended) {
      const { error, facts } = await scripted(replies, { retry });
      expect([error, facts.attempts, server.requests.length]).to.deep.equal(["ItemtapeError", sent, sent]);
    }
    // A request that lets the server wait has a longer timeout by that time.
    const waiting = { method: "get_current_generation", params: { after: "g5", wait_seconds: 30 } };
    await scripted([limited("40"), limited("40"), limited("35")], waiting);
    expect(server.requests.length).to.equal(4);
    const cut: Reply = (response) => response.destroy();
    const moved: Reply = (response) => void response.writeHead(307, { location: "http://127.0.0.1:9/" }).end();
    const shorter: Reply = (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write("{}", () => response.destroy());
    };
    const others: [Reply, reason: string][] = [
      [cut, "unreachable"],
      [shorter, "unreachable"],
      [moved, "redirect"],
      [send(200, "{"), "broken"],
      [send(200, { data: {}, meta: {} }), "broken"],
      [send(200, "{}", { "content-type": "text/html" }), "broken"],
      [send(200, `{"data":"${"x".repeat(33 * 1024 * 1024)}"}`), "too_large"],
    ];
    for (const [reply, reason] of others) {
      const { error, facts, message } = await scripted([reply]);
      expect([error, facts.reason, server.requests.length], message).to.deep.equal(["TransportError", reason, 1]);
    }
  });

  it("never repeats the key in a message, even if the server does", async () => {
    const body = { code: "rate_limited", title: apiKey, detail: `key ${apiKey}\u0007`, request_id: requestId };
    const { message, facts } = await scripted([send(400, body, { "content-type": "application/problem+json" })]);
    expect(JSON.stringify([message, facts])).to.not.contain(apiKey);
    expect(message).to.contain("key [key]\ufffd");
  });

  it("refuses a cursor that repeats, goes backwards or is missing", async () => {
    const page = (meta: object) => send(200, { data: [{ item_id: 1 }], meta: { request_id: requestId, ...meta } });
    const lists: [method: string, metas: object[]][] = [
      ["list_items_rows", [{ next_cursor: 5 }, { next_cursor: 5 }]],
      ["list_items_rows", [{ next_cursor: 5 }, { next_cursor: 4 }]],
      ["list_items_rows", [{ next_cursor: "5" }]],
      ["list_items_rows", [{}]],
      ["list_indexes_rows", [{ next_page: "a" }, { next_page: "b" }, { next_page: "a" }]],
      ["list_indexes_rows", [{ next_page: "" }]],
    ];
    for (const [method, metas] of lists) {
      const { error, facts } = await scripted(metas.map(page), { method });
      expect([error, facts.reason, server.requests.length]).to.deep.equal(["TransportError", "paging", metas.length]);
    }
  });

  it("hands over no row of a cut, changed or wrong export", async () => {
    const lines = linesOf(records());
    const whole = textOf(lines);
    const spliced = (at: number, count: number, ...more: string[]) =>
      streamed(textOf(lines.toSpliced(at, count, ...more)));
    const error = (code: string) => JSON.stringify({ type: "error", request_id: requestId, code });
    const asks = (change: object) => spliced(1, 1, JSON.stringify(item(1, { asks: [quote(change)] })));
    const gzip = { "content-encoding": "gzip" };
    const cut: Reply = (response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson", "x-request-id": requestId });
      response.write(whole, () => response.destroy());
    };
    const faults: [reply: Reply, reason: string][] = [
      [spliced(3, 2, error("snapshot_changed")), "changed"],
      [spliced(2, 3, error("snapshot_interrupted")), "interrupted"],
      [streamed([]), "truncated"],
      [spliced(4, 1), "truncated"],
      [streamed(whole.slice(0, -1)), "truncated"],
      [cut, "truncated"],
      [streamed(gzipSync(whole).subarray(0, 150), gzip), "truncated"],
      [streamed(gzipSync(whole).subarray(0, -8), gzip), "truncated"],
      [streamed(whole, gzip), "malformed"],
      [streamed(`${whole}\n`), "malformed"],
      [spliced(1, 1), "malformed"],
      [spliced(1, 0, lines[1]!), "malformed"],
      [spliced(0, 1), "malformed"],
      [spliced(1, 0, ""), "malformed"],
      [spliced(4, 1, lines[4]!.replace('"items":3', '"items":4')), "malformed"],
      [asks({ amount: 0 }), "malformed"],
      [asks({ amount: 1.5 }), "malformed"],
      [asks({ amount: true }), "malformed"],
      [asks({ as_of: "2026-01-15T12:00:00.000Z" }), "malformed"],
      [asks({ url: "http://example.com" }), "malformed"],
      [asks({ more: 1 }), "malformed"],
    ];
    for (const [index, [reply, reason]] of faults.entries()) {
      const { error: name, facts, message } = await scripted([reply], { method: "export_market" });
      expect([name, facts?.reason], `${index}: ${message}`).to.deep.equal(["ExportError", reason]);
    }
    const skip = { method: "export_market", params: { digest: "skip" } };
    for (const reply of [streamed(whole), streamed(gzipSync(whole), gzip)]) {
      expect((await scripted([reply], skip)).value.items).to.have.length(3);
    }
    const again = { method: "export_market", params: { digest: "skip", attempts: 2 } };
    const second = await scripted([spliced(4, 1), streamed(whole)], again);
    expect([second.value.items.length, second.waits]).to.deep.equal([3, [1]]);
    const other = { generation: "g5", ingested_at: "x", digest: "0".repeat(64), items: 2, bytes: 9 };
    const digest = send(200, { data: other, meta: { request_id: requestId } });
    expect((await scripted([streamed(whole), digest], { method: "export_market" })).facts.reason).to.equal("digest");
    const refused = [streamed(whole), problem(403, "plan_upgrade_required")];
    expect((await scripted(refused, { method: "export_market" })).facts.reason).to.equal("unconfirmed");
  });
});
