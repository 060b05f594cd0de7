import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type ReleaseOrder, ReleaseSchedule } from "../../../src/jobs/releases/release-schedule.ts";
import type { Sealed } from "../../../src/releases/seal.ts";
import { openSource } from "../../../src/releases/source.ts";
import { parseTrust } from "../../../src/releases/trust.ts";
import { checkReleases } from "../../../src/releases/verify.ts";
import { ProviderTerms } from "../../../src/store/write/provider-terms.ts";
import type { Reports, SealFacts } from "../../../src/values/event-facts.ts";
import { dayMs, hourMs, secondMs } from "../../../src/values/time/calendar.ts";
import { metricsOf } from "../../ops/traffic.ts";
import { initRoot } from "../../releases/signer.ts";
import { TestClock } from "../../support/clock.ts";
import { temporaryFolder } from "../../support/files.ts";
import { MarketFile } from "../../support/market-file.ts";
import { publishOffers } from "../../support/publish.ts";
import { until } from "../../support/until.ts";
import { useWorld } from "../../support/world.ts";

const retention = { count: 24, hours: 24 };

describe("releases of a server", function () {
  this.timeout(30_000);
  const folder = join(temporaryFolder(), "releases");
  const keyPath = join(temporaryFolder(), "release.pem");
  let trust = "";
  before(async () => {
    trust = await initRoot(folder, keyPath);
  });
  const world = useWorld({ fewItems: true, config: { opsPort: 0 }, releases: { folder, keyPath, retention } });

  const check = () => checkReleases(openSource(folder, new AbortController().signal), parseTrust(trust));
  const status = () => world.app.releases!.status;
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${world.app.opsPort}/ready`);
    return [answer.status, await answer.text()];
  };

  it("are sealed at start and after each publication, with metrics", async () => {
    await until("a release", () => status().number === 1);
    expect((await check()).latest.generation?.generation).to.equal("g5");
    publishOffers(world, new Map([[1, 4200]]));
    await until("a release", () => status().number === 2);
    const { latest, bytes } = await check();
    expect([latest.generation?.generation, world.events.counters.get("releases_sealed")]).to.deep.equal(["g6", 2]);
    const metrics = await metricsOf(world);
    const value = (name: string) => metrics.get(name)?.samples[0]?.value;
    expect(value("itemtape_release")).to.equal(2);
    expect(value("itemtape_release_failing")).to.equal(0);
    expect(value("itemtape_release_root_expires_seconds")).to.be.greaterThan(90 * 86_400);
    expect(value("itemtape_release_expires_seconds")).to.be.a("number");
    expect(value("itemtape_release_bytes")).to.be.within(1, bytes);
    expect((await ready())[1]).to.equal("ready\n");
  });

  it("warn in /ready from 90 days before the root expires", async () => {
    const { at } = world.clock;
    for (const [days, text] of [
      [639, ""],
      [641, "root: it expires at 20"],
      [731, "root: it expired at 20"],
    ] as const) {
      world.clock.at = Date.now() + days * dayMs;
      expect((await ready())[1], `${days} days`).to.contain(`ready\n${text}`);
    }
    world.clock.at = at;
  });

  it("report an unusable folder by log, metrics and /ready, then recover", async () => {
    renameSync(folder, `${folder}.kept`);
    writeFileSync(folder, "");
    publishOffers(world, new Map([[1, 4300]]));
    await until("a failure", () => status().failure !== null);
    expect(world.events.counters.get("release_failures")).to.equal(1);
    const [code, text] = await ready();
    expect([code, String(text).split("\n")[0]]).to.deep.equal([200, "ready"]);
    expect(text).to.match(/^releases: failing: .*the folder has no root/m);
    expect((await metricsOf(world)).get("itemtape_release_failing")?.samples[0]?.value).to.equal(1);
    renameSync(`${folder}.kept`, `${folder}.back`);
    renameSync(folder, `${folder}.kept`);
    renameSync(`${folder}.back`, folder);
    world.clock.advance(2 * secondMs);
    await until("a release", () => status().number === 3);
    expect(status().failure).to.equal(null);
    await check();
  });

  it("remain whole without a draft if the server stops during sealing", async () => {
    publishOffers(world, new Map([[1, 4400]]));
    await world.restart();
    expect((await check()).latest.number).to.be.within(3, 4);
    expect(readdirSync(world.folder).filter((name) => name.includes("itemtape-part"))).to.deep.equal([]);
    await until("a release", () => status().number === 4);
    expect((await check()).latest.generation?.generation).to.equal("g8");
  });
});

describe("schedule of releases", () => {
  const sealed: Sealed = {
    isNew: true,
    number: 1,
    generation: null,
    chunks: 1,
    newChunks: 1,
    newBytes: 1,
    manifestBytes: 1,
    bytes: 1,
    pruned: 0,
    unknownTerms: [],
    expiresAt: 1,
    rootExpiresAt: 2,
  };
  let market: MarketFile;
  let clock: TestClock;
  let reported: string[];
  beforeEach(() => {
    market = new MarketFile();
    market.feed("shop", ["shop"], 1);
    clock = new TestClock();
    reported = [];
  });
  afterEach(() => market.remove());

  const verify = (at: number) => market.writer.$client.prepare("UPDATE feeds SET checked_at = ?").run(at);
  const schedule = (seal: (order: ReleaseOrder) => Promise<Sealed | null>) => {
    const events: Reports<SealFacts> = {
      releaseSealed: ({ release }) => void reported.push(`sealed ${release}`),
      releaseFailed: ({ retry_ms }) => void reported.push(`again in ${retry_ms}`),
    };
    const setup = { folder: "", keyPath: "", retention };
    return new ReleaseSchedule({ setup, databasePath: market.path, database: market.reader, clock, events, seal });
  };

  it("signs again every hour without a change", async () => {
    const orders: boolean[] = [];
    const releases = schedule(async ({ signsOnly }) => {
      orders.push(signsOnly);
      return { ...sealed, isNew: !signsOnly };
    });
    for (const ms of [0, 0, hourMs - 1, 1, 1, hourMs]) {
      clock.advance(ms);
      await releases.look();
    }
    expect([orders, releases.status.expiries]).to.deep.equal([[false, true, true], { expiresAt: 1, rootExpiresAt: 2 }]);
  });

  it("seals continuous changes together once they stop, or after five seconds", async () => {
    const releases = schedule(async () => sealed);
    for (let at = 2; at < 6; at += 1) {
      verify(at);
      await releases.look();
    }
    expect(reported).to.deep.equal([]);
    await releases.look();
    await releases.look();
    expect(reported).to.deep.equal(["sealed 1"]);
    for (let at = 6; at < 9; at += 1) {
      verify(at);
      await releases.look();
      clock.advance(2.5 * secondMs);
    }
    expect(reported).to.deep.equal(["sealed 1", "sealed 1"]);
  });

  it("includes changes made during sealing in the next release", async () => {
    const releases = schedule(async () => {
      if (reported.length === 0) verify(7);
      return sealed;
    });
    for (let looks = 0; looks < 6; looks += 1) await releases.look();
    expect(reported).to.deep.equal(["sealed 1", "sealed 1"]);
  });

  it("refuses changed terms of a provider until the change is undone", async () => {
    const terms = new ProviderTerms(market.writer);
    const releases = schedule(async () => {
      if (terms.of("shop")?.redistribution === "not_allowed") throw new Error("not allowed");
      return sealed;
    });
    for (const redistribution of ["allowed", "not_allowed", "allowed"] as const) {
      terms.set("shop", { redistribution });
      clock.advance(2 * secondMs);
      for (let looks = 0; looks < 3; looks += 1) await releases.look();
    }
    expect([reported, releases.status.failure]).to.deep.equal([["sealed 1", "again in 2000", "sealed 1"], null]);
  });

  it("retries a failure with doubled delays, and not during a wait", async () => {
    const releases = schedule(async () => {
      throw new Error("no room");
    });
    for (let looks = 0; looks < 4; looks += 1) await releases.look();
    expect(reported).to.deep.equal(["again in 2000"]);
    expect(releases.status.failure).to.equal("no room");
    for (let looks = 0; looks < 8; looks += 1) {
      clock.advance(secondMs);
      await releases.look();
    }
    expect(reported).to.deep.equal(["again in 2000", "again in 4000", "again in 8000"]);
    await releases.close();
  });
});
