import { expect } from "chai";
import { ItemtapeError, type RetryPolicy, TransportError } from "../../src/client/index.ts";
import { problem, type Reply, send, status, TimedClient, thrownBy, useScriptedServer } from "./scripted-server.ts";

describe("client retries", () => {
  const server = useScriptedServer();

  const busy = (retryAfter?: string, more: Record<string, string> = {}) =>
    problem(503, "service_unavailable", { ...(retryAfter !== undefined && { "retry-after": retryAfter }), ...more });
  const limited = (retryAfter: string) => problem(429, "rate_limited", { "retry-after": retryAfter });

  const waited: [description: string, replies: Reply[], waits: number[]][] = [
    ["429 after the seconds it names", [limited("7")], [7000]],
    ["503 after the seconds it names", [busy("2")], [2000]],
    ["429 after a whole minute", [limited("60")], [60_000]],
    ["429 and 503 in turns", [limited("1"), busy("2"), limited("3")], [1000, 2000, 3000]],
    ["an HTTP date by the client's clock", [busy("Thu, 15 Jan 2026 12:00:09 GMT")], [9000]],
    [
      "an HTTP date by the server's clock where it tells its time",
      [busy("Thu, 15 Jan 2026 15:00:04 GMT", { date: "Thu, 15 Jan 2026 15:00:00 GMT" })],
      [4000],
    ],
    ["an old form of an HTTP date", [busy("Thursday, 15-Jan-26 12:00:03 GMT")], [3000]],
    ["the oldest form of an HTTP date", [busy("Thu Jan 15 12:00:05 2026")], [5000]],
    ["an HTTP date of the past after a pause", [busy("Thu, 15 Jan 2026 11:00:00 GMT")], [500]],
    ["without a time, after doubling pauses", [busy(), busy(), busy(), busy()], [500, 1000, 2000, 4000]],
    ["unreadable times, after doubling pauses", [busy("soon"), busy("-1"), busy("1.5")], [500, 1000, 2000]],
    ["zero seconds, after a pause", [limited("0")], [500]],
    ["429 of a proxy without a problem record", [send(429, "<html>", { "content-type": "text/html" })], [500]],
  ];
  for (const [description, replies, waits] of waited) {
    it(`repeat a refused request after a wait: ${description}`, async () => {
      const client = new TimedClient(server.base);
      server.play(...replies, status);
      expect((await client.api.getStatus()).data.database).to.equal("ok");
      expect(client.waits).to.deep.equal(waits);
      expect(client.notices.map(({ waitMs, attempt }) => [waitMs, attempt])).to.deep.equal(
        waits.map((waitMs, index) => [waitMs, index + 1]),
      );
    });
  }

  it("lengthen the server's wait by a tenth or 250 ms at most", async () => {
    const asked = [1, 3, 20, 40];
    for (const [random, jitters] of [
      [0, [0, 0, 0, 0]],
      [0.5, [125, 150, 1000, 2000]],
      [0.999_999, [249, 299, 1999, 3999]],
    ] as const) {
      const client = new TimedClient(server.base, { retry: { totalMs: 600_000 } });
      client.random = random;
      server.play(...asked.map((seconds) => limited(String(seconds))), status);
      await client.api.getStatus();
      expect(client.waits).to.deep.equal(asked.map((seconds, index) => seconds * 1000 + jitters[index]!));
    }
  });

  const ended: [description: string, replies: Reply[], sent: number, retry?: Partial<RetryPolicy>][] = [
    ["five attempts are the most", Array(9).fill(busy("1")), 5],
    ["the policy allows fewer attempts", Array(9).fill(busy("1")), 2, { attemptsMax: 2 }],
    ["a wait that would pass the total is not begun", [limited("40"), limited("40"), limited("40")], 3],
    ["a wait as long as the total is not begun", [limited("50")], 1, { totalMs: 50_000 }],
    ["a wait of more seconds than a clock counts is not begun", [busy("9999999999")], 1],
    ["a wait of more seconds than a number holds is not begun", [busy("9".repeat(400))], 1],
    ["a wait longer than the policy's longest is not begun", [limited("6")], 1, { waitMsMax: 5999 }],
    ["a used-up month, despite its headers", [problem(429, "monthly_quota_exceeded", { "retry-after": "1" })], 1],
    [
      "a used-up month in another media type",
      [problem(429, "monthly_quota_exceeded", { "retry-after": "1", "content-type": "application/json" })],
      1,
    ],
    ["a used-up month without a time", [problem(503, "monthly_quota_exceeded")], 1],
    ...[400, 401, 403, 404, 408, 413, 425, 500, 502, 504].map((code): [string, Reply[], number] => [
      `${code}, with or without a time`,
      [problem(code, "some_code", { "retry-after": "1" })],
      1,
    ]),
  ];
  for (const [description, replies, sent, retry] of ended) {
    it(`do not repeat a refused request: ${description}`, async () => {
      const client = new TimedClient(server.base, retry === undefined ? {} : { retry });
      server.play(...replies, status);
      const error = await thrownBy(client.api.getStatus());
      expect(error).to.be.instanceOf(ItemtapeError).with.property("attempts", sent);
      expect(server.requests).to.have.length(sent);
      expect(client.waits).to.have.length(sent - 1);
    });
  }

  it("do not repeat an unanswered request, which may have been charged", async () => {
    const client = new TimedClient(server.base);
    server.play((response) => void response.destroy(), status);
    expect(await thrownBy(client.api.getStatus())).to.be.instanceOf(TransportError);
    expect([server.requests.length, client.waits.length]).to.deep.equal([1, 0]);
  });

  it("follow a call's policy before the client's, part by part", async () => {
    const client = new TimedClient(server.base, { retry: { attemptsMax: 3 } });
    server.play(busy("1"), busy("1"), busy("1"), status);
    await thrownBy(client.api.getStatus({}, { retry: { attemptsMax: 1 } }));
    expect(server.requests).to.have.length(1);
    expect(await thrownBy(client.api.getStatus({}, { retry: { totalMs: 1500 } }))).to.have.property("attempts", 2);
  });

  it("report code, request id, wait and detail of a refusal", async () => {
    server.play(problem(429, "snapshot_daily_limit", { "retry-after": "7200" }));
    const error = (await thrownBy(new TimedClient(server.base).api.getUsage())) as ItemtapeError;
    expect(error).to.include({ code: "snapshot_daily_limit", status: 429, retryAfterMs: 7_200_000, attempts: 1 });
    expect(error.detail).to.equal("about snapshot_daily_limit");
    expect(error.requestId).to.equal(error.problem?.request_id);
    expect(error.message).to.equal(
      `${server.base}/v1/usage: HTTP 429, \`snapshot_daily_limit\`: about snapshot_daily_limit`,
    );
  });

  it("limit a wait too long for a number", async () => {
    server.play(problem(429, "rate_limited", { "retry-after": "9".repeat(400) }));
    const error = await thrownBy(new TimedClient(server.base).api.getUsage());
    expect(error).to.have.property("retryAfterMs", Number.MAX_SAFE_INTEGER);
  });

  it("reuse a connection after a refusal", async () => {
    const client = new TimedClient(server.base);
    for (let call = 0; call < 5; call += 1) {
      server.play(limited("1"), problem(404, "item_not_found"), status);
      await thrownBy(client.api.getItem({ item_id: 1 }));
      await client.api.getStatus();
    }
    expect(await server.connections).to.be.at.most(2);
  });
});
