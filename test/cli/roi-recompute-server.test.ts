import { expect } from "chai";
import { ServerReads } from "../../src/cli/roi/server.ts";
import { fromServer } from "../../src/cli/roi/sources.ts";
import { Itemtape } from "../../src/client/index.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { problem, type Reply, send, useScriptedServer } from "../client/scripted-server.ts";
import { type Body, openableBody, outcomesBody, runRecompute, slug } from "./recompute-answers.ts";

const asked = { slug, valuationMode: "steam_gross" } as const;
const key = "itemtape_live_secret";
const detail = `/v1/openables/${slug}?valuation_mode=steam_gross`;
const rows = `/v1/openables/${slug}/outcomes?valuation_mode=steam_gross&limit=1000`;

const json = { "content-type": "application/json" };
const half: Reply = (response) => void response.writeHead(200, json).write("{");
const openable = (change: (current: Body) => void = () => undefined): Reply => {
  const body = openableBody();
  change(body.data.current);
  return send(200, body);
};

describe("itemtape roi recompute from a server", () => {
  const server = useScriptedServer();
  const waits: number[] = [];

  beforeEach(() => {
    server.play();
    waits.length = 0;
  });

  const run = (...more: string[]) => runRecompute([slug, "--url", server.base, ...more], { ITEMTAPE_API_KEY: key });
  const client = (timeoutMs = 60_000) =>
    new ServerReads({
      client: new Itemtape({
        baseUrl: server.base,
        apiKey: key,
        parts: { random: () => 0, wait: async (ms) => void waits.push(ms) },
      }),
      base: server.base,
      timeoutMs,
    });
  const refusalOf = async (work: Promise<unknown>): Promise<OperatorError> => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof OperatorError) return error;
    throw error ?? new Error("nothing was refused");
  };

  it("requests the container, every page and the container again, key in headers", async () => {
    server.script = [openable(), send(200, outcomesBody(0, 12, "pag_1")), send(200, outcomesBody(12)), openable()];
    const { code, lines, notes } = await run();
    expect([code, lines.at(-1), ...notes]).to.deep.equal([
      0,
      "identical: the served numbers of 20 outcomes recompute to the same bytes",
    ]);
    expect(server.requests.map(({ line }) => line)).to.deep.equal([
      `GET ${detail}`,
      `GET ${rows}`,
      `GET ${rows}&after=pag_1`,
      `GET ${detail}`,
    ]);
    expect(new Set(server.requests.map(({ headers }) => headers.authorization))).to.deep.equal(
      new Set([`Bearer ${key}`]),
    );
  });

  it("uses the service of ITEMTAPE_URL without --url", async () => {
    server.script = [openable(), send(200, outcomesBody()), openable()];
    const { code, notes } = await runRecompute([slug], { ITEMTAPE_API_KEY: key, ITEMTAPE_URL: server.base });
    expect([code, ...notes]).to.deep.equal([0]);
    expect(server.requests).to.have.length(3);
  });

  it("names a number that the server changed", async () => {
    const wrong = openable((current) => Object.assign(current, { expected_value_cents: 111 }));
    server.script = [wrong, send(200, outcomesBody()), wrong];
    const { code, lines } = await run("--json");
    expect([code, JSON.parse(lines[0]!).differences]).to.deep.equal([
      65,
      [{ field: "current.expected_value_cents", served: "111", recomputed: "110" }],
    ]);
  });

  it("sends one request for a container without a published calculation", async () => {
    server.script = [send(200, { ...openableBody(), data: { ...openableBody().data, current: null } })];
    expect((await run()).code).to.equal(66);
    expect(server.requests).to.have.length(1);
  });

  it("restarts at a new calculation and compares the newer one", async () => {
    const later = openable((current) => Object.assign(current, { calculated_at: "2026-01-15T11:55:00.000Z" }));
    server.script = [openable(), send(200, outcomesBody()), later, send(200, outcomesBody()), later];
    const reported = await fromServer(client(), asked);
    expect(reported.openable.data.current!.calculated_at).to.equal("2026-01-15T11:55:00.000Z");
    expect(server.requests.map(({ line }) => line)).to.deep.equal(
      [detail, rows, detail, rows, detail].map((target) => `GET ${target}`),
    );
  });

  it("restarts when a pool is replaced between two pages", async () => {
    server.script = [openable(), send(200, outcomesBody(0, 12, "pag_1")), problem(400, "cursor_mismatch"), openable()];
    server.script.push(send(200, outcomesBody()), openable());
    expect((await fromServer(client(), asked)).outcomes).to.have.length(20);
    expect(server.requests).to.have.length(6);
  });

  it("gives up with one line if the calculation changes every time", async () => {
    for (let minute = 10; minute < 14; minute += 1) {
      const change = (current: Body) => Object.assign(current, { calculated_at: `2026-01-15T11:${minute}:00.000Z` });
      server.script.push(openable(change), send(200, outcomesBody()));
    }
    const { message, exitCode } = await refusalOf(fromServer(client(), asked));
    expect(message).to.equal(
      "golden-case: a new calculation was published during each of 3 attempts to read one; try again later",
    );
    expect([exitCode, server.requests.length]).to.deep.equal([75, 7]);
  });

  const refusals: [title: string, reply: Reply, description: RegExp, code?: number][] = [
    ["404", problem(404, "openable_not_found"), /HTTP 404 `openable_not_found`: about openable_not_found/, 66],
    [
      "401",
      problem(401, "invalid_api_key"),
      /HTTP 401 `invalid_api_key`: .*; the environment variable ITEMTAPE_API_KEY holds the key; see http:.*\/problems\/invalid_api_key/,
      77,
    ],
    ["a used-up month", problem(429, "monthly_quota_exceeded", { "retry-after": "1" }), /HTTP 429 `monthly_q/, 69],
    ["a wait of over 180 s", problem(503, "service_unavailable", { "retry-after": "181" }), /HTTP 503 `service_/, 75],
    [
      "a redirect",
      send(302, "", { location: "/there" }),
      /redirects to .*\/there, .*; if that is correct, use it with --url$/,
    ],
    ["an answer without a field", openable((current) => delete current.stale), /data\.current\.stale is missing$/],
    [
      "another container's answer",
      send(200, { ...openableBody(), data: { ...openableBody().data, slug: "other" } }),
      /the answer for `other`, not for/,
    ],
    [
      "a body that breaks off",
      (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" }).write("{");
        setImmediate(() => response.destroy());
      },
      /cannot be reached or closed the connection/,
      75,
    ],
  ];
  for (const [title, reply, description, code = 65] of refusals) {
    it(`reports in one line, without the key: ${title}`, async () => {
      server.script = [reply];
      const ran = await run();
      expect(ran.notes.join("\n")).to.match(description).and.to.not.include(key);
      expect([ran.code, ran.lines.length, ran.notes.length, server.requests.length]).to.deep.equal([code, 0, 1, 1]);
    });
  }

  it("stops if all responses and waits together exceed the time limit", async () => {
    // Each response needs 29 s on a clock that only the replies move.
    let atMs = 5000;
    const clock = { now: () => 0, monotonicMs: () => atMs };
    const slow =
      (reply: Reply, tookMs = 29_000): Reply =>
      (...exchange) => {
        atMs += tookMs;
        reply(...exchange);
      };
    const wait = async (ms: number) => {
      atMs += ms;
    };
    const refusal = () => {
      server.requests = [];
      const timed = new Itemtape({ baseUrl: server.base, apiKey: key, parts: { wait, clock } });
      return refusalOf(fromServer(new ServerReads({ client: timed, base: server.base, clock }), asked));
    };
    server.script = [
      slow(openable()),
      ...Array.from({ length: 99 }, () => slow(send(200, outcomesBody(0, 1, "pag_1")))),
    ];
    const pages = await refusal();
    expect(pages.message).to.match(
      /^listOpenableOutcomes: http:.* did not answer completely within 300 s; try again later$/,
    );
    expect([pages.exitCode, server.requests.length]).to.deep.equal([75, 11]);
    server.script = [slow(openable(), 290_000), problem(429, "rate_limited", { "retry-after": "11" })];
    expect((await refusal()).message).to.match(/HTTP 429/);
    expect(server.requests).to.have.length(2);
    server.script = [slow(openable(), 299_950), half];
    expect((await refusal()).message).to.match(/ did not answer completely within 300 s; try again later$/);
  });

  it("stops an endless response, and endless pages, at a bound", async () => {
    const block = Buffer.alloc(1024 * 1024, " ");
    server.script = [
      (response) => {
        response.writeHead(200, json);
        const more = () => {
          while (!response.destroyed && response.write(block)) void 0;
        };
        response.on("drain", more);
        more();
      },
    ];
    const { message } = await refusalOf(fromServer(client(), asked));
    expect(message).to.match(/the answer is larger than 33554432 bytes$/);
    server.script = [openable(), ...Array.from({ length: 200 }, () => send(200, outcomesBody(0, 1, "pag_1")))];
    const { message: endless } = await refusalOf(fromServer(client(), asked));
    expect(endless).to.equal("golden-case: the outcomes do not end within 100 pages");
  });
});
