import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { problems } from "../../src/api/problems.ts";
import { casesBySize } from "../support/size.ts";
import { until } from "../support/until.ts";
import { type RunningSandbox, runSandbox } from "./run.ts";

const item = { method: "GET", target: "/v1/items/1", body: "" };
const list = { ...item, target: "/v1/providers?limit=2" };
/** Its body names the generation before the published one. */
const changes = { method: "POST", target: "/v1/markets/changes", body: "" };
const exported = { ...changes, target: "/v1/markets/snapshot", body: "" };
const day = { ...changes, target: "/v1/history/days/2026-01-14/export", body: '{"resolution":"daily"}' };

type Asked = typeof item;
/** Received bytes and the end of the connection. `silent` means that the test had to close it. */
type Seen = { text: string; head: string; body: Buffer; end: "reset" | "closed" | "silent" };

describe("sandbox fault", () => {
  let sandbox: RunningSandbox;
  let honest: Map<Asked, Seen>;

  before(async function () {
    // The demo world is made here when this file is run first.
    this.timeout(180_000);
    sandbox = await runSandbox({ fewItems: true });
    const { text } = await raw(sandbox.keys.quant, { ...item, target: "/v1/markets/generations/current" });
    changes.body = JSON.stringify({ generation: "g4", identity_digest: JSON.parse(text).data.identity_digest });
    honest = new Map();
    for (const asked of [item, list, changes]) honest.set(asked, await raw(sandbox.keys.quant, asked));
  });
  after(() => sandbox.close());

  /** `gzip` accepts gzip. `bytes` is the number of body bytes after which the client disconnects. `leave` aborts earlier. */
  type Client = { gzip?: boolean; bytes?: number; leave?: AbortSignal };
  const raw = (
    key: string,
    { method, target, body }: Asked,
    { gzip = false, bytes: enough = Number.POSITIVE_INFINITY, leave }: Client = {},
  ): Promise<Seen> =>
    new Promise((resolve) => {
      const socket = connect(sandbox.port, "127.0.0.1");
      const parts: Buffer[] = [];
      let end: Seen["end"] = "closed";
      const headers = [
        `${method} ${target} HTTP/1.1`,
        `Host: 127.0.0.1:${sandbox.port}`,
        `Authorization: Bearer ${key}`,
        "Connection: close",
        ...(gzip ? ["Accept-Encoding: gzip"] : []),
        ...(body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]),
      ];
      socket.write(`${headers.join("\r\n")}\r\n\r\n${body}`);
      const hangUp = () => {
        end = "silent";
        socket.end();
      };
      leave?.addEventListener("abort", hangUp);
      const ownBytes = () => {
        const bytes = Buffer.concat(parts);
        const split = bytes.indexOf("\r\n\r\n");
        return split === -1 ? 0 : bytes.length - split - 4;
      };
      socket.on("data", (part) => {
        parts.push(part);
        if (ownBytes() >= enough) hangUp();
      });
      socket.on("error", () => {
        end = "reset";
      });
      socket.on("close", () => {
        const bytes = Buffer.concat(parts);
        const split = bytes.indexOf("\r\n\r\n");
        const head = bytes.toString("latin1", 0, Math.max(0, split));
        const own = split === -1 ? Buffer.alloc(0) : bytes.subarray(split + 4);
        resolve({ text: own.toString("utf8"), head, body: own, end });
      });
    });

  /** Plays one fault. Returns the received bytes, and the journal's only entry. */
  const play = async (fault: object, asked: Asked, client: Client = {}) => {
    const key = await sandbox.scripted([fault], { plan: "quant" });
    const leaving = new AbortController();
    const answered = raw(key.key, asked, { leave: leaving.signal, ...client });
    if (client.bytes === 0) {
      await until("the request is in the journal", async () => (await sandbox.journal(key)).length === 1);
      leaving.abort();
    }
    const seen = await answered;
    await until("its connection is closed", async () => (await sandbox.journal(key))[0].closed !== null);
    const [entry] = await sandbox.journal(key);
    return { ...seen, entry };
  };

  it("returns the status and code of each contract error", async () => {
    const codes = Object.entries(problems);
    const key = await sandbox.scripted(codes.map(([fault]) => fault));
    for (const [code, { status, retryAfterS }] of codes) {
      const { head, text } = await raw(key.key, item);
      expect(head, code).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(JSON.parse(text).code).to.equal(code);
      expect(/\r\nRetry-After: \d/.test(head), code).to.equal(retryAfterS !== null);
    }
  });

  const transport: [fault: object, check: (seen: Awaited<ReturnType<typeof play>>, whole: Seen) => void][] = [
    [{ fault: "reset_before" }, ({ head, end }) => expect([head, end]).to.deep.equal(["", "reset"])],
    [{ fault: "close_before" }, ({ head, end }) => expect([head, end]).to.deep.equal(["", "closed"])],
    [
      { fault: "reset_after_headers" },
      ({ head, text, end }) => expect([head.slice(0, 15), text, end]).to.deep.equal(["HTTP/1.1 200 OK", "", "reset"]),
    ],
    [{ fault: "reset_in_body", bytes: 7 }, ({ text, end }) => expect([text.length, end]).to.deep.equal([7, "reset"])],
    [
      { fault: "silence_before" },
      ({ head, end, entry }) => expect([head, end, entry.closed.by]).to.deep.equal(["", "silent", "client"]),
    ],
    [
      { fault: "silence_in_body" },
      ({ body, end }, whole) => expect([body.length, end]).to.deep.equal([whole.body.length >> 1, "silent"]),
    ],
    [{ fault: "slow", every_ms: 60_000 }, ({ text, end }) => expect([text, end]).to.deep.equal(["{", "silent"])],
    [
      { fault: "proxy_page", status: 520 },
      ({ head, text }) =>
        expect([head.split("\r\n")[0]?.slice(0, 12), text.slice(0, 6)]).to.deep.equal(["HTTP/1.1 520", "<html>"]),
    ],
    [
      { fault: "redirect", to: "other" },
      ({ head }) => expect(head).to.contain(`\r\nLocation: http://localhost:${sandbox.port}/v1/items/1\r\n`),
    ],
    [
      { fault: "wrong_length", by: 5 },
      ({ head, body, entry }, whole) => {
        expect(body.length).to.equal(whole.body.length);
        expect(head).to.contain(`Content-Length: ${whole.body.length + 5}\r\n`);
        expect([entry.complete, entry.closed.by]).to.deep.equal([false, "sandbox"]);
      },
    ],
    [{ fault: "service_unavailable", retry_after: null }, ({ head }) => expect(head).to.not.contain("Retry-After")],
    [
      { fault: "empty_body" },
      ({ text, head }) => expect([text, head.slice(0, 12)]).to.deep.equal(["", "HTTP/1.1 200"]),
    ],
    [{ fault: "broken_json" }, ({ text }) => expect(() => JSON.parse(text)).to.throw(SyntaxError)],
    [
      { fault: "unknown_member" },
      ({ text }) => expect(JSON.parse(text).data.novel_member).to.deep.equal({ novel: true }),
    ],
    [
      { fault: "unknown_code", status: 429, retry_after: 1 },
      ({ head, text }) => {
        expect(head).to.match(/^HTTP\/1\.1 429 [\s\S]*\r\nRetry-After: 1/);
        expect(JSON.parse(text).code).to.equal("novel_condition");
      },
    ],
  ];

  it("on the connection is visible to the client and the journal", async () => {
    const whole = honest.get(item)!;
    await Promise.all(
      transport.map(async ([fault, check]) => {
        const hangsUp: Record<string, number> = { silence_before: 0, silence_in_body: whole.body.length >> 1, slow: 1 };
        const bytes = hangsUp[(fault as { fault: string }).fault];
        const seen = await play(fault, item, bytes === undefined ? {} : { bytes });
        check(seen, whole);
        expect([seen.entry.fault, seen.entry.applied]).to.deep.equal([(fault as { fault: string }).fault, true]);
        const sent = seen.head === "" ? 0 : seen.head.length + 4 + seen.body.length;
        expect(seen.entry.bytes, seen.entry.fault).to.equal(sent);
      }),
    );
  });

  it("cuts a gzip body in the middle for clients that accept gzip", async () => {
    const { head, body } = await play({ fault: "cut_gzip" }, item, { gzip: true });
    expect(head).to.contain("Content-Encoding: gzip");
    expect(() => gunzipSync(body)).to.throw("unexpected end of file");
  });

  it("of lists or later servers changes only its part of a response", async () => {
    const page = JSON.parse(honest.get(list)!.text);
    const json = async (fault: string) => {
      const { text, entry } = await play({ fault }, list);
      return [JSON.parse(text), entry.applied];
    };
    const [last] = await json("empty_last_page");
    expect([last.data, last.meta.next_page]).to.deep.equal([[], null]);
    const [empty] = await json("empty_page");
    expect([empty.data, empty.meta.next_page]).to.deep.equal([[], page.meta.next_page]);
    const [novel] = await json("unknown_value");
    expect(novel.data).to.deep.equal(page.data.map((row: object) => ({ ...row, kind: "novel_value" })));
    const openables = { ...item, target: "/v1/openables?limit=1" };
    const [{ slug }] = JSON.parse((await raw(sandbox.keys.quant, openables)).text).data;
    const { text } = await play({ fault: "unknown_value" }, { ...item, target: `/v1/openables/${slug}` });
    const { pool } = JSON.parse(text).data;
    expect([pool.odds_source, pool.flags.at(-1)]).to.deep.equal(["novel_value", "novel_value"]);
    const [same, applied] = await json("other_generation");
    expect([same.data, applied]).to.deep.equal([page.data, false]);
  });

  const start = (lines: string[]) => JSON.parse(lines[0]!);
  const end = (lines: string[]) => JSON.parse(lines.at(-1)!);
  const ids = (lines: string[]) => lines.slice(1, -1).map((line) => Number(/"item_id":(\d+)/.exec(line)?.[1]));
  const streams: [fault: object, asked: Asked, check: (lines: string[], whole: string[]) => void][] = [
    [
      { fault: "stream_error", code: "snapshot_changed", after: 3 },
      changes,
      (lines) => {
        const { request_id } = start(lines);
        expect([lines.length, end(lines)]).to.deep.equal([5, { type: "error", request_id, code: "snapshot_changed" }]);
      },
    ],
    [{ fault: "stream_no_end" }, changes, (lines, whole) => expect(lines.length).to.equal(whole.length - 1)],
    [{ fault: "stream_only_start" }, changes, (lines) => expect(lines.length).to.equal(1)],
    [
      { fault: "stream_wrong_count" },
      changes,
      (lines, whole) => expect(end(lines).items).to.equal(end(whole).items + 1),
    ],
    [{ fault: "stream_wrong_count" }, day, (lines) => expect(end(lines).rows).to.equal(lines.length - 1)],
    [{ fault: "stream_item_missing" }, changes, (lines, whole) => expect(lines.length).to.equal(whole.length - 1)],
    [{ fault: "stream_wrong_generation" }, changes, (lines) => expect(end(lines).to.generation).to.equal("g6")],
    [{ fault: "stream_wrong_generation" }, exported, (lines) => expect(end(lines).generation).to.equal("g6")],
    [{ fault: "stream_wrong_generation" }, day, (lines) => expect(end(lines).revision).to.equal(2)],
    [
      { fault: "stream_wrong_request_id" },
      changes,
      (lines) => expect(end(lines).request_id).to.not.equal(start(lines).request_id),
    ],
    [
      { fault: "stream_wrong_digest" },
      changes,
      (lines, whole) => {
        const digest = end(lines).to.digest;
        expect(digest).to.match(/^[0-9a-f]{64}$/);
        expect(digest).to.not.equal(end(whole).to.digest);
      },
    ],
    [
      { fault: "stream_out_of_order" },
      changes,
      (lines, whole) => {
        expect(ids(lines)).to.not.deep.equal(ids(whole));
        expect(ids(lines).toSorted()).to.deep.equal(ids(whole).toSorted());
      },
    ],
    [
      { fault: "stream_item_twice" },
      changes,
      (lines, whole) => {
        expect(new Set(lines).size).to.equal(lines.length - 1);
        expect(end(lines).items).to.equal(end(whole).items + 1);
      },
    ],
    [
      { fault: "stream_unknown_record" },
      changes,
      (lines) => expect(lines.join("\n")).to.contain('\n{"type":"novelty"'),
    ],
    [
      { fault: "stream_unknown_member" },
      changes,
      (lines) => expect(lines.join("\n")).to.contain('"novel_member":true}}\n'),
    ],
    [
      { fault: "stream_broken_json" },
      changes,
      (lines) => expect(lines.filter((line) => !line.endsWith("}")).length).to.equal(1),
    ],
    [
      { fault: "stream_long_line" },
      changes,
      (lines) => expect(JSON.parse(lines.find(({ length }) => length > 256 * 1024)!).type).to.equal("item"),
    ],
    [{ fault: "stream_after_end" }, changes, (lines) => expect(lines.at(-2)).to.equal(lines.at(-1))],
  ];

  it("of streams changes only its own lines", async () => {
    const linesOf = (text: string) => text.trimEnd().split("\n");
    const whole = linesOf(honest.get(changes)!.text.replaceAll(/^[0-9a-f]+\r\n|\r\n/gm, ""));
    for (const [fault, asked, check] of casesBySize(streams, 8)) {
      const { text, entry } = await play(fault, asked);
      expect(entry.applied).to.equal(true);
      check(linesOf(text), whole);
    }
  });
});
