import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { digestsOf } from "../../src/client/digest.ts";
import { needTool } from "../support/skip.ts";
import {
  breaksOff,
  breaksOffTold,
  current,
  exportOf,
  from,
  gone,
  held,
  later,
  lies,
  nothing,
  state,
  staysBehind,
  staysTaken,
  staysTakenTold,
  textOfAll,
  to,
  whole,
} from "./changes-script.ts";
import { FollowedService } from "./followed-service.ts";
import { PythonClient, type PythonResult, pythonFile } from "./python-client.ts";
import { apiKey, problem, ScriptedServer } from "./scripted-server.ts";
import { streamed } from "./streams.ts";

describe("copy kept by the Python client", () => {
  const service = new FollowedService({ fewItems: true });
  const { world } = service;
  let server: ScriptedServer;
  let python: PythonClient;
  before(async function () {
    needTool(this, "python3", "--version");
    server = await ScriptedServer.start();
    python = new PythonClient();
  });
  after(() => {
    python?.stop();
    server?.stop();
  });

  // A rename publishes nothing that a waiting request would be answered for.
  const ofWorld = async (method: string, since?: string) => {
    const result = await python.call({ base: world.base, key: service.account.secret, method, since, waitSeconds: 0 });
    expect(result.message).to.equal(undefined);
    return result.value;
  };
  const scripted = (method: string, more: object = {}): Promise<PythonResult> =>
    python.call({ base: server.base, key: apiKey, method, ...more });
  const asked = () => server.requests.map(({ line }) => line.split("/").at(-1)!.split("?")[0]);
  const itemsOf = ({ value }: PythonResult) => value.items.map(([, item]: [number, object]) => item);

  const isTrue = async (market: Awaited<ReturnType<typeof ofWorld>>) => {
    const { start, items } = await service.api.exportMarket({ digest: "skip" });
    // Comparing text needs a tenth of the time.
    expect(JSON.stringify(market.items)).to.equal(JSON.stringify(items.map((one) => [one.item_id, one])));
    const { data } = await service.api.getGeneration({ generation: start.generation });
    const { generation, digest, identity_digest, ingested_at } = data;
    expect(market).to.include({ generation, digest, identity_digest, ingested_at });
    expect(digestsOf(items)).to.deep.equal({ digest, identityDigest: identity_digest });
  };

  it("equals the export at each step of publications and renames", async () => {
    service.publish(40, 1000);
    const first = await ofWorld("follow");
    expect(first.changes).to.equal(null);
    await isTrue(first);
    for (const [step, removed] of [
      [() => service.publish(40, 1001), []],
      [() => service.rename(" A ☃", [40]), [40]],
      [() => service.rename(""), []],
    ] as const) {
      step();
      const market = await ofWorld("next");
      expect(market.changes.removed, `${step}`).to.deep.equal(removed);
      expect(market.changes.items.length + removed.length, `${step}`).to.be.greaterThan(0);
      await isTrue(market);
    }
    expect(await ofWorld("first"), "a market that was handed over stays as it is").to.deep.equal(first);
    expect(service.starts("streamMarketChanges")).to.equal(4);
  });

  it("resumes a saved copy without an export, unless its state is unknown", async () => {
    service.publish(50, 2000);
    const { generation } = await ofWorld("follow");
    const changed = service.publish(50, 2001);
    const before = service.starts("streamMarketSnapshot");
    const woken = await ofWorld("follow", generation);
    expect(service.starts("streamMarketSnapshot")).to.equal(before);
    expect(woken.changes.items).to.have.lengthOf(changed);
    await isTrue(woken);
    const other = await ofWorld("follow", "g1");
    expect(other.changes).to.equal(null);
    await isTrue(other);
  });

  it("prints the first market in the guide's sample", async () => {
    const guide = readFileSync(new URL("../../src/web/docs/guides/clients.md", import.meta.url), "utf8");
    const samples = guide.split("```python\n").map((text) => text.split("```")[0]!);
    const program = samples
      .find((text) => text.includes("client.follow("))!
      .replaceAll("http://127.0.0.1:8080", world.base);
    const path = { PYTHONPATH: dirname(pythonFile), PYTHONDONTWRITEBYTECODE: "1" };
    const env = { ...process.env, ...path, ITEMTAPE_API_KEY: service.account.secret };
    const { stdout } = await promisify(execFile)("python3", ["-c", program], { env });
    const { start, end } = await service.api.exportMarket({ digest: "skip" });
    expect(stdout).to.equal(`${start.generation} ${end.items} an export\n`);
  });

  it("requests changes by generation and identity, after a wait for the generation", async () => {
    server.play(exportOf("g5", held), nothing(from), current(from), current(to), streamed(textOfAll(whole)));
    const first = await scripted("follow");
    expect(first.value).to.include({ ...from, changes: null });
    const second = await scripted("next");
    expect(itemsOf(second)).to.deep.equal(later);
    expect(second.value).to.deep.include({ ...to, changes: { items: [1, 5], removed: [4] } });
    expect(itemsOf(await scripted("first"))).to.deep.equal(held);
    expect(asked()).to.deep.equal(["snapshot", "changes", "current", "current", "changes"]);
    expect(server.requests[2]?.line).to.match(/current\?after=g5&wait_seconds=30$/);
    const { generation, identity_digest } = from;
    expect(JSON.parse(server.requests[4]!.body)).to.deep.equal({ generation, identity_digest });
    // After an immediate response without news the client waits before the next request.
    expect(second.waits).to.deep.equal([1]);
  });

  it("requests changes once per pause, without waiting requests", async () => {
    server.play(exportOf("g5", held), nothing(from), nothing(from), streamed(textOfAll(whole)));
    await scripted("follow", { params: { pause_s: 300 } });
    const second = await scripted("next");
    expect(second.value).to.deep.include({ ...to, changes: { items: [1, 5], removed: [4] } });
    expect(asked()).to.deep.equal(["snapshot", "changes", "changes", "changes"]);
    expect(second.waits).to.deep.equal([300, 300]);
    expect(await scripted("follow", { params: { pause_s: 0 } })).to.include({
      error: "ValueError",
      message: "pause_s: must be 0.001 to 86400 seconds",
    });
  });

  it("never goes back if some servers lag behind", async () => {
    const gone = problem(404, "generation_not_found");
    const behind = problem(503, "service_unavailable", { "retry-after": "3" });
    const last = state("g7", held);
    server.play(exportOf("g6", later), nothing(to), current(from), current(last), behind, nothing(to));
    server.script.push(current(last), gone, exportOf("g5", held), behind, exportOf("g7", held), nothing(last));
    expect((await scripted("follow")).value).to.include({ generation: "g6" });
    expect((await scripted("next")).value).to.include({ generation: "g7", changes: null });
    expect(server.script).to.deep.equal([]);
    server.play(gone, ...Array.from({ length: 3 }, () => [exportOf("g5", held), behind]).flat());
    expect(await scripted("follow", { since: "g8" })).to.deep.include({
      error: "ExportError",
      message: "the service has g5 repeatedly, which is older than g8 of the copy",
    });
  });

  it("begins anew with one export if its service was restored", async () => {
    const gone = problem(404, "generation_not_found");
    server.play(exportOf("g6", later), nothing(to), current(from), current(from), current(from), gone);
    server.script.push(gone, exportOf("g5", held), gone, nothing(from));
    expect((await scripted("follow")).value).to.include({ generation: "g6" });
    expect((await scripted("next")).value).to.include({ generation: "g5", changes: null });
    expect(server.script).to.deep.equal([]);
    server.play(gone, exportOf("g5", held), gone);
    expect(await scripted("follow", { since: "g8" })).to.include({ error: "ItemtapeError" });
  });

  it("reports a lagging service from its third response, and keeps asking", async () => {
    server.play(...staysBehind);
    await scripted("follow");
    const { value, notices } = await scripted("next");
    expect(value).to.include({ generation: "g7" });
    const notice = { operation_id: "getCurrentGeneration", status: 200, code: null, wait_s: 1, behind: "g5" };
    expect(notices).to.deep.equal([3, 4].map((attempt) => ({ ...notice, attempt })));
  });

  it("is unaffected by changes that its caller makes to a market", async () => {
    server.play(exportOf("g5", held), nothing(from), current(to), streamed(textOfAll(whole)));
    await scripted("follow");
    expect((await scripted("clear")).value.items).to.deep.equal([]);
    expect(itemsOf(await scripted("next"))).to.deep.equal(later);
    expect(asked()).to.deep.equal(["snapshot", "changes", "current", "changes"]);
  });

  for (const [what, lie, streams = 1] of lies) {
    it(`is unchanged if a stream of changes ${what}, and uses an export`, async () => {
      const again = Array.from({ length: streams }, () => streamed(lie));
      server.play(exportOf("g5", held), nothing(from), current(to), ...again, exportOf("g6", later), nothing(to));
      const first = await scripted("follow");
      const second = await scripted("next");
      expect(second.message).to.equal(undefined);
      expect(await scripted("first")).to.deep.include({ value: first.value });
      expect(itemsOf(first)).to.deep.equal(held);
      expect(itemsOf(second)).to.deep.equal(later);
      expect(second.value.changes).to.equal(null);
      const repeated = again.map(() => "changes");
      expect(asked()).to.deep.equal(["snapshot", "changes", "current", ...repeated, "snapshot", "changes"]);
      expect(server.script).to.deep.equal([]);
    });
  }

  for (const code of ["generation_not_found", "changes_too_large"]) {
    it(`uses an export after ${code}, and ends after three unconfirmed ones`, async () => {
      const refused = problem(404, code);
      server.play(exportOf("g5", held), nothing(from), current(to), refused, exportOf("g6", later), nothing(to));
      await scripted("follow");
      expect((await scripted("next")).value).to.include({ generation: "g6" });
      const round = [exportOf("g5", held), refused];
      server.play(...round, ...round, ...round);
      const { error, facts, waits } = await scripted("follow");
      expect([error, facts?.code, waits]).to.deep.equal(["ItemtapeError", code, [1, 2]]);
      expect(asked()).to.have.length(6);
      expect((await scripted("next")).error).to.equal("StopIteration");
    });
  }

  it("retries a refusal by the client's rules, then ends with it", async () => {
    server.play(exportOf("g5", held), problem(429, "changes_busy", { "retry-after": "2" }), nothing(from));
    const { value, waits } = await scripted("follow");
    expect([value.generation, waits]).to.deep.equal(["g5", [2]]);
    server.play(problem(403, "plan_upgrade_required"));
    expect((await scripted("follow")).facts).to.include({ status: 403, code: "plan_upgrade_required" });
    expect(asked()).to.deep.equal(["snapshot"]);
  });

  it("waits and reports as long as the service asks for a permit", async () => {
    server.play(...staysTaken);
    const first = await scripted("follow");
    expect(first.value).to.include({ generation: "g5" });
    const told = (result: PythonResult) =>
      result.notices.map(({ operation_id: id, code, wait_s, attempt }) => [id, code, wait_s, attempt]);
    const begun = told(first);
    const second = await scripted("next");
    expect(second.value).to.include({ generation: "g6" });
    expect(server.script).to.deep.equal([]);
    expect([...begun, ...told(second)]).to.deep.equal(staysTakenTold);
    server.play(exportOf("g5", held), problem(429, "changes_busy", { "retry-after": "86401" }));
    expect((await scripted("follow")).facts, "more than a day").to.include({ status: 429, code: "changes_busy" });
    server.play(exportOf("g5", held), ...Array.from({ length: 8 }, () => problem(429, "changes_busy")), nothing(from));
    const unnamed = await scripted("follow", { retry: { attempts_max: 1 } });
    expect(unnamed.waits).to.deep.equal([0.5, 1, 2, 4, 8, 16, 32, 32]);
  });

  it("retries a broken connection three times with growing pauses", async () => {
    server.play(...breaksOff);
    const told = (result: PythonResult) =>
      result.notices.map(({ operation_id: id, status, code, wait_s, attempt }) => [id, status, code, wait_s, attempt]);
    const first = await scripted("follow");
    expect(first.value).to.include({ generation: "g5" });
    const second = await scripted("next");
    expect(second.value).to.include({ generation: "g6" });
    expect(server.script).to.deep.equal([]);
    expect([...told(first), ...told(second)]).to.deep.equal(breaksOffTold);
    for (const first of [[], [exportOf("g5", held)], [exportOf("g5", held), nothing(from)]]) {
      server.play(...first, gone, gone, gone);
      if (first.length === 2) await scripted("follow");
      const { error, facts } = await scripted(first.length === 2 ? "next" : "follow");
      expect([error, facts?.reason]).to.deep.equal(["TransportError", "unreachable"]);
      expect(asked()).to.have.length(first.length + 3);
    }
  });

  it("refuses an invalid market before any request", async () => {
    server.play();
    for (const params of [{ since: "g5" }, { since: { generation: "g5", items: {} } }]) {
      const { error, message } = await scripted("follow", { params });
      expect([error, message]).to.deep.equal([
        "TypeError",
        "since: must be a Market, or a MarketCopy of a generation and its items by id",
      ]);
    }
    expect((await scripted("follow", { params: { stream_s: 0 } })).error).to.equal("ValueError");
    expect(server.requests).to.deep.equal([]);
  });
});
