import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { Follower } from "../../src/jobs/follow/follower.ts";
import { SourceMark } from "../../src/releases/source-mark.ts";
import { TestClock } from "../support/clock.ts";
import { temporaryFolder } from "../support/files.ts";
import { until } from "../support/until.ts";

describe("polling an address for newer releases", () => {
  const { signal } = new AbortController();
  let asked = 0;
  let answer: (res: ServerResponse, condition: string | undefined) => void;
  const server = createServer(({ headers }, res) => {
    asked += 1;
    answer(res, headers["if-none-match"]);
  });
  let url = "";

  before(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it("rejects a truncated timestamp even if the server then returns 304", async () => {
    const newest = { etag: '"1"', text: "first" };
    let isCut = false;
    answer = (res, condition) => {
      const { etag, text } = newest;
      const headers = { etag, "last-modified": new Date(0).toUTCString(), "content-length": text.length };
      if (condition === etag) res.writeHead(304, { etag }).end();
      else if (isCut) res.writeHead(200, headers).write(text.slice(0, 2), () => res.destroy());
      else res.writeHead(200, headers).end(text);
    };
    const mark = new SourceMark(url);
    const first = await mark.look(signal);
    expect(await mark.look(signal)).to.equal(first);
    Object.assign(newest, { etag: '"2"', text: "second" });
    isCut = true;
    const failure = await mark.look(signal).catch((error: Error) => error.message);
    expect(failure).to.match(/^unreachable: /);
    isCut = false;
    expect(await mark.look(signal)).to.not.equal(first);
  });

  it("polls an unavailable source each time but reports it rarely", async () => {
    answer = (res) => void res.writeHead(503).end();
    const clock = new TestClock();
    const told: string[] = [];
    const events = {
      releaseTaken: () => {},
      releaseStale: () => {},
      releaseExpired: () => {},
      releaseRefused: ({ kind }: { kind: string }) => void told.push(kind),
    };
    const setup = { source: url, trust: "", everyMs: 1, staleMs: 1 };
    const follower = new Follower({ setup, databasePath: join(temporaryFolder(), "market.db"), clock, events });
    const ending = new AbortController();
    const taken = follower.downloadFirst(ending.signal);
    const since = asked;
    await until("it has looked several times", () => asked > since + 5);
    expect(told).to.deep.equal(["unreachable"]);
    clock.advance(2_000);
    await until("it is told again", () => told.length === 2);
    ending.abort();
    expect(await taken).to.equal(false);
    await follower.close();
  });
});
