import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { Itemtape, ItemtapeError, type ItemtapeOptions, TransportError } from "../../src/client/index.ts";
import { itLong } from "../support/size.ts";
import {
  apiKey,
  problem,
  type Reply,
  requestId,
  send,
  status,
  TimedClient,
  thrownBy,
  useScriptedServer,
} from "./scripted-server.ts";

const meta = { request_id: requestId, generated_at: "2026-01-15T12:00:00.000Z" };
const json = { "content-type": "application/json" };

describe("responses that the client rejects", () => {
  const server = useScriptedServer();

  const client = (options: ItemtapeOptions = {}) => new TimedClient(server.base, options).api;
  const raw =
    (head: Record<string, string>, body: string | Buffer): Reply =>
    (response) =>
      void response.writeHead(200, head).end(body);
  const endless: Reply = (response) => {
    const block = Buffer.alloc(1024 * 1024, " ");
    response.writeHead(200, json);
    const more = () => {
      while (!response.destroyed && response.write(block)) void 0;
    };
    response.on("drain", more);
    more();
  };

  const refused: [description: string, reply: Reply, reason: string, message: RegExp][] = [
    ["a page of a proxy", raw({ "content-type": "text/html" }, "<html>"), "broken", /content type is text\/html, not/],
    ["no content type", raw({}, "{}"), "broken", /its content type is absent, not application\/json$/],
    ["JSON of another kind", raw({ "content-type": "application/jsonl" }, "{}"), "broken", /application\/jsonl, not/],
    ["no JSON", raw(json, '{"data":'), "broken", /it is not JSON in UTF-8$/],
    ["no UTF-8", raw(json, Buffer.from([0x22, 0xff, 0x22])), "broken", /it is not JSON in UTF-8$/],
    ["a byte order mark", raw(json, `\ufeff${JSON.stringify({ data: {}, meta })}`), "broken", /not JSON in UTF-8$/],
    ["a list", send(200, []), "broken", /it must have `data` and `meta`$/],
    ["null", send(200, "null"), "broken", /it must have `data` and `meta`$/],
    ["no meta", send(200, { data: {} }), "broken", /it must have `data` and `meta`$/],
    ["no data", send(200, { meta }), "broken", /it must have `data` and `meta`$/],
    ["data that is null", send(200, { data: null, meta }), "broken", /it must have `data` and `meta`$/],
    ["no request", send(200, { data: {}, meta: {} }), "broken", /`meta.request_id` is missing$/],
    [
      "an answer of another request",
      send(200, { data: {}, meta }, { "x-request-id": "req_other" }),
      "broken",
      /X-Request-Id and `meta.request_id` name different requests$/,
    ],
    ["201", send(201, { data: {}, meta }), "broken", /HTTP 201 is not in the contract$/],
    ["204", (response) => void response.writeHead(204).end(), "broken", /HTTP 204 is not in/],
    ["an unrequested 304", (response) => void response.writeHead(304).end(), "broken", /HTTP 304 is not in/],
    [
      "a truncated compressed body",
      raw({ ...json, "content-encoding": "gzip" }, gzipSync(JSON.stringify({ data: {}, meta })).subarray(0, 40)),
      "broken",
      /not JSON in UTF-8$/,
    ],
    [
      "an invalid compressed body",
      raw({ ...json, "content-encoding": "gzip" }, "{}"),
      "broken",
      /the answer cannot be decompressed \(Z_DATA_ERROR\)$/,
    ],
    [
      "an interrupted body",
      (response) => {
        response.writeHead(200, { ...json, "content-length": "1000" }).write("{");
        setImmediate(() => response.destroy());
      },
      "unreachable",
      /cannot be reached or closed the connection \(.+\)$/,
    ],
    ["a body without end", endless, "too_large", /the answer is larger than 33554432 bytes$/],
    [
      "a compressed body that grows without end",
      raw({ ...json, "content-encoding": "gzip" }, gzipSync(Buffer.alloc(33 * 1024 * 1024, " "), { level: 1 })),
      "too_large",
      /the answer is larger than 33554432 bytes$/,
    ],
  ];
  for (const [description, reply, reason, message] of refused) {
    it(`are refused as ${reason}: ${description}`, async () => {
      server.play(reply, status);
      const error = await thrownBy(client().getStatus());
      expect(error).to.be.instanceOf(TransportError).with.property("reason", reason);
      expect(error.message).to.match(message);
      expect(server.requests).to.have.length(1);
    });
  }

  it("exclude a response with members of a later contract", async () => {
    server.play(send(200, { data: { more: 1 }, meta: { ...meta, more: 2 }, links: [] }));
    expect((await client().getStatus()).data).to.deep.equal({ more: 1 });
  });

  it("include a redirect; its target gets no request", async () => {
    for (const code of [301, 302, 303, 307, 308]) {
      server.play((response) => void response.writeHead(code, { location: `${server.base}/there` }).end(), status);
      const error = await thrownBy(client().getUsage());
      expect(error).to.be.instanceOf(TransportError).with.property("reason", "redirect");
      expect(error.message).to.equal(
        `${server.base}/v1/usage: redirects to ${server.base}/there, which is not followed`,
      );
      expect(server.requests).to.have.length(1);
    }
  });

  it("time out if missing, or complete only in part", async () => {
    const silent: Reply[] = [
      () => undefined,
      (response) => void response.socket?.write("HTTP/1.1 200 OK\r\ncontent-type: app"),
      (response) => void response.writeHead(200, json).write("{"),
      (response) => void response.writeHead(503, json).write("{"),
    ];
    for (const reply of silent) {
      server.play(reply);
      const error = await thrownBy(client({ retry: { answerMs: 50 } }).getStatus());
      expect(error).to.be.instanceOf(TransportError).with.property("reason", "timeout");
      expect(error.message).to.equal(`${server.base}/v1/status: no complete answer within 0.05 s`);
    }
  });

  it("have a longer time limit if the request lets the server wait", async () => {
    let end = () => {};
    const over = new Promise<void>((resolve) => (end = resolve));
    const meta = { request_id: requestId, generated_at: "2026-01-15T12:00:00.000Z" };
    const reply: Reply = (response, request) => {
      if (request.url?.endsWith("wait_seconds=30") === true)
        void over.then(() => send(200, { data: { generation: "g5" }, meta })(response, request));
    };
    server.play(reply, reply);
    const hurried = client({ retry: { answerMs: 50, totalMs: 60 } });
    const waiting = hurried.getCurrentGeneration({ after: "g5", wait_seconds: 30 });
    waiting.catch(() => undefined);
    // It starts later, so its time limit ends when the first one's would.
    expect(await thrownBy(hurried.getStatus())).to.have.property("reason", "timeout");
    end();
    expect((await waiting).data.generation).to.equal("g5");
  });

  it("are also bounded by the total time limit, with their body", async () => {
    const timed = new TimedClient(server.base, { retry: { totalMs: 60_000 } });
    const late: Reply = (response) => {
      timed.elapsedMs = 59_950;
      problem(503, "service_unavailable", { "retry-after": "1" })(response, undefined as never);
    };
    const half: Reply = (response) => void response.writeHead(200, json).write("{");
    server.play((response, request) => {
      timed.elapsedMs = 58_900;
      problem(429, "rate_limited", { "retry-after": "1" })(response, request);
    }, half);
    const error = await thrownBy(timed.api.getStatus());
    expect(error.message).to.equal(`${server.base}/v1/status: the answer is incomplete within 60 s`);
    server.play(late);
    timed.elapsedMs = 0;
    expect(await thrownBy(timed.api.getStatus())).to.have.property("status", 503);
  });

  it("end on abort during request, body or wait, with the caller's reason", async () => {
    const reason = new Error("enough");
    const during = async (reply: Reply, options: ItemtapeOptions = {}) => {
      const controller = new AbortController();
      server.play((response, request) => {
        reply(response, request);
        setTimeout(() => controller.abort(reason), 20);
      });
      const thrown = await thrownBy(
        new Itemtape({ baseUrl: server.base, apiKey, ...options }).getStatus({}, { signal: controller.signal }),
      );
      expect(thrown).to.equal(reason);
      expect(server.requests).to.have.length(1);
    };
    await during(() => undefined);
    await during((response) => void response.writeHead(200, json).write("{"));
    await during((response) => void response.writeHead(404, json).write("{"));
    await during(problem(503, "service_unavailable", { "retry-after": "20" }));
    server.play(status);
    const before = await thrownBy(client().getStatus({}, { signal: AbortSignal.abort(reason) }));
    expect([before, server.requests.length]).to.deep.equal([reason, 0]);
  });

  it("include an unreachable server, with the system's error code", async () => {
    const error = await thrownBy(new Itemtape({ baseUrl: "http://127.0.0.1:1", apiKey }).getStatus());
    expect(error).to.be.instanceOf(TransportError).with.property("reason", "unreachable");
    expect(error.message).to.match(/^http:\/\/127\.0\.0\.1:1\/v1\/status: .*\((ECONNREFUSED|bad port)\)$/);
  });

  it("keep code and request id if the key is a common word", async () => {
    for (const placeholder of ["key", "api_key", "i", "req_0", "invalid_api_key"]) {
      server.play(problem(401, "invalid_api_key"));
      const error = await thrownBy(client({ apiKey: placeholder }).getUsage());
      expect(error, placeholder).to.include({ code: "invalid_api_key", requestId });
      expect(error.message).to.match(/HTTP 401, `invalid_api_key`: /);
    }
  });

  itLong("report the last refusal and request count if no response follows", async () => {
    const limited = problem(429, "rate_limited", { "retry-after": "1" });
    // Enough for an answer on a busy machine.
    const retry = { answerMs: 1000 };
    server.play(limited, limited, () => undefined);
    const late = await thrownBy(client({ retry }).getStatus());
    expect(late).to.include({ reason: "timeout", attempts: 3, requestId: null });
    expect(late.cause).to.be.instanceOf(ItemtapeError).and.include({ code: "rate_limited", attempts: 2 });
    server.play(limited, (response) => void response.writeHead(200, { ...json, "x-request-id": requestId }).write("{"));
    const half = await thrownBy(client({ retry }).getStatus());
    expect(half).to.include({ reason: "timeout", attempts: 2, requestId });
    server.play(limited, (response) => void response.destroy());
    expect(await thrownBy(client().getStatus())).to.include({ reason: "unreachable", attempts: 2 });
    server.play(limited, send(200, [], { "x-request-id": requestId }));
    expect(await thrownBy(client().getStatus())).to.include({ reason: "broken", attempts: 2, requestId });
    server.play(limited, send(200, "", { "content-type": "text/html", "x-request-id": requestId }));
    expect(await thrownBy(client().getStatus())).to.include({ reason: "broken", attempts: 2, requestId });
    server.play(limited, limited, status);
    expect(await client().read("getStatus")).to.include({ status: 200, attempts: 3 });
  });

  it("share one abort signal without a warning, and release it", async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => void warnings.push(name);
    process.on("warning", onWarning);
    const waiting: ItemtapeOptions["parts"] = {
      wait: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    for (const reply of [() => undefined, problem(503, "service_unavailable")] as Reply[]) {
      const controller = new AbortController();
      const { signal } = controller;
      const reason = new Error("enough");
      let left = 20;
      const last: Reply = (response, request) => {
        reply(response, request);
        left -= 1;
        if (left === 0) setTimeout(() => controller.abort(reason), 20);
      };
      server.play(...Array<Reply>(20).fill(last));
      const api = client({ parts: waiting });
      const ends = await Promise.all(Array.from({ length: 20 }, () => thrownBy(api.getStatus({}, { signal }))));
      expect(new Set(ends)).to.deep.equal(new Set([reason]));
      expect(getEventListeners(signal, "abort")).to.deep.equal([]);
    }
    const { signal } = new AbortController();
    server.play(...Array<Reply>(20).fill(status));
    await Promise.all(Array.from({ length: 20 }, () => client().getStatus({}, { signal })));
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
    process.off("warning", onWarning);
    expect(warnings).to.deep.equal([]);
  });

  it("read a problem record leniently; other bodies give no code", async () => {
    const codes: [Reply, string | null][] = [
      [send(404, { code: "item_not_found" }), "item_not_found"],
      [send(404, { code: "Item not found" }), null],
      [send(404, { code: 404 }), null],
      [send(404, "[]"), null],
      [send(404, { code: "item_not_found" }, { "content-type": "text/html" }), null],
      [send(404, `{"code":"item_not_found","detail":"${"x".repeat(70_000)}"}`), null],
      [(response) => void response.writeHead(404).end(), null],
    ];
    for (const [reply, code] of codes) {
      server.play(reply);
      expect(await thrownBy(client().getUsage())).to.include({ name: "ItemtapeError", code, status: 404 });
    }
  });

  it("never show the key or a control character from the server", async () => {
    const output = `your ${apiKey} \u001b[31m\u202e is bad`;
    const bodies: Reply[] = [
      send(401, { code: "invalid_api_key", title: output, detail: output, type: output, request_id: output }),
      send(401, { code: "invalid_api_key", title: output }),
      (response) => void response.writeHead(302, { location: `/?key=${apiKey}` }).end(),
      send(200, output, { "content-type": `text/${apiKey}` }),
      (response) => void response.socket?.end(`HTTP/1.1 200 ${apiKey}\r\n: ${apiKey}\r\n\r\n`),
    ];
    for (const reply of bodies) {
      server.play(reply);
      const error = await thrownBy(client().getUsage());
      expect(inspect(error, { depth: 9, showHidden: true })).to.not.include(apiKey);
      expect(error.message).to.not.match(/[\p{Cc}\p{Cf}]/u);
    }
    expect(inspect(client(), { depth: 9, showHidden: true })).to.not.include(apiKey);
  });
});
