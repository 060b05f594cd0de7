import { expect } from "chai";
import { schemaFaults } from "../../scripts/contract/answers.ts";
import { type RawAnswer, sendRaw } from "./raw.ts";
import { smallTable } from "./small-table.ts";
import { transportCases } from "./transport-cases.ts";
import { openWorld, type World } from "./world.ts";

const plain = "GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

describe("transport", () => {
  let world: World;
  before(async () => {
    world = await openWorld(smallTable());
  });
  after(() => world.close());

  it("is tried with at least 120 different malformed requests", () => {
    expect(transportCases.length).to.be.at.least(120);
    expect(new Set(transportCases.map(({ title }) => title)).size).to.equal(transportCases.length);
  });

  for (const { title, bytes, expect: expected, detail } of transportCases) {
    it(`ends ${title} in ${expected}, and serves the next connection`, async () => {
      const head = String(bytes).startsWith("HEAD ");
      const { answers, closed, rest } = await sendRaw(world.port, bytes, { head });
      expect(rest).to.equal("");
      if (expected === "close") {
        expect({ answers, closed }).to.deep.equal({ answers: [], closed: true });
      } else {
        expect(answers).to.have.length(1);
        expectProblem(answers[0] as RawAnswer, expected, head);
        if (detail !== undefined)
          expect(JSON.parse(answers[0]?.body ?? "").detail).to.satisfy((message: string) => message.startsWith(detail));
        expect(closed, "closed").to.equal(answers[0]?.headers.get("connection") === "close");
      }
      const next = await sendRaw(world.port, plain);
      expect(next.answers[0]?.status).to.equal(200);
    });
  }

  it("charges no malformed request and reports no internal error", () => {
    expect(world.used()).to.equal(0);
    expect(world.counters.get("internal_errors")).to.equal(undefined);
    expect(world.concurrency.reads + world.concurrency.exports).to.equal(0);
  });

  it("never repeats a credential from the URL", async () => {
    const { answers } = await sendRaw(world.port, `GET /v1/items?itemtape_live_SECRET=1 HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(answers[0]?.body).to.not.contain("SECRET");
  });

  it("closes the connection on doubtful framing, not on a wrong URL", async () => {
    const body = "GET /v1/status HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nGET ";
    expect((await sendRaw(world.port, body)).closed).to.equal(true);
    const two = await sendRaw(world.port, `GET /v1/items/%zz HTTP/1.1\r\nHost: a\r\n\r\n${plain}`, { answers: 2 });
    expect(two.answers.map(({ status }) => status)).to.deep.equal([400, 200]);
  });

  it("lists the allowed methods for a wrong method", async () => {
    for (const [method, path, allow] of [
      ["DELETE", "/v1/items/1", "GET, HEAD"],
      ["GET", "/v1/markets/batch", "POST"],
      ["POST", "/problems", "GET, HEAD"],
      ["GET", "/v1/nothing", undefined],
    ] as const) {
      const { answers } = await sendRaw(world.port, `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(answers[0]?.headers.get("allow"), `${method} ${path}`).to.equal(allow);
    }
  });

  it("serves HTTP/1.0 without a Host", async () => {
    const { answers, closed } = await sendRaw(world.port, "GET /v1/status HTTP/1.0\r\n\r\n");
    expect(answers[0]?.status).to.equal(200);
    expect(closed).to.equal(true);
  });

  it("answers a refused request and the invalid bytes behind it in order", async () => {
    const refused = "GET /v1/usage HTTP/1.1\r\nHost: a\r\n\r\n";
    const { answers, closed } = await sendRaw(world.port, `${refused}no request\r\n\r\n`, { untilClosed: true });
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 400]);
    expect(closed).to.equal(true);
  });

  it("answers each of 1,000 pipelined requests", async () => {
    const { answers } = await sendRaw(world.port, plain.repeat(1000), { answers: 1000 });
    expect(answers).to.have.length(1000);
    expect(answers.every(({ status }) => status === 200)).to.equal(true);
    expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).to.equal(1000);
    expect((await sendRaw(world.port, plain)).answers[0]?.status).to.equal(200);
  });
});

function expectProblem({ status, headers, body }: RawAnswer, code: string, head: boolean): void {
  expect(status).to.equal(code === "endpoint_not_found" ? 404 : 400);
  expect(headers.get("content-type")).to.equal("application/problem+json");
  expect(headers.get("cache-control")).to.equal("no-store");
  expect(headers.get("x-content-type-options")).to.equal("nosniff");
  expect(headers.get("x-request-id")).to.match(/^req_[0-9a-z]{26}$/);
  if (head) return;
  const problem = JSON.parse(body);
  expect(schemaFaults("Problem", problem)).to.deep.equal([]);
  expect(problem.code).to.equal(code);
  expect(problem.request_id).to.equal(headers.get("x-request-id"));
}
