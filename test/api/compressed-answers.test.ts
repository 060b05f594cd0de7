import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { codedBytesMin } from "../../src/api/representation.ts";
import { StreamScheduler, streamRun } from "../../src/api/streams.ts";
import type { SnapshotRun } from "../../src/domain/market-snapshot.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { nothingPublished, publishedMeanwhile, unreadableMeanwhile } from "../contract/replay-states.ts";
import { itLong } from "../support/size.ts";
import { edit } from "../support/unguarded.ts";
import { until } from "../support/until.ts";
import { type Account, useWorld } from "../support/world.ts";
import { lengthenExport, liveExports } from "./exports.ts";
import { type Ask, ask, beginningOf, readAll, textOf } from "./packed.ts";

const exportPath = "/v1/markets/snapshot";

describe("compressed responses", () => {
  const world = useWorld({ fewItems: true });
  let account: Account;
  before(() => {
    account = world.account("quant");
  });

  const send = async (path: string, coding: string | null, more: Ask = {}) => {
    const headers = { ...more.headers, ...(coding === null ? {} : { "accept-encoding": coding }) };
    return readAll(await ask(world.base + path, { ...more, headers }));
  };
  const withKey = () => ({ authorization: `Bearer ${account.secret}` });
  const batch = (): Ask => ({
    method: "POST",
    headers: { ...withKey(), "content-type": "application/json" },
    body: JSON.stringify({ item_ids: Array.from({ length: 50 }, (_, index) => index + 1) }),
  });
  const withoutRequest = (text: string) => text.replaceAll(/"request_id":"[^"]*"/g, "");

  it("decode to the plain bytes, are shorter and give their own length", async () => {
    const requests: [string, Ask][] = [
      ["/v1/items?limit=50", { headers: withKey() }],
      ["/v1/items?limit=50&q=%E2%98%85", { headers: withKey() }],
      ["/v1/markets/batch", batch()],
      ["/v1/openables", { headers: withKey() }],
      ["/openapi.json", {}],
      ["/problems", {}],
      ["/browser/uplot.js", {}],
    ];
    for (const [path, more] of requests) {
      const plain = await send(path, null, more);
      const packed = await send(path, "gzip", more);
      expect([plain.status, packed.status], path).to.deep.equal([200, 200]);
      expect(plain.headers["content-encoding"], path).to.equal(undefined);
      expect(packed.headers["content-encoding"], path).to.equal("gzip");
      expect(withoutRequest(textOf(packed)), path).to.equal(withoutRequest(textOf(plain)));
      expect(packed.body.length, path).to.be.lessThan(plain.body.length / 2);
      expect(Number(packed.headers["content-length"]), path).to.equal(packed.body.length);
      expect([packed.headers.vary, plain.headers.vary], path).to.deep.equal(
        Array(2).fill("Authorization, Accept-Encoding"),
      );
      expect(packed.headers.etag, path).to.equal(plain.headers.etag);
    }
  });

  it("are not sent unrequested, without savings, or for refusals", async () => {
    for (const coding of [null, "", "identity", "br", "gzip;q=0", "identity;q=0"]) {
      const { headers, status } = await send("/v1/items?limit=50", coding, { headers: withKey() });
      expect([status, headers["content-encoding"]], String(coding)).to.deep.equal([200, undefined]);
    }
    for (const path of ["/v1/items/1", "/v1/status", "/v1/items/2147483647", "/v1/items?limit=0", "/v1/nothing"]) {
      const { headers, body } = await send(path, "gzip", { headers: path === "/v1/status" ? {} : withKey() });
      expect(body.length, path).to.be.lessThan(codedBytesMin);
      expect(headers["content-encoding"], path).to.equal(undefined);
    }
  });

  it("start at 1,024 bytes, not at a byte less", async () => {
    const path = "/v1/items?limit=2";
    const lengthOf = async () => (await send(path, null, { headers: withKey() })).body.length;
    const rename = (bytes: number) =>
      world.change(({ $client }) =>
        edit(
          $client,
          "UPDATE items SET market_hash_name = ? WHERE item_id = (SELECT min(item_id) FROM items WHERE in_catalog)",
          "x".repeat(bytes),
        ),
      );
    rename(1);
    const rest = 1024 - (await lengthOf()) + 1;
    expect(rest).to.be.within(2, 300);
    for (const [bytes, coding] of [
      [rest - 1, undefined],
      [rest, "gzip"],
    ] as const) {
      rename(bytes);
      const { headers } = await send(path, "gzip", { headers: withKey() });
      expect([await lengthOf(), headers["content-encoding"]]).to.deep.equal([1024 - rest + bytes, coding]);
    }
  });

  it("have the same headers for HEAD as for GET", async () => {
    for (const path of ["/v1/items?limit=50", "/openapi.json"]) {
      const get = await send(path, "gzip", { headers: withKey() });
      const head = await send(path, "gzip", { headers: withKey(), method: "HEAD" });
      expect(head.body.length).to.equal(0);
      const names = ["content-encoding", "etag", "vary", "cache-control", "content-type"];
      for (const name of names) expect(head.headers[name], `${path} ${name}`).to.equal(get.headers[name]);
      // The length differs by the id of the request at most.
      const [length, bytes] = [head, get].map(({ headers }) => Number(headers["content-length"]));
      expect(length, path).to.be.within(bytes! - 32, bytes! + 32);
    }
  });

  it("give a 304 for a page's tag in either coding", async () => {
    for (const path of ["/openapi.json", "/market", "/browser/uplot.js", "/problems/rate_limited"]) {
      const { headers } = await send(path, "gzip");
      expect(headers.etag, path).to.match(/^W\/"[A-Za-z0-9_-]{22}"$/);
      for (const coding of ["gzip", null]) {
        const received = await send(path, coding, { headers: { "if-none-match": `"x", ${headers.etag}` } });
        expect([received.status, received.body.length, received.headers.etag], path).to.deep.equal([
          304,
          0,
          headers.etag,
        ]);
        expect(received.headers["content-security-policy"]).to.equal(headers["content-security-policy"]);
        for (const name of ["content-type", "content-length", "content-encoding"])
          expect(received.headers).to.not.have.property(name);
      }
      expect((await send(path, null, { headers: { "if-none-match": '"x"' } })).status).to.equal(200);
    }
  });

  it("are not sent by the dashboard, since pages hold secrets beside input", async () => {
    for (const path of ["/dashboard/sign-in", "/dashboard/base.css"]) {
      const { status, headers, body } = await send(path, "gzip");
      expect([status, body.length > codedBytesMin], path).to.deep.equal([200, true]);
      expect([headers["content-encoding"], headers.etag, headers.vary], path).to.deep.equal([
        undefined,
        undefined,
        "Cookie",
      ]);
    }
  });

  it("decode to the bytes of a plain export", async () => {
    const exported = (coding: string | null) => send(exportPath, coding, { method: "POST", headers: withKey() });
    const [plain, packed] = [await exported(null), await exported("gzip")];
    expect(packed.headers).to.include({ "content-encoding": "gzip", "content-type": "application/x-ndjson" });
    expect(plain.headers).to.not.have.property("content-encoding");
    expect(withoutRequest(textOf(packed))).to.equal(withoutRequest(textOf(plain)));
    expect(packed.body.length).to.be.lessThan(plain.body.length / 4);
  });

  for (const [code, state] of [
    ["snapshot_changed", publishedMeanwhile],
    ["snapshot_interrupted", unreadableMeanwhile],
  ] as const) {
    it(`decode to the error record of an export broken by ${code}`, async () => {
      const own = world.account("quant");
      const undo = await state(world, own);
      const headers = { authorization: `Bearer ${own.secret}` };
      const answer = await send(exportPath, "gzip", { method: "POST", headers });
      await undo();
      const lines = textOf(answer).trimEnd().split("\n");
      expect(JSON.parse(lines[0]!)).to.include({ type: "start" });
      expect(JSON.parse(lines.at(-1)!)).to.include({ type: "error", code });
    });
  }

  it("are not used to refuse an export that cannot begin", async () => {
    const undo = await nothingPublished(world, account);
    const { status, headers, body } = await send(exportPath, "gzip", { method: "POST", headers: withKey() });
    await undo();
    expect([status, headers["content-encoding"], headers.vary]).to.deep.equal([
      503,
      undefined,
      "Authorization, Accept-Encoding",
    ]);
    expect(JSON.parse(body.toString()).code).to.equal("snapshot_unavailable");
  });

  it("can be decoded record by record as an export arrives", async () => {
    lengthenExport(world, 1000);
    const headers = { ...withKey(), "accept-encoding": "gzip" };
    const incoming = await ask(world.base + exportPath, { method: "POST", headers });
    // Only the start arrives.
    let received = Buffer.alloc(0);
    let lines: string[] = [];
    for await (const chunk of incoming) {
      received = Buffer.concat([received, chunk]);
      lines = beginningOf(received).split("\n").slice(0, -1);
      if (lines.length > 1) break;
    }
    expect(lines.map((line) => JSON.parse(line).type)).to.deep.equal([
      "start",
      ...Array(lines.length - 1).fill("item"),
    ]);
    incoming.destroy();
    await until("no export holds a place", () => liveExports(world) === 0);
  });
});

describe("unread compressed exports", () => {
  itLong("use about a page of memory and end at their deadline", async () => {
    const line = () => `${JSON.stringify(Array.from({ length: 60 }, () => Math.random()))}\n`;
    const page = Buffer.from(Array.from({ length: 50 }, line).join(""));
    // Delays of this process are not the export's. The longest delay is added to the deadline.
    const loopDelay = monitorEventLoopDelay({ resolution: 5 });
    loopDelay.enable();
    const startedMs = performance.now();
    // Long enough to fill the buffers of both sockets on a busy machine.
    const deadlineMs = startedMs + 4000;
    const lease = { deadlineMonotonicMs: deadlineMs, finish: async () => {}, release: async () => {} };
    let waiting = 0;
    let over: () => void = () => {};
    const outcome = new Promise<void>((resolve) => {
      over = resolve;
    });
    const stalling = createServer((_req, res) => {
      const endless: SnapshotRun = {
        requestId: "req_x",
        itemsSent: 0,
        next() {
          waiting = Math.max(waiting, res.writableLength);
          return page;
        },
      };
      const parts = { scheduler: new StreamScheduler(), clock: systemClock };
      void streamRun(res, endless, { lease }, parts, { headers: [], coding: "gzip" }).then(over);
    });
    await new Promise<void>((ready) => stalling.listen(0, "127.0.0.1", ready));
    const incoming = await ask(`http://127.0.0.1:${(stalling.address() as AddressInfo).port}/`);
    await outcome;
    const endedMs = performance.now();
    loopDelay.disable();
    expect(endedMs).to.be.lessThan(deadlineMs + loopDelay.max / 1e6);
    expect(waiting, "in the process when the next page is read").to.be.lessThan(page.length);
    const { body, isWhole } = await readAll(incoming);
    stalling.close();
    expect(isWhole).to.equal(false);
    expect(() => gunzipSync(body)).to.throw(/unexpected end of file/);
    const text = beginningOf(body);
    const lines = text.slice(0, text.lastIndexOf("\n")).split("\n");
    expect(lines.length).to.be.greaterThan(50);
    for (const one of lines) expect(JSON.parse(one)).to.have.length(60);
  });
});
