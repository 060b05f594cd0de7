import { expect } from "chai";
import { send, useScriptedServer } from "../client/scripted-server.ts";
import { runHere } from "../support/cli.ts";

describe("foreign text printed by `itemtape get`, `price` and `history`", () => {
  /** Clears a screen, names a window, turns the direction, breaks a line. */
  const hostile = "\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\u2028\u{e0041}";
  const raw = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
  const server = useScriptedServer();

  const run = (...words: string[]) => runWords("get", ...words);
  const runWords = async (...words: string[]) => {
    const ran = await runHere(words, { env: { ITEMTAPE_API_KEY: "itemtape_live_k", ITEMTAPE_URL: server.base } });
    for (const line of [...ran.lines, ...ran.notes]) expect(JSON.stringify(line.match(raw)), line).to.equal("null");
    return ran;
  };

  it("is harmless in tables, refusals and redirects, and complete in JSON", async () => {
    const meta = { request_id: hostile, generated_at: hostile, next_page: hostile, freshness: hostile, as_of: hostile };
    server.otherwise = send(200, {
      data: [{ [hostile]: hostile, list: [{ [hostile]: hostile }], amount: hostile }],
      meta,
    });
    expect((await run("listProviders")).code).to.equal(0);
    const { lines } = await run("listProviders", "--json");
    expect(JSON.parse(lines[0]!).data[0][hostile]).to.equal(hostile);
    server.otherwise = send(400, {
      type: hostile,
      title: hostile,
      status: 400,
      code: hostile,
      detail: hostile,
      request_id: hostile,
    });
    expect((await run("listProviders")).lines).to.deep.equal([]);
    server.otherwise = send(302, {}, { location: "/\u009b31m" });
    expect((await run("listProviders")).code).to.equal(65);
  });

  it("exits with 75 for a proxy's page, and 77 for its 403", async () => {
    const code = async (status: number) => {
      server.otherwise = (response) =>
        void response.writeHead(status, { "content-type": "text/html" }).end(`<html>${hostile}</html>`);
      return (await runWords("price", "5")).code;
    };
    expect([await code(502), await code(504), await code(520), await code(403), await code(200)]).to.deep.equal([
      75, 75, 75, 77, 65,
    ]);
  });

  it("is harmless in `price` and `history`, which find the best quote", async () => {
    const quote = (provider: string, amount: number) => ({ provider, amount, quantity: 1, as_of: hostile });
    const item = { item_id: 5, market_hash_name: hostile, phase: hostile, generation: hostile, ingested_at: hostile };
    const asks = [quote("a", 300), quote(hostile, 100), quote("c", 200)];
    const bids = [quote("b", 50), quote(hostile, 90)];
    const meta = { request_id: "r", generated_at: "2026-01-15T12:00:00.000Z", freshness: hostile };
    server.otherwise = send(200, { data: { ...item, asks, bids }, meta });
    const priced = await runWords("price", "5");
    expect([priced.code, priced.notes]).to.deep.equal([0, []]);
    expect(priced.lines[1]).to.match(/^lowest ask \$1\.00 \(.*\), highest bid \$0\.90 \(/);
    expect(priced.lines.slice(3, -1).map((line) => line.match(/\$\d\.\d\d/)![0])).to.deep.equal([
      "$1.00",
      "$2.00",
      "$3.00",
      "$0.50",
    ]);
    const rows = [{ provider: hostile, date: "2026-01-14", amount: 5 }];
    server.otherwise = (response, request) =>
      send(200, { data: request.url!.includes("/history") ? rows : item, meta: { ...meta, next_page: null } })(
        response,
        request,
      );
    const drawn = await runWords("history", "5");
    expect([drawn.code, drawn.notes, drawn.lines.length]).to.deep.equal([0, [], 3]);
  });

  it("is requested again after Retry-After, with the wait reported", async () => {
    let asked = 0;
    const problem = { type: "/problems/rate_limited", title: "t", status: 429, code: "rate_limited", request_id: "r" };
    server.otherwise = (response, request) => {
      asked += 1;
      if (asked === 1) send(429, problem, { "retry-after": "0" })(response, request);
      else send(200, { data: { database: "ok" }, meta: { request_id: "r", generated_at: "t" } })(response, request);
    };
    const { code, notes } = await run("getUsage");
    expect([code, asked]).to.deep.equal([0, 2]);
    expect(notes[0]).to.match(/^getUsage: HTTP 429, rate_limited; waiting \d s$/);
  });
});
