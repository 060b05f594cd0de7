import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { ExportError, type ExportReason, type SnapshotRecord, TransportError } from "../../src/client/index.ts";
import {
  type Reply,
  requestId,
  type ScriptedServer,
  send,
  TimedClient,
  thrownBy,
  useScriptedServer,
} from "./scripted-server.ts";
import { item, linesOf, quote, type Records, records, streamed, textOf } from "./streams.ts";

const otherRequest = `req_${"1".repeat(26)}`;
const gzip = { "content-encoding": "gzip" };

describe("exports that the client rejects", () => {
  const server = useScriptedServer();

  const whole = textOf(linesOf(records()));
  const zippedBytes = gzipSync(whole).length;
  /** The export with something changed in its records. */
  const changed = (change: (all: Records) => void): Reply => {
    const all = records();
    change(all);
    return streamed(textOf(linesOf(all)));
  };
  /** The export with these lines in place of the lines at `at`. */
  const spliced = (at: number, count: number, ...lines: string[]): Reply =>
    streamed(textOf(linesOf(records()).toSpliced(at, count, ...lines)));
  const first = (change: object) => changed(({ items }) => Object.assign(items[0].data, change));
  const asks = (change: object) => first({ asks: [quote(change)] });
  const cut = (body: string | Buffer, headers = {}): Reply => {
    return (response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson", "x-request-id": requestId, ...headers });
      response.write(body, () => response.destroy());
    };
  };
  const error = (code: string, id = requestId) => JSON.stringify({ type: "error", request_id: id, code });
  const without = (key: string) => changed(({ start }) => delete start[key]);

  const faults: [description: string, reply: Reply, reason: ExportReason, why: RegExp][] = [
    ["a publication meanwhile", spliced(3, 2, error("snapshot_changed")), "changed", /snapshot_changed\)$/],
    ["an interruption", spliced(2, 3, error("snapshot_interrupted")), "interrupted", /snapshot_interrupted\)$/],
    ["an error at once", spliced(1, 4, error("snapshot_interrupted")), "interrupted", /after 2 lines/],
    ["an empty body", streamed([]), "truncated", /after 0 lines: the stream ended without its `end` record$/],
    ["no end", spliced(4, 1), "truncated", /after 4 lines: .* without its `end` record$/],
    ["an end without its line feed", streamed(whole.slice(0, -1)), "truncated", /without its `end` record$/],
    ["half a record", streamed(whole.slice(0, -200)), "truncated", /without its `end` record$/],
    ["a connection that is cut", cut(whole.slice(0, -200)), "truncated", /the connection broke off$/],
    ["a connection that is cut after the end", cut(whole), "truncated", /the connection broke off$/],
    [
      "compressed bytes that stop",
      streamed(gzipSync(whole).subarray(0, 150), gzip),
      "truncated",
      /without its `end` record$/,
    ],
    ["compressed bytes that are cut", cut(gzipSync(whole).subarray(0, 150), gzip), "truncated", /broke off$/],
    ["compressed bytes that are none", streamed(whole, gzip), "malformed", /cannot be decompressed \(Z_DATA_ERROR\)$/],
    [
      "compressed bytes with another sum",
      streamed(gzipSync(whole).fill("x", zippedBytes - 8), gzip),
      "malformed",
      /cannot be decompressed \(Z_DATA_ERROR\)$/,
    ],
    [
      "something behind compressed bytes",
      streamed(Buffer.concat([gzipSync(whole), Buffer.from("more")]), gzip),
      "malformed",
      /cannot be decompressed \(Z_DATA_ERROR\)$/,
    ],
    [
      "no brotli",
      streamed(whole, { "content-encoding": "br" }),
      "malformed",
      /cannot be decompressed \(ERR__ERROR_\w+\)$/,
    ],
    ["no start", spliced(0, 1), "malformed", /`item` before `start`$/],
    ["an error before the start", spliced(0, 5, error("snapshot_changed")), "malformed", /`error` before `start`$/],
    ["a second start", spliced(2, 0, linesOf(records())[0]!), "malformed", /after 3 lines: a second `start`$/],
    [
      "a start of another request",
      changed(({ start }) => Object.assign(start, { request_id: otherRequest })),
      "malformed",
      /X-Request-Id$/,
    ],
    [
      "an end of another request",
      changed(({ end }) => Object.assign(end, { request_id: otherRequest })),
      "malformed",
      /`end` names another/,
    ],
    [
      "an end of another generation",
      changed(({ end }) => Object.assign(end, { generation: "g6" })),
      "malformed",
      /`end` names g6, `start` names g5$/,
    ],
    [
      "an error of another request",
      spliced(4, 1, error("snapshot_changed", otherRequest)),
      "malformed",
      /`error` names another/,
    ],
    [
      "an end that counts one more",
      changed(({ end }) => Object.assign(end, { items: 4 })),
      "malformed",
      /counts 4 items, but the stream has 3$/,
    ],
    ["an item that is lost", spliced(2, 1), "malformed", /counts 3 items, but the stream has 2$/],
    ["an item twice", changed(({ items }) => items.splice(1, 0, item(1))), "malformed", /item 1 is listed twice$/],
    ["items that go backwards", changed(({ items }) => items.reverse()), "malformed", /item 4 follows item 9$/],
    ["an item beyond the bound", changed(({ items }) => items.push(item(10))), "malformed", /item 10 is beyond/],
    ["a record after the end", streamed(`${whole}${error("snapshot_changed")}\n`), "malformed", /follows `end`$/],
    ["a second end", spliced(5, 0, linesOf(records())[4]!), "malformed", /a record follows `end`$/],
    ["half a line after the end", streamed(`${whole}{`), "malformed", /a record follows `end`$/],
    ["an empty line", spliced(2, 0, ""), "malformed", /an empty line$/],
    ["an empty line at the end", streamed(`${whole}\n`), "malformed", /an empty line$/],
    ["lines that end with CR LF", streamed(whole.replaceAll("\n", "\r\n")), "malformed", /not one JSON object$/],
    ["space before a record", spliced(1, 0, ` ${JSON.stringify(item(1))}`), "malformed", /not one JSON object$/],
    ["no JSON", spliced(2, 1, '{"type":"item",}'), "malformed", /not one JSON object$/],
    ["a list of records", spliced(1, 1, `[${JSON.stringify(item(1))}]`), "malformed", /not one JSON object$/],
    [
      "two records in a line",
      spliced(1, 2, `${JSON.stringify(item(1))}${JSON.stringify(item(4))}`),
      "malformed",
      /not one JSON object$/,
    ],
    ["a byte order mark", streamed(`\ufeff${whole}`), "malformed", /not one JSON object$/],
    ["no UTF-8", streamed(Buffer.from(whole, "latin1")), "malformed", /a record is not UTF-8|not one JSON object/],
    ["a record of another type", spliced(1, 0, '{"type":"note"}'), "malformed", /a record of an unknown type$/],
    ["a record without a type", spliced(1, 0, "{}"), "malformed", /a record of an unknown type$/],
    [
      "a record larger than 256 KiB",
      spliced(1, 0, JSON.stringify(item(1)).padEnd(262_145)),
      "malformed",
      /larger than 262144 bytes$/,
    ],
    ["a line without end", streamed(["{", "x".repeat(300_000)]), "malformed", /larger than 262144 bytes$/],
    ["a start without a key", without("ingested_at"), "malformed", /start: `ingested_at` is missing$/],
    [
      "a start with one more key",
      changed(({ start }) => Object.assign(start, { to: 1 })),
      "malformed",
      /start: has an unknown key/,
    ],
    [
      "another consistency",
      changed(({ start }) => Object.assign(start, { consistency: "none" })),
      "malformed",
      /`consistency` has an invalid value/,
    ],
    [
      "a time of prices",
      changed(({ start }) => Object.assign(start, { price_as_of: "2026-01-15T12:00:00.000Z" })),
      "malformed",
      /`price_as_of` has/,
    ],
    [
      "a wrapper with one more key",
      changed(({ items }) => Object.assign(items[0], { n: 1 })),
      "malformed",
      /^.*item: has an unknown key/,
    ],
    ["an item with one more key", first({ wear: "x" }), "malformed", /item: has an unknown key$/],
    [
      "an item that is none",
      changed(({ items }) => Object.assign(items[0], { data: null })),
      "malformed",
      /`data` has an invalid value/,
    ],
    ["an id of zero", first({ item_id: 0 }), "malformed", /`item_id` has an invalid value/],
    ["an empty phase", first({ phase: "" }), "malformed", /`phase` has an invalid value/],
    ["asks that are none", first({ asks: null }), "malformed", /`asks` has an invalid value/],
    [
      "quotes of a missing item",
      first({ availability: "missing" }),
      "malformed",
      /item 1: its availability contradicts/,
    ],
    [
      "an available item without",
      first({ asks: [], bids: [] }),
      "malformed",
      /its availability contradicts its quotes$/,
    ],
    ["a price of zero", asks({ amount: 0 }), "malformed", /quote: `amount` has an invalid value/],
    ["a fraction of a cent", asks({ amount: 1.5 }), "malformed", /quote: `amount` has an invalid value/],
    ["another currency", asks({ currency: "EUR" }), "malformed", /`currency` has an invalid value/],
    ["a time of a quote", asks({ as_of: "2026-01-15T12:00:00.000Z" }), "malformed", /`as_of` has an invalid value/],
    ["a quote without a key", asks({ url: undefined }), "malformed", /quote: `url` is missing$/],
    ["a quote with one more key", asks({ fee: 1 }), "malformed", /quote: has an unknown key/],
    ["another provider's form", asks({ provider: "Steam" }), "malformed", /`provider` has an invalid value/],
    [
      "an end with one more key",
      changed(({ end }) => Object.assign(end, { digest: "" })),
      "malformed",
      /end: has an unknown key/,
    ],
    ["an unknown error", spliced(4, 1, error("snapshot_lost")), "malformed", /error: `code` has an invalid value/],
  ];
  for (const [description, reply, reason, why] of faults) {
    it(`are refused as ${reason} before any row: ${description}`, async () => {
      const { api } = new TimedClient(server.base);
      server.play(reply);
      const thrown = await thrownBy(api.exportMarket({ digest: "skip" }));
      expect(thrown).to.be.instanceOf(ExportError).with.property("reason", reason);
      expect(thrown.message).to.match(why);
      expect(server.requests).to.have.length(1);
      server.play(reply);
      const seen: SnapshotRecord[] = [];
      const streaming = async () => {
        for await (const record of api.streamMarketUnverified()) seen.push(record);
      };
      expect(await thrownBy(streaming()))
        .to.be.instanceOf(ExportError)
        .with.property("reason", reason);
      expect(seen.filter(({ type }) => type === "end")).to.deep.equal([]);
    });
  }

  it("report the number of a malformed, non-UTF-8 or oversized line", async () => {
    const [start, ...others] = linesOf(records());
    const third: (string | Buffer)[] = [
      "{nothing\n",
      Buffer.from([0xff, 0x0a]),
      `{${"x".repeat(262_144)}\n`,
      `{${"x".repeat(262_144)}`,
    ];
    for (const line of third) {
      server.play(streamed(Buffer.concat([Buffer.from(textOf([start!, others[0]!])), Buffer.from(line)])));
      const thrown = await thrownBy(new TimedClient(server.base).api.exportMarket());
      expect(thrown).to.include({ reason: "malformed", line: 3 });
      expect(thrown.message).to.match(/after 3 lines: /);
    }
  });

  it("are transport errors for another content type or a redirect", async () => {
    const { api } = new TimedClient(server.base);
    server.play(streamed(whole, { "content-type": "application/json" }));
    expect(await thrownBy(api.exportMarket())).to.include({ name: "TransportError", reason: "broken" });
    server.play(send(200, whole, { "content-type": "text/plain" }));
    expect(await thrownBy(api.exportMarket())).to.include({ name: "TransportError", reason: "broken" });
    server.play((response) => void response.writeHead(307, { location: "/v1/markets/snapshot" }).end());
    expect(await thrownBy(api.exportMarket())).to.include({ name: "TransportError", reason: "redirect" });
  });

  it("are refused as truncated if they stall or are too slow", async () => {
    const still: Reply = (response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" }).write(whole.slice(0, 900));
    };
    const stood = await stoodStill(server, still);
    expect(stood).to.have.property("reason", "truncated");
    expect(stood.message).to.match(/no data arrived for \d\.\d+ s$/);
    const slow = new TimedClient(server.base);
    server.play(streamed([whole.slice(0, 900), whole.slice(900)]));
    const onProgress = () => {
      slow.elapsedMs += 5000;
    };
    const late = await thrownBy(slow.api.exportMarket({ streamMs: 5000, onProgress }));
    expect(late).to.have.property("reason", "truncated");
    expect(late.message).to.match(/it did not end within 5 s$/);
    const reader = new TimedClient(server.base);
    server.play(streamed(whole));
    const reading = async () => {
      for await (const _ of reader.api.streamMarketUnverified({ streamMs: 5000 })) reader.elapsedMs += 5000;
    };
    expect(await thrownBy(reading()), "the caller's own time counts").to.have.property("reason", "truncated");
  });
});

/**
 * Returns the failure of an export that stalls after its first bytes. The client's timeout adapts to this machine: if even the first bytes
 * are late, the timeout is quadrupled.
 */
async function stoodStill(server: ScriptedServer, still: Reply): Promise<Error> {
  for (let answerMs = 60; ; answerMs *= 4) {
    server.play(...Array<Reply>(10).fill(still));
    const { api } = new TimedClient(server.base, { retry: { answerMs } });
    const failure = await thrownBy(api.exportMarket());
    const isTooSlow = failure instanceof TransportError && failure.reason === "timeout";
    if (!isTooSlow || answerMs > 10_000) return failure;
  }
}
