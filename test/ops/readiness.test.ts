import { expect } from "chai";
import { startApp } from "../../src/app.ts";
import { createEvents } from "../../src/log/events.ts";
import { exitCodes, OperatorError } from "../../src/values/failure/operator-error.ts";
import { systemIds } from "../../src/values/ids.ts";
import { lengthenExport, startExport } from "../api/exports.ts";
import { sendRaw } from "../api/raw.ts";
import { until } from "../support/until.ts";
import { useWorld, World } from "../support/world.ts";

describe("operator listener", () => {
  const world = useWorld({ fewItems: true, config: { opsPort: 0 } });

  const ask = async (path: string, method = "GET", port = world.app.opsPort) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return [answer.status, (await answer.text()).trimEnd()];
  };

  it("reports a serving server as live and ready", async () => {
    expect(await ask("/live")).to.deep.equal([200, "live"]);
    expect(await ask("/ready")).to.deep.equal([200, "ready"]);
    expect(await ask("/ready?verbose", "HEAD")).to.deep.equal([200, ""]);
  });

  it("returns 404 and 405 with a hint for other paths and methods", async () => {
    expect(await ask("/v1/status")).to.deep.equal([404, "unknown path; use /live, /ready, /metrics"]);
    expect(await ask("/toString")).to.deep.equal(await ask("/v1/status"));
    expect(await ask("/metrics", "POST")).to.deep.equal([405, "read it with GET"]);
  });

  it("answers only this machine's names on a loopback address", async () => {
    const port = world.app.opsPort!;
    for (const path of ["/live", "/ready", "/metrics"]) {
      const statusFor = async (head: string) =>
        (await sendRaw(port, `GET ${path} HTTP/1.1\r\n${head}\r\n`)).answers[0]?.status;
      for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example", "a b", ""])
        expect(await statusFor(`Host: ${host}\r\n`), host).to.equal(403);
      for (const host of [`127.0.0.1:${port}`, "localhost", "LOCALHOST:1", `[::1]:${port}`, "10.0.0.7"])
        expect(await statusFor(`Host: ${host}\r\n`), host).to.equal(200);
    }
    const { answers } = await sendRaw(port, "GET /live HTTP/1.0\r\n\r\n");
    expect(answers.map(({ status }) => status)).to.deep.equal([200]);
  });

  it("is not ready while a locked file blocks charges", async () => {
    const unlock = world.lockFile();
    const [status, text] = await ask("/ready");
    unlock();
    expect([status, text]).to.deep.equal([503, "not ready: ledger: SQLITE_BUSY: database is locked"]);
    expect(await ask("/ready")).to.deep.equal([200, "ready"]);
  });

  it("is live but not ready while the clock is behind the ledger", async () => {
    const { secret: key } = world.account("builder");
    await world.client.call("listItems", { key });
    world.clock.advance(-3_600_001);
    const found = [await ask("/ready"), await ask("/live")];
    const { status } = await world.client.call("listItems", { key });
    world.clock.advance(3_600_001);
    const reason = "not ready: clock: the machine's clock is behind the ledger's; see `npx itemtape db clock`";
    expect([...found, status]).to.deep.equal([[503, reason], [200, "live"], 503]);
  });

  it("is not ready during draining, then closes its port", async () => {
    lengthenExport(world, 1000);
    const { opsPort } = world.app;
    const stalled = await startExport(world, world.account("builder").secret);
    const restarted = world.restart(20_000);
    await until("it is not ready", async () => (await ask("/ready", "GET", opsPort))[0] === 503);
    expect(await ask("/ready", "GET", opsPort)).to.deep.equal([503, "not ready: draining"]);
    expect(await ask("/live", "GET", opsPort)).to.deep.equal([200, "live"]);
    stalled.cut();
    await restarted;
    expect(await ask("/live", "GET", opsPort).catch(() => "closed")).to.equal("closed");
    expect(await ask("/ready")).to.deep.equal([200, "ready"]);
  });

  it("closes each connection after its response once shutdown is announced", async () => {
    const { secret: key } = world.account("builder");
    expect((await world.client.call("listItems", { key })).headers.get("connection")).to.equal("keep-alive");
    world.app.announceEnd();
    expect(await ask("/ready")).to.deep.equal([503, "not ready: draining"]);
    for (let times = 0; times < 2; times += 1) {
      const { status, headers } = await world.client.call("listItems", { key });
      expect([status, headers.get("connection")]).to.deep.equal([200, "close"]);
    }
    await world.restart();
    expect(await ask("/ready")).to.deep.equal([200, "ready"]);
  });

  it("names the setting and frees the file when its port is occupied", async () => {
    const other = new World({ fewItems: true });
    const config = { host: "127.0.0.1", port: 0, connectionsMax: 8, inFlightMax: 8, opsPort: world.app.opsPort };
    const parts = { config, databasePath: other.path, clock: other.clock, events: createEvents("silent") };
    const refused = await startApp({ ...parts, ids: systemIds() }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(OperatorError);
    expect((refused as OperatorError).exitCode).to.equal(exitCodes.temporary);
    expect((refused as OperatorError).message).to.equal(
      `127.0.0.1:${world.app.opsPort}: the port is in use; choose another with --ops-host and --ops-port`,
    );
    await other.restart();
    expect(other.app.opsPort).to.equal(null);
    await other.stop();
  });
});
