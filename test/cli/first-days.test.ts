import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect } from "chai";
import { makeSignInLink } from "../../src/access/owners/sign-in-links.ts";
import { examine } from "../../src/cli/doctor/doctor.ts";
import { defineIndexes } from "../../src/cli/live/market-file.ts";
import { importShippedCatalog } from "../../src/import/catalog/shipped-catalog.ts";
import { publishShippedPools } from "../../src/import/pools/publish-all.ts";
import { Mirror } from "../../src/jobs/mirror/mirror.ts";
import { readMirrorConfig } from "../../src/jobs/mirror/mirror-config.ts";
import { sendingEvents } from "../../src/jobs/mirror/mirror-events.ts";
import { createDatabase } from "../../src/store/file/file.ts";
import { systemIds } from "../../src/values/ids.ts";
import { dayMs, hourMs, minuteMs } from "../../src/values/time/calendar.ts";
import { bearer } from "../faults/child.ts";
import { answer, FeedServer } from "../jobs/mirror/feed-server.ts";
import { runHere } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { temporaryFolder } from "../support/files.ts";
import { describeLong } from "../support/size.ts";
import { type Account, World } from "../support/world.ts";
import { Visitor } from "../web/dashboard/owner-world.ts";
import { alone } from "./broken-setups.ts";

const startAt = Date.UTC(2026, 0, 15, 12);
const caseSlug = "chroma-case";
const caseName = "Chroma Case";
const pages = [
  "/market",
  `/openables/${caseSlug}`,
  "/indexes",
  "/dashboard",
  "/dashboard/portfolios",
  "/dashboard/keys",
];
const renewal = "npx itemtape keys create owner --days 90";

/** A file as `start --live` makes it, its server and its mirror, on a clock that moves by days. */
class LiveDays {
  readonly clock = new TestClock(startAt);
  readonly source = new FeedServer();
  readonly failures: unknown[] = [];
  readonly #made = join(temporaryFolder(), "market.db");
  readonly world = new World({
    clock: this.clock,
    made: this.#made,
    roiSchedule: true,
    valuationSchedule: true,
  });
  names: string[] = [];
  owner!: Account;
  visitor!: Visitor;
  #mirror!: Mirror;

  async begin(): Promise<void> {
    await this.source.start();
    this.source.behave = (...request) => answer(200, this.#body(), { "Content-Encoding": "br" })(...request);
    createDatabase(this.#made, () => undefined);
    await importShippedCatalog(this.#made, { clock: this.clock });
    await publishShippedPools(this.#made, { clock: this.clock });
    const rows = this.world.sql(
      `SELECT DISTINCT market_hash_name AS name FROM items WHERE item_id % 64 = 0 OR market_hash_name = ? OR item_id IN
        (SELECT pool_outcomes.item_id FROM pool_outcomes JOIN openables USING (revision_id) WHERE slug = ?)`,
      caseName,
      caseSlug,
    );
    this.names = rows.map(({ name }) => String(name));
    await this.poll();
    await defineIndexes(this.world.path, this.clock);
    await this.world.restart();
    this.owner = this.world.account("quant", "owner");
    this.visitor = new Visitor(this.world, "owner");
    const { path, token } = this.world.change((database) =>
      makeSignInLink(
        { database, clock: this.clock, ids: systemIds() },
        { host: "127.0.0.1", publicUrl: "" },
        this.owner,
      ),
    );
    await this.visitor.get(path.split("#")[0]!);
    await this.visitor.post("/dashboard/sign-in-link", { token });
  }

  /** Moves the clock to a time of a day, with a poll and an owner's read every few days. Runs the jobs at the end. */
  async until(day: number, hour = 12): Promise<void> {
    const end = startAt + day * dayMs + (hour - 12) * hourMs;
    const stepMs = day > 2 ? 5 * dayMs : dayMs;
    while (this.clock.at < end) {
      this.clock.advance(Math.min(stepMs, end - this.clock.at));
      await this.poll();
      await this.visitor.get("/dashboard");
    }
    await this.world.app.roi!.look();
    await this.world.app.valuation!.look();
  }

  async poll(): Promise<void> {
    this.#mirror ??= this.#newMirror();
    await this.#mirror.turn();
    while (this.#mirror.isBehind) {
      this.clock.advance(minuteMs);
      await this.#mirror.write();
    }
    if (this.failures.length > 0) throw new Error(JSON.stringify(this.failures));
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
  async read(path: string): Promise<any> {
    const { status, json } = await this.world.client.send({ method: "GET", target: path, headers: bearer(this.owner) });
    return status === 200 ? json.data : status;
  }

  async doctor(): Promise<string> {
    const none = { ...alone, backups: "" };
    const config = { db: this.world.path, mirrorConfig: this.#config, ...none };
    const bounds = { feedHoursMax: 24, backupHoursMax: 26, freeBytesMin: 1 };
    const keys = (await examine(config, bounds, this.clock.at)).find(({ check }) => check === "keys");
    return JSON.stringify(keys);
  }

  async stop(): Promise<void> {
    await this.world.stop();
    await this.source.stop();
  }

  get #config(): string {
    return join(dirname(this.world.path), "mirror.json");
  }

  #newMirror(): Mirror {
    const source = `http://127.0.0.1:${this.source.port}/v1/items`;
    const feed = { feed: "skinport", adapter: "mapped", mapping: "skinport", source, interval_seconds: 600 };
    writeFileSync(this.#config, JSON.stringify({ feeds: [feed] }));
    const events = sendingEvents(({ event, facts }) => {
      if (["feedFailed", "mirrorFailed", "frameDropped"].includes(event)) this.failures.push({ event, facts });
    });
    return new Mirror(readMirrorConfig(this.#config, {}), {
      databasePath: this.world.path,
      clock: this.clock,
      events,
      signal: new AbortController().signal,
      publishEveryMs: 0,
      chance: () => 0,
      pause: async () => undefined,
    });
  }

  /** The documented body. Each price moves by up to 2 % around its own level. */
  #body(): Buffer {
    const seconds = Math.floor(this.clock.at / 1000);
    const entries = this.names.map((market_hash_name, index) => {
      const moved = 1 + 0.02 * Math.sin(index + this.clock.at / dayMs);
      const price = Math.round((market_hash_name === caseName ? 200 : 300 + index) * moved) / 100;
      const page = `https://skinport.example/item/${index}`;
      const prices = { suggested_price: price, min_price: price, max_price: price, mean_price: price, quantity: 3 };
      const times = { created_at: 1_535_988_253, updated_at: seconds - 60 };
      return { market_hash_name, currency: "USD", item_page: page, market_page: page, ...prices, ...times };
    });
    return brotliCompressSync(JSON.stringify(entries), { params: { 1: 1 } });
  }
}

describeLong("the first hundred days of a live file", function () {
  this.timeout(900_000);
  const live = new LiveDays();
  let itemId: number;
  let portfolio: string;
  before(() => live.begin());
  after(() => live.stop());

  const text = (markup: string) => markup.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  const answersPages = async () => {
    for (const path of [...pages, `/items/${itemId}`, portfolio])
      expect((await live.visitor.get(path)).status, path).to.equal(200);
  };

  it("shows a price, returns and a portfolio on the first day", async () => {
    itemId = Number(live.world.sql("SELECT item_id FROM items WHERE market_hash_name = ?", caseName)[0]!.item_id);
    expect((await live.read(`/v1/items/${itemId}/markets`)).asks[0]).to.include({ provider: "skinport" });
    await live.until(0, 13);
    const openable = await live.read(`/v1/openables/${caseSlug}?valuation_mode=cash_ask`);
    expect(openable.current.cost_cents).to.be.above(400);
    await live.visitor.get("/dashboard/portfolios/new");
    const facts = { name: "Mine", currency: "USD", source: "lowest-ask" };
    portfolio = (await live.visitor.post("/dashboard/portfolios/new", facts)).location!.split("?")[0]!;
    await live.visitor.get(`${portfolio}/import`);
    const lot = { item: caseName, quantity: "2", cost: "1.00", on: "" };
    expect((await live.visitor.post(`${portfolio}/items`, lot)).status).to.equal(303);
    await answersPages();
    expect(await live.read("/v1/indexes")).to.have.length.above(3);
  });

  it("shows index levels, a chart and a value after two completed days", async () => {
    await live.until(2, 1);
    const indexes = await live.read("/v1/indexes");
    for (const index of indexes) expect(Number(index.value), index.index_id).to.be.within(950, 1050);
    const history = await live.read(`/v1/items/${itemId}/history?provider=skinport`);
    const days = history.map(({ date, complete }: { date: string; complete: boolean }) => [date, complete]);
    expect(days).to.deep.equal([
      ["2026-01-15", true],
      ["2026-01-16", true],
    ]);
    expect(text((await live.visitor.get(portfolio)).text)).to.include("Value $4.06 Cost $2.00 Difference +$2.06 1 lot");
  });

  it("serves pages on day 31 without a warning about the key", async () => {
    await live.until(31);
    await answersPages();
    expect(await live.doctor()).to.include('"status":"ok"');
    expect((await live.visitor.get("/dashboard")).text).to.not.include('id="key-end"');
  });

  it("announces the end of the key from 14 days before", async () => {
    await live.until(75);
    expect(await live.doctor()).to.include('"status":"ok"');
    await live.until(77);
    expect(await live.doctor())
      .to.include("ends on 2026-04-15")
      .and.include(renewal);
    expect((await live.visitor.get("/dashboard")).text).to.include("ends on 15 Apr 2026");
  });

  it("refuses the expired key on day 100, with the command for another", async () => {
    await live.until(100);
    await answersPages();
    expect(await live.doctor())
      .to.include("ended on 2026-04-15")
      .and.include(renewal);
    expect((await live.visitor.get("/dashboard")).text).to.include("ended on 15 Apr 2026");
    const asked = await price();
    expect([asked.code, asked.notes.join()]).to.satisfy(
      ([code, notes]: [number, string]) => code === 77 && notes.includes(renewal),
    );
    live.owner = { ...live.owner, ...live.world.keysOf((keys) => keys.create(live.owner.accountId, "new", 90)) };
    expect((await price()).lines.join()).to.include("$");
    expect(await live.doctor()).to.include('"status":"ok"');
  });

  const price = () =>
    runHere(["price", caseName, "--url", live.world.base], { env: { ITEMTAPE_API_KEY: live.owner.secret } });
});
