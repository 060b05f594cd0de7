import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { ExportVerifier } from "../../src/client/export-verifier.ts";
import { ExportError, type ExportProgress, ItemtapeError, type SnapshotRecord } from "../../src/client/index.ts";
import {
  allOf,
  problem,
  type Reply,
  requestId,
  send,
  TimedClient,
  thrownBy,
  useScriptedServer,
} from "./scripted-server.ts";
import { item, linesOf, quote, type Records, records, streamed, textOf } from "./streams.ts";

const whole = textOf(linesOf(records()));

/** The server's report on a published generation. */
function published({ items, start }: Records, change: object = {}): Reply {
  const lines = items
    .map(({ data }) => data)
    .filter(({ availability }) => availability === "available")
    .map(({ item_id, asks, bids }) => `${JSON.stringify({ item_id, asks, bids })}\n`);
  const digest = createHash("sha256").update(lines.join("")).digest("hex");
  const totals = { items: lines.length, bytes: Buffer.byteLength(lines.join("")), digest };
  const { generation, ingested_at } = start;
  return send(200, { data: { generation, ingested_at, ...totals, ...change }, meta: { request_id: requestId } });
}

describe("verified exports", () => {
  const server = useScriptedServer();

  const lines = () => server.requests.map(({ line }) => line);
  const error = (code: string) => `${JSON.stringify({ type: "error", request_id: requestId, code })}\n`;
  const broken = streamed(`${linesOf(records())[0]}\n${error("snapshot_changed")}`);
  const busy = problem(503, "service_unavailable", { "retry-after": "1" });
  const outOfPlaces = problem(429, "snapshot_busy", { "retry-after": "2" });

  it("are requested without a body and compared with the generation's digest", async () => {
    const { start, items, end } = records();
    server.play(streamed(whole), published(records()));
    const { api } = new TimedClient(server.base);
    const verified = await api.exportMarket();
    expect(verified).to.deep.include({ start, end, items: items.map(({ data }) => data) });
    expect(verified.digest).to.include({ items: 2 });
    expect(lines()).to.deep.equal(["POST /v1/markets/snapshot", "GET /v1/markets/generations/g5"]);
    const [{ headers, body }] = server.requests as [(typeof server.requests)[number]];
    expect([body, headers["content-type"], headers["content-length"]]).to.deep.equal(["", undefined, "0"]);
    expect(headers.accept).to.equal("application/x-ndjson, application/problem+json");
  });

  it("give the same records for any split of bytes, compressed or not", async () => {
    const bytes = Buffer.from(whole);
    const { api } = new TimedClient(server.base);
    const { items } = records();
    for (const body of [bytes, gzipSync(bytes)]) {
      const headers: Record<string, string> = body === bytes ? {} : { "content-encoding": "gzip" };
      for (const size of [1, 7, 100]) {
        const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
          body.subarray(at * size, (at + 1) * size),
        );
        server.play(streamed(pieces, headers));
        const verified = await api.exportMarket({ digest: "skip" });
        expect([verified.items, verified.digest]).to.deep.equal([items.map(({ data }) => data), null]);
      }
    }
  });

  it("are accepted with an empty catalog or without X-Request-Id", async () => {
    const all = { ...records(), items: [] };
    const start = { ...all.start, catalog_max_item_id: 0 };
    server.play((response) => {
      response.writeHead(200, { "content-type": "Application/X-NDJSON; charset=utf-8" });
      response.end(textOf(linesOf({ ...all, start, end: { ...all.end, items: 0 } })));
    });
    expect(await new TimedClient(server.base).api.exportMarket({ digest: "skip" })).to.deep.include({ items: [] });
  });

  it("are accepted with a record of exactly 256 KiB", async () => {
    const bytesOf = (urlLengths: number[]) => {
      const bids = urlLengths.map((length) => quote({ url: "https://example.com/".padEnd(length, "x") }));
      return item(1, { bids });
    };
    const urls = Array.from({ length: 122 }, () => 2000);
    for (let at = 0, left = 262_144 - Buffer.byteLength(JSON.stringify(bytesOf(urls))); left > 0; at += 1) {
      urls[at] = 2000 + Math.min(left, 48);
      left -= 48;
    }
    const filled = bytesOf(urls);
    expect(Buffer.byteLength(JSON.stringify(filled))).to.equal(262_144);
    const all = records();
    server.play(streamed(textOf(linesOf({ ...all, items: [filled, ...all.items.slice(1)] }))));
    const { items } = await new TimedClient(server.base).api.exportMarket({ digest: "skip" });
    expect(items[0]).to.deep.equal(filled.data);
  });

  it("are abandoned at a size limit if they never end", () => {
    const verifier = new ExportVerifier("http://host", null, Buffer.byteLength(whole));
    expect(verifier.take(Buffer.from(whole))).to.have.length(4);
    expect(() => verifier.take(Buffer.from("{"))).to.throw(ExportError, /it is larger than \d+ bytes$/);
  });

  for (const [description, change] of [
    ["another digest", { digest: "0".repeat(64) }],
    ["other totals", { items: 3 }],
    ["another length", { bytes: 1 }],
    ["another generation", { generation: "g6" }],
    ["another time", { ingested_at: "2026-01-15T11:50:00.001Z" }],
  ] as const) {
    it(`are refused as \`digest\` if the generation has ${description}`, async () => {
      server.play(streamed(whole), published(records(), change));
      const thrown = await thrownBy(new TimedClient(server.base).api.exportMarket({ attempts: 3 }));
      expect(thrown).to.be.instanceOf(ExportError).with.property("reason", "digest");
      const name = Object.keys(change)[0];
      expect(thrown.message).to.match(
        new RegExp(`^the export of g5 differs from the published one: its \`${name}\` differs from [\\w.:-]+$`),
      );
      expect(lines()).to.have.length(2);
    });
  }

  it("are refused as `digest` with an altered price", async () => {
    server.play(streamed(whole.replace('"amount":120', '"amount":121')), published(records()));
    expect(await thrownBy(new TimedClient(server.base).api.exportMarket())).to.include({ reason: "digest" });
  });

  it("are refused as `digest` if the server has none", async () => {
    server.play(streamed(whole), problem(404, "generation_not_found"));
    const thrown = await thrownBy(new TimedClient(server.base).api.exportMarket());
    expect(thrown).to.include({ reason: "digest", line: 0 });
  });

  it("are `unconfirmed` without repetition if the digest cannot be read", async () => {
    for (const [reply, cause] of [
      [problem(429, "monthly_quota_exceeded"), { name: "ItemtapeError", code: "monthly_quota_exceeded" }],
      [send(200, "no JSON"), { name: "TransportError", reason: "broken" }],
    ] as const) {
      server.play(streamed(whole), reply, streamed(whole));
      const thrown = await thrownBy(new TimedClient(server.base).api.exportMarket({ attempts: 3 }));
      expect(thrown).to.include({ name: "ExportError", reason: "unconfirmed", requestId, line: 0 });
      expect(thrown.cause).to.include(cause);
      expect(thrown.message).to.match(/^the export of g5 is complete, but .*; digest: "skip" omits it$/);
      expect(lines()).to.have.length(2);
    }
  });

  it("are retried after an early refusal, except in a used-up month", async () => {
    const client = new TimedClient(server.base);
    server.play(busy, outOfPlaces, streamed(whole));
    await client.api.exportMarket({ digest: "skip" });
    expect(client.waits).to.deep.equal([1000, 2000]);
    server.play(problem(429, "monthly_quota_exceeded", { "retry-after": "1" }), streamed(whole));
    expect(await thrownBy(client.api.exportMarket({ attempts: 3 }))).to.be.instanceOf(ItemtapeError);
    expect(lines()).to.have.length(1);
  });

  it("are retried up to `attempts` with doubling pauses if they fail", async () => {
    const client = new TimedClient(server.base);
    const cutOff = streamed(whole.slice(0, 300));
    const gaveUp = streamed(`${linesOf(records())[0]}\n${error("snapshot_interrupted")}`);
    server.play(broken, streamed(whole));
    expect(await thrownBy(client.api.exportMarket())).to.include({ reason: "changed" });
    server.play(broken, cutOff, gaveUp, streamed(whole), published(records()));
    expect(await client.api.exportMarket({ attempts: 4 }))
      .to.have.property("items")
      .with.length(3);
    expect(client.waits).to.deep.equal([1000, 2000, 4000]);
    expect(client.notices.map(({ code, status }) => [code, status])).to.deep.equal([
      ["snapshot_changed", 200],
      [null, 200],
      ["snapshot_interrupted", 200],
    ]);
    server.play(broken, broken, streamed(whole));
    expect(await thrownBy(client.api.exportMarket({ attempts: 2 }))).to.include({ reason: "changed" });
    server.play(spoiled(), streamed(whole));
    expect(await thrownBy(client.api.exportMarket({ attempts: 2 }))).to.include({ reason: "malformed" });
    expect(lines()).to.have.length(1);
  });

  it("end at a 503 on a retry, but wait for a permit", async () => {
    const client = new TimedClient(server.base);
    server.play(broken, busy, streamed(whole));
    expect(await thrownBy(client.api.exportMarket({ attempts: 3 }))).to.include({ status: 503 });
    expect(lines()).to.have.length(2);
    server.play(broken, outOfPlaces, streamed(whole));
    expect(await client.api.exportMarket({ attempts: 3, digest: "skip" })).to.have.property("digest", null);
  });

  it("end on abort in stream, pause or digest with the caller's reason", async () => {
    const reason = new Error("enough");
    const half: Reply = (response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" }).write(whole.slice(0, 300));
    };
    for (const replies of [[half], [streamed(whole), () => undefined], [broken]] as Reply[][]) {
      const controller = new AbortController();
      const last = replies.pop()!;
      server.play(...replies, (response, request) => {
        last(response, request);
        setTimeout(() => controller.abort(reason), 20);
      });
      const { api } = new TimedClient(server.base, {
        parts: {
          wait: (_, signal) =>
            new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        },
      });
      expect(await thrownBy(api.exportMarket({ attempts: 3, signal: controller.signal }))).to.equal(reason);
    }
  });

  it("report their progress up to the whole", async () => {
    const seen: ExportProgress[] = [];
    const at = whole.indexOf("\n", whole.indexOf('"item_id":1')) + 1;
    const [before, rest] = [whole.slice(0, at), whole.slice(at)];
    let goOn = () => {};
    server.play((response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" }).write(before);
      goOn = () => void response.end(rest);
    });
    const onProgress = (progress: ExportProgress) => {
      seen.push(progress);
      if (progress.items === 1) goOn();
    };
    await new TimedClient(server.base).api.exportMarket({ digest: "skip", onProgress });
    expect(seen).to.deep.equal([
      { items: 1, bytes: Buffer.byteLength(before), itemId: 1, upTo: 9 },
      { items: 3, bytes: Buffer.byteLength(whole), itemId: 9, upTo: 9 },
    ]);
  });

  it("hand over records as they arrive if unverified, and `end` last", async () => {
    const { start, items, end } = records();
    const { api } = new TimedClient(server.base);
    server.play(streamed(whole));
    expect(await allOf<SnapshotRecord>(api.streamMarketUnverified())).to.deep.equal([start, ...items, end]);
    expect(lines()).to.have.length(1);
  });

  it("close the connection with the loop that reads them unverified", async () => {
    const gone = new Promise<void>((resolve) => {
      server.play((response) => {
        response.writeHead(200, { "content-type": "application/x-ndjson" }).write(whole.slice(0, -100));
        response.once("close", () => resolve());
      });
    });
    for await (const { type } of new TimedClient(server.base).api.streamMarketUnverified()) if (type === "item") break;
    await gone;
  });

  function spoiled(): Reply {
    return streamed(whole.replace('"amount":120', '"amount":0'));
  }
});
