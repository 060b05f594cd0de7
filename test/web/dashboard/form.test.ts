import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import express, { type NextFunction, type Request, type Response } from "express";
import { OwnerReads } from "../../../src/access/owners/owner-reads.ts";
import type { OwnerRefusal } from "../../../src/access/owners/owner-refusal.ts";
import { OwnerWriter } from "../../../src/access/owners/owner-writer.ts";
import { ConcurrencyLimiter } from "../../../src/api/concurrency-limiter.ts";
import { createHttpServer, type HttpServer } from "../../../src/api/server.ts";
import { createEvents } from "../../../src/log/events.ts";
import { type Database, openReader } from "../../../src/store/database.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { originPolicy } from "../../../src/web/dashboard/origin-policy.ts";
import { csrfField, sendPage, sendRefusal } from "../../../src/web/dashboard/page.ts";
import { formOf, SessionGuard } from "../../../src/web/dashboard/session-guard.ts";
import { TestClock } from "../../support/clock.ts";
import { demoFile } from "../../support/kept-files.ts";
import { until } from "../../support/until.ts";

const formMs = 300;
const head = "POST /dashboard/form HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n";

describe("slow form", () => {
  const concurrency = new ConcurrencyLimiter();
  let reader: Database;
  let server: HttpServer;
  let port: number;
  let formsTaken = 0;
  let form: { cookie: string; csrf: string };
  before(async () => {
    const { path } = demoFile();
    reader = openReader(path);
    const [clock, ids] = [new TestClock(), systemIds()];
    const writer = new OwnerWriter({ databasePath: path }, clock);
    const guard = new SessionGuard({
      reads: new OwnerReads(reader),
      writer,
      ids,
      concurrency,
      origins: originPolicy(""),
      formMs,
    });
    const app = express();
    app.use(guard.begin);
    app.get("/dashboard/form", (_req, res) => sendPage(res, { title: "Form", body: csrfField(res) }));
    app.post("/dashboard/form", guard.checkForm, (_req, res) => {
      formsTaken += 1;
      sendPage(res, { title: `it says ${formOf(res).one("says")}`, body: csrfField(res) });
    });
    app.use((error: OwnerRefusal, _req: Request, res: Response, _next: NextFunction) =>
      sendRefusal(res, error.code === "busy" ? 503 : 500, { title: "Refused", text: error.message }),
    );
    server = createHttpServer({
      apiHandler: (_req, _res, next) => next(),
      pages: (req, res, next) => app(req as Request, res as Response, next),
      concurrency,
      clock,
      ids,
      events: createEvents("silent"),
    });
    port = await server.listen("127.0.0.1", 0);
    const text = await (await talk("GET /dashboard/form HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).answer;
    form = {
      cookie: /itemtape_form=\w+/.exec(text)?.[0] ?? "",
      csrf: encodeURIComponent(/value="([^"]+)"/.exec(text)?.[1] ?? ""),
    };
  });
  after(async () => {
    await server.close({ drainMs: 0 });
    reader.$client.close();
  });

  /** `answer` is all text until the connection is closed. */
  const talk = async (bytes: string): Promise<{ socket: Socket; answer: Promise<string> }> => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => undefined);
    const answer = once(socket, "close").then(() => Buffer.concat(chunks).toString());
    await once(socket, "connect");
    socket.write(bytes);
    return { socket, answer };
  };

  it("gets a response with a request id without holding a permit", async () => {
    const { answer } = await talk(`${head}Content-Length: 100\r\n\r\ncsrf=`);
    const text = await answer;
    expect(text).to.match(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(text)
      .to.match(/\r\nX-Request-Id: req_\w+\r\n/)
      .and.to.match(/\r\nConnection: close\r\n/);
    expect(text).to.include("<h1>Too slow</h1>");
    expect({ reads: concurrency.reads, open: concurrency.open }).to.deep.equal({ reads: 0, open: 0 });
  });

  it("is accepted if its last byte arrives in time", async () => {
    const body = `csrf=${form.csrf}&says=hello`;
    const { socket, answer } = await talk(
      `${head}Cookie: ${form.cookie}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    for (const letter of body) socket.write(letter);
    const text = await answer;
    expect(text)
      .to.match(/^HTTP\/1\.1 200 OK\r\n/)
      .and.to.include("it says hello");
  });

  it("is rejected with 503 if no permit is free at its end", async () => {
    const body = `csrf=${form.csrf}&says=late`;
    const { socket, answer } = await talk(
      `${head}Cookie: ${form.cookie}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await until("the head of the form is read", () => concurrency.open === 1 && concurrency.reads === 0);
    const before = formsTaken;
    concurrency.limit({ readsMax: 0, waitingMax: 0 });
    socket.write(body);
    const text = await answer;
    concurrency.limit({ readsMax: 256, waitingMax: 1_024 });
    expect(text).to.match(/^HTTP\/1\.1 503 /);
    expect(formsTaken).to.equal(before);
    expect({ reads: concurrency.reads, open: concurrency.open }).to.deep.equal({ reads: 0, open: 0 });
  });

  it("leaves nothing behind when its sender disconnects", async () => {
    const { socket, answer } = await talk(`${head}Content-Length: 100\r\n\r\ncsrf=`);
    socket.destroy();
    await answer;
    const { answer: next } = await talk(`${head}Content-Length: 100\r\n\r\n`);
    expect(await next).to.include(" 408 ");
    expect({ reads: concurrency.reads, open: concurrency.open }).to.deep.equal({ reads: 0, open: 0 });
  });
});
