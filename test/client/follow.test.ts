import { request } from "node:http";
import { expect } from "chai";
import { digestsOf } from "../../src/client/digest.ts";
import { ItemtapeError, type Market } from "../../src/client/index.ts";
import { publishOffers } from "../support/publish.ts";
import { isLongRun } from "../support/size.ts";
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
import { problem, send, TimedClient, thrownBy, useScriptedServer } from "./scripted-server.ts";
import { streamed } from "./streams.ts";

const nextOf = async (market: AsyncIterator<Market, void>) => (await market.next()).value as Market;

describe("copy that follows the market of the real service", () => {
  const service = new FollowedService({ fewDays: true });
  const { world } = service;
  let cents: ReadonlyMap<number, number>;
  before(() => {
    const rows = world.sql("SELECT item_id FROM items WHERE in_catalog = 1 ORDER BY item_id");
    cents = new Map(rows.map((row) => [Number(row.item_id), 1000 + Number(row.item_id)]));
    world.clock.at += 300_000;
    publishOffers(world, cents);
  });

  for (const [share, percent] of [
    [1, 3],
    [15, 18],
  ] as const) {
    it(`sends at most ${percent} % of an export for ${share} % of items`, async () => {
      const { data: held } = await service.api.getCurrentGeneration();
      world.clock.at += 300_000;
      cents = new Map([...cents].map(([id, amount], index) => [id, index % 100 < share ? amount + 1 : amount]));
      publishOffers(world, cents);
      for (const encoding of ["identity", "gzip"]) {
        const whole = await bytesOf("/v1/markets/snapshot", null, encoding);
        const body = JSON.stringify({ generation: held.generation, identity_digest: held.identity_digest });
        const changes = await bytesOf("/v1/markets/changes", body, encoding);
        const part = (100 * changes.body.length) / whole.body.length;
        expect(part, `${encoding}: ${changes.body.length} of ${whole.body.length}`).to.be.within(share / 2, percent);
      }
    });
  }

  /** The bytes of a response as received. */
  function bytesOf(path: string, body: string | null, encoding: string): Promise<{ body: Buffer }> {
    return new Promise((resolve, reject) => {
      const type = body === null ? {} : { "content-type": "application/json" };
      const headers = { authorization: `Bearer ${service.account.secret}`, "accept-encoding": encoding, ...type };
      const sent = request(world.base + path, { method: "POST", headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ body: Buffer.concat(chunks) }));
      });
      sent.on("error", reject);
      sent.end(body ?? undefined);
    });
  }
});

// Each step stages all quotes again, and needs only few of them.
describe(`copy that follows a market of ${isLongRun ? "many" : "few"} items`, () => {
  const service = new FollowedService(isLongRun ? { fewDays: true } : { fewItems: true });

  it("equals the export at each step of a day of changes", async () => {
    const before = service.starts("streamMarketChanges");
    service.publish(40, 1000);
    const market = service.following();
    let copy = await nextOf(market);
    expect(copy.changes).to.equal(null);
    await service.isTrue(copy);
    const first = copy;
    const kept = digestsOf(first.items.values());
    const [unquoted] = service.world.sql(
      `SELECT item_id FROM items WHERE in_catalog = 1 AND item_id NOT IN (SELECT item_id FROM best_asks) LIMIT 1`,
    );
    const gone = [Number(unquoted?.item_id), 40];
    const steps = [
      () => service.publish(40, 1001),
      ...(isLongRun ? [() => service.rename(" A"), () => service.publish(7, 1002)] : []),
      () => service.rename(" A", gone),
      ...(isLongRun ? [() => service.rename(" B", gone.slice(1))] : []),
      () => service.rename("", []),
      () => service.publish(200, 1003),
    ];
    for (const step of steps) {
      step();
      copy = await nextOf(market);
      const { items, removed } = copy.changes!;
      expect(items.length + removed.length, `${step}`).to.be.greaterThan(0);
      await service.isTrue(copy);
    }
    await market.return?.();
    expect(digestsOf(first.items.values()), "a market that was handed over stays as it is").to.deep.equal(kept);
    expect(service.starts("streamMarketChanges") - before).to.equal(1 + steps.length);
  });

  it("continues after a pause without an export; a new copy needs one", async () => {
    service.publish(50, 1999);
    const market = service.following();
    const slept = await nextOf(market);
    await market.return?.();
    const changed = Array.from({ length: 4 }, (_, step) => service.publish(50, 2000 + step));
    const before = service.starts("streamMarketSnapshot");
    const woken = await nextOf(service.following(slept));
    expect(service.starts("streamMarketSnapshot")).to.equal(before);
    expect(woken.changes?.items).to.have.lengthOf(changed.at(-1)!);
    await service.isTrue(woken);
    // A generation that the service has dropped.
    const other = await nextOf(service.following({ ...slept, generation: "g1" }));
    expect(other.changes).to.equal(null);
    await service.isTrue(other);
  });
});

describe("copy that follows a misbehaving service", () => {
  const server = useScriptedServer();

  const asked = () => server.requests.map(({ line }) => line.split("/").at(-1)!.split("?")[0]);

  it("requests changes by generation and identity, after a wait for the generation", async () => {
    server.play(exportOf("g5", held), nothing(from), current(from), current(to), streamed(textOfAll(whole)));
    const client = new TimedClient(server.base);
    const market = client.api.follow();
    const first = (await market.next()).value!;
    expect(first).to.deep.include({ generation: "g5", digest: from.digest, identityDigest: from.identity_digest });
    const second = (await market.next()).value!;
    expect([...second.items.values()]).to.deep.equal(later);
    expect(second.changes).to.deep.equal({ items: [1, 5], removed: [4] });
    expect([...first.items.values()]).to.deep.equal(held);
    await market.return();
    expect(asked()).to.deep.equal(["snapshot", "changes", "current", "current", "changes"]);
    expect(server.requests[2]?.line).to.match(/current\?after=g5&wait_seconds=30$/);
    expect(JSON.parse(server.requests[4]!.body)).to.deep.equal({
      generation: "g5",
      identity_digest: from.identity_digest,
    });
    // After an immediate response without news the client waits before the next request.
    expect(client.waits).to.deep.equal([1000]);
  });

  it("requests changes once per pause, without waiting requests", async () => {
    server.play(exportOf("g5", held), nothing(from), nothing(from), nothing(from), streamed(textOfAll(whole)));
    const client = new TimedClient(server.base);
    const market = client.api.follow({ pauseMs: 300_000 });
    await market.next();
    expect((await market.next()).value).to.deep.include({ generation: "g6", changes: { items: [1, 5], removed: [4] } });
    expect(asked()).to.deep.equal(["snapshot", "changes", "changes", "changes", "changes"]);
    expect(client.waits).to.deep.equal([300_000, 300_000, 300_000]);
    await market.return();
    for (const pauseMs of [0, 999, 86_400_001, 1500.5, "300000", Number.NaN]) {
      const bad = client.api.follow({ pauseMs: pauseMs as number });
      expect(await thrownBy(bad.next())).to.have.property(
        "message",
        "pauseMs: must be a whole number of ms from 1000 to 86400000",
      );
    }
  });

  for (const [what, lie, streams = 1] of lies) {
    it(`is unchanged if a stream of changes ${what}, and uses an export`, async () => {
      const again = Array.from({ length: streams }, () => streamed(lie));
      server.play(exportOf("g5", held), nothing(from), current(to), ...again, exportOf("g6", later), nothing(to));
      const market = new TimedClient(server.base).api.follow();
      const first = (await market.next()).value!;
      const second = (await market.next()).value!;
      await market.return();
      expect([...first.items.values()]).to.deep.equal(held);
      expect([...second.items.values()]).to.deep.equal(later);
      expect(second.changes).to.equal(null);
      const repeated = again.map(() => "changes");
      expect(asked()).to.deep.equal(["snapshot", "changes", "current", ...repeated, "snapshot", "changes"]);
      expect(server.script).to.deep.equal([]);
    });
  }

  for (const code of ["generation_not_found", "changes_too_large"]) {
    it(`exports again after ${code}, and ends with it after three exports`, async () => {
      const refused = problem(404, code);
      server.play(exportOf("g5", held), nothing(from), current(to), refused, exportOf("g6", later), nothing(to));
      const market = new TimedClient(server.base).api.follow();
      await market.next();
      expect((await market.next()).value).to.include({ generation: "g6" });
      const round = [exportOf("g5", held), refused];
      server.play(...round, ...round, ...round);
      const client = new TimedClient(server.base);
      expect(await thrownBy(client.api.follow().next()))
        .to.be.instanceOf(ItemtapeError)
        .with.property("code", code);
      expect(client.waits).to.deep.equal([1000, 2000]);
      expect(asked()).to.have.length(6);
    });
  }

  it("retries a refusal by the client's rules, then ends with it", async () => {
    const busy = problem(429, "changes_busy", { "retry-after": "2" });
    server.play(exportOf("g5", held), busy, nothing(from));
    const client = new TimedClient(server.base);
    expect((await client.api.follow().next()).value).to.include({ generation: "g5" });
    expect(client.waits).to.deep.equal([2000]);
    server.play(problem(403, "plan_required"));
    expect(await thrownBy(client.api.follow().next())).to.include({ status: 403 });
    expect(asked()).to.deep.equal(["snapshot"]);
  });

  it("waits and reports as long as the service asks for a permit", async () => {
    server.play(...staysTaken);
    const client = new TimedClient(server.base);
    const market = client.api.follow();
    expect((await market.next()).value).to.include({ generation: "g5" });
    expect((await market.next()).value).to.include({ generation: "g6" });
    await market.return();
    expect(server.script).to.deep.equal([]);
    expect(client.notices).to.deep.equal(
      staysTakenTold.map(([operationId, code, seconds, attempt]) => {
        return { operationId, status: 429, code, waitMs: seconds * 1000, attempt };
      }),
    );
    expect(client.waits).to.deep.equal(client.notices.map(({ waitMs }) => waitMs));
    const day = { "retry-after": "86401" };
    for (const refusal of [problem(429, "changes_busy", day), problem(429, "snapshot_daily_limit", day)]) {
      server.play(exportOf("g5", held), refusal);
      expect(await thrownBy(client.api.follow().next()), "more than a day").to.include({ status: 429 });
    }
    server.play(exportOf("g5", held), ...Array.from({ length: 8 }, () => problem(429, "changes_busy")), nothing(from));
    const unnamed = new TimedClient(server.base, { retry: { attemptsMax: 1 } });
    expect((await unnamed.api.follow().next()).value).to.include({ generation: "g5" });
    expect(unnamed.waits).to.deep.equal([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 32_000]);
  });

  it("throws the refusal if it is not to wait for a permit", async () => {
    server.play(exportOf("g5", held), problem(429, "changes_busy", { "retry-after": "119" }));
    const client = new TimedClient(server.base);
    const thrown = await thrownBy(client.api.follow({ refusals: "throw" }).next());
    expect(thrown).to.include({ code: "changes_busy", retryAfterMs: 119_000 });
    expect(client.waits).to.deep.equal([]);
    const wrong = client.api.follow({ refusals: "never" as "throw" });
    expect(await thrownBy(wrong.next())).to.have.property("message", 'refusals: must be "wait" or "throw"');
  });

  it("retries a broken connection three times with growing pauses, and reports it", async () => {
    server.play(...breaksOff);
    const client = new TimedClient(server.base);
    const market = client.api.follow();
    expect((await market.next()).value).to.include({ generation: "g5" });
    expect((await market.next()).value).to.include({ generation: "g6" });
    await market.return();
    expect(server.script).to.deep.equal([]);
    expect(client.notices).to.deep.equal(
      breaksOffTold.map(([operationId, status, code, seconds, attempt]) => {
        return { operationId, status, code, waitMs: seconds * 1000, attempt };
      }),
    );
    for (const first of [[], [exportOf("g5", held)], [exportOf("g5", held), nothing(from)]]) {
      server.play(...first, gone, gone, gone);
      const broken = client.api.follow();
      if (first.length === 2) await broken.next();
      expect(await thrownBy(broken.next())).to.include({ name: "TransportError", reason: "unreachable" });
      expect(asked()).to.have.length(first.length + 3);
    }
    server.play(exportOf("g5", held), send(200, {}));
    expect(await thrownBy(client.api.follow().next()), "no answer of the contract").to.include({ reason: "broken" });
    expect(asked()).to.have.length(2);
  });

  it("ends with the signal's reason during a wait for a permit", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    server.play(exportOf("g5", held), problem(429, "changes_busy", { "retry-after": "119" }));
    const client = new TimedClient(server.base, { onRetry: () => stop.abort(reason) });
    expect(await thrownBy(client.api.follow({ signal: stop.signal }).next())).to.equal(reason);
    expect(asked()).to.deep.equal(["snapshot", "changes"]);
  });

  it("never goes back to generations, changes or exports of lagging servers", async () => {
    const gone = problem(404, "generation_not_found");
    const behind = problem(503, "service_unavailable", { "retry-after": "3" });
    const last = state("g7", held);
    server.play(exportOf("g6", later), nothing(to), current(from), current(last), behind, nothing(to));
    server.script.push(current(last), gone, exportOf("g5", held), behind, exportOf("g7", held), nothing(last));
    const client = new TimedClient(server.base);
    const market = client.api.follow();
    expect((await market.next()).value).to.include({ generation: "g6" });
    expect((await market.next()).value).to.include({ generation: "g7", changes: null });
    await market.return();
    expect(server.script).to.deep.equal([]);
    expect(asked().join(" ")).to.equal(
      "snapshot changes current current changes changes current changes snapshot g6 snapshot changes",
    );
    server.play(gone, ...Array.from({ length: 3 }, () => [exportOf("g5", held), behind]).flat());
    const items = new Map(later.map((one) => [one.item_id, one]));
    const thrown = await thrownBy(client.api.follow({ since: { generation: "g6", items } }).next());
    expect(thrown).to.include({ name: "ExportError", reason: "changed" });
    expect(thrown).to.have.property("message", "the service has g5 repeatedly, which is older than g6 of the copy");
  });

  it("begins anew with one export if its service was restored", async () => {
    const gone = problem(404, "generation_not_found");
    server.play(exportOf("g6", later), nothing(to), current(from), current(from), current(from), gone);
    server.script.push(gone, exportOf("g5", held), gone, nothing(from));
    const market = new TimedClient(server.base).api.follow();
    const newer = (await market.next()).value!;
    expect((await market.next()).value).to.include({ generation: "g5", changes: null });
    await market.return();
    expect(server.script).to.deep.equal([]);
    server.play(gone, exportOf("g5", held), gone, nothing(from));
    const again = new TimedClient(server.base).api.follow({ since: newer });
    expect((await again.next()).value).to.include({ generation: "g5", changes: null });
    await again.return();
    for (const baseUrl of [undefined, null, "http://elsewhere.example/"]) {
      server.play(gone, exportOf("g5", held), gone);
      const thrown = await thrownBy(new TimedClient(server.base).api.follow({ since: { ...newer, baseUrl } }).next());
      expect(thrown).to.include({ name: "ItemtapeError", code: "generation_not_found" });
    }
  });

  it("reports a lagging service from its third response, and keeps asking", async () => {
    server.play(...staysBehind);
    const client = new TimedClient(server.base);
    const market = client.api.follow();
    await market.next();
    expect((await market.next()).value).to.include({ generation: "g7" });
    await market.return();
    const notice = { operationId: "getCurrentGeneration", status: 200, code: null, waitMs: 1000, behind: "g5" };
    expect(client.notices).to.deep.equal([3, 4].map((attempt) => ({ ...notice, attempt })));
  });

  it("ends with the signal's reason during a wait for a generation", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    server.play(exportOf("g5", held), nothing(from), () => stop.abort(reason));
    const market = new TimedClient(server.base).api.follow({ signal: stop.signal });
    await market.next();
    expect(await thrownBy(market.next())).to.equal(reason);
    expect(await market.next()).to.deep.equal({ value: undefined, done: true });
  });
});
