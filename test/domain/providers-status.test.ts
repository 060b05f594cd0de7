import { expect } from "chai";
import { Providers } from "../../src/domain/providers.ts";
import { type DownloadedRelease, Status } from "../../src/domain/status.ts";
import { MarketStateStore } from "../../src/store/read/market-state.ts";
import { ProvidersStore } from "../../src/store/read/providers.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";
import { MarketFile } from "../support/market-file.ts";
import { referenceOf } from "../support/reference.ts";

const at = Date.UTC(2026, 0, 15, 12);

describe("providers", () => {
  const file = new MarketFile();
  const store = new ProvidersStore(file.reader);
  const providers = new Providers(store);
  const reference = referenceOf(file.reader);

  before(() => {
    file.feed("b", ["zeta", "alpha"], at);
    file.feed("a", ["mid"], null, false);
  });

  after(() => file.remove());

  it("have a null check time for a feed never checked", () => {
    const { data } = providers.list({ after: "alpha", limit: 1 }, reference);
    expect(data).to.deep.equal([
      {
        provider: "mid",
        name: "MID",
        kind: "cash",
        has_asks: true,
        has_bids: false,
        active: false,
        price_ceiling_cents: null,
        last_checked_at: null,
        last_ingested_at: null,
        source_saved_at: null,
        unchanged_since: null,
        terms_url: null,
        terms_read_on: null,
        redistribution: "unknown",
        attribution: null,
      },
    ]);
  });

  it("show a source's save time and last change in the status", () => {
    const [saved, changed] = [at - 2 * dayMs, at - dayMs];
    file.writer.$client.exec(
      `UPDATE feeds SET saved_at = ${saved}, changed_at = ${changed}, ingested_at = ${saved} WHERE feed = 'b'`,
    );
    const expected = {
      last_checked_at: toTimestamp(at),
      source_saved_at: toTimestamp(saved),
      unchanged_since: toTimestamp(changed),
    };
    expect(providers.list({ after: "", limit: 1 }, reference).data[0]).to.include(expected);
    const status = new Status({
      state: new MarketStateStore(file.reader),
      clock: { now: () => at, monotonicMs: () => at },
      release: "0",
      revision: "2026-01-15",
    });
    expect(status.read().data.feeds.find(({ feed }) => feed === "b")).to.include(expected);
  });

  it("refuse a foreign list cursor", () => {
    expect(() => providers.prepareList({ after: "nonsense" }, reference))
      .to.throw(Failure)
      .with.property("code", "invalid_cursor");
  });
});

describe("status", () => {
  let file: MarketFile;
  let clock: { now(): number; monotonicMs(): number };
  let nowMs = at;
  let status: Status;

  beforeEach(() => {
    file = new MarketFile();
    nowMs = at;
    clock = { now: () => nowMs, monotonicMs: () => nowMs };
    status = new Status({
      state: new MarketStateStore(file.reader),
      clock,
      release: "0.1.0+abc",
      revision: "2026-01-15",
    });
  });

  afterEach(() => file.remove());

  it("shows the market as missing, then available, then stale", () => {
    const snapshotState = () => status.read().data.market_snapshot;
    expect(status.read().data).to.deep.equal({
      database: "ok",
      market_snapshot: "missing",
      feeds: [],
      release: "0.1.0+abc",
      contract_revision: "2026-01-15",
      market_release: null,
      known_since: "1970-01-01T00:00:00.000Z",
    });
    file.feed("one", ["steam"], at);
    file.publish(1, at, {});
    nowMs = at + 1000;
    expect(snapshotState()).to.equal("available");
    nowMs = at + dayMs - 1;
    expect(snapshotState()).to.equal("available");
    nowMs = at + dayMs + 1000;
    expect(snapshotState()).to.equal("stale");
  });

  it("is read at most once a second", () => {
    expect(status.read().data.market_snapshot).to.equal("missing");
    file.feed("one", ["steam"], at);
    file.publish(1, at, {});
    nowMs = at + 999;
    expect(status.read().data.market_snapshot).to.equal("missing");
    nowMs = at + 1000;
    expect(status.read().data.market_snapshot).to.equal("available");
  });

  it("names the market's release as available, failing or stale, or null", () => {
    const downloaded = {
      number: 7,
      generation: "g3",
      sealedAt: at - 1000,
      checkedAt: at,
      failure: null,
      isStale: false,
      isExpired: false,
    };
    const released = (release: DownloadedRelease | null) =>
      new Status({
        state: new MarketStateStore(file.reader),
        clock,
        release: "0.1.0+abc",
        revision: "2026-01-15",
        downloaded: () => release,
      }).read().data.market_release;
    const served = { number: 7, generation: "g3", sealed_at: "2026-01-15T11:59:59.000Z" };
    const checked = { checked_at: "2026-01-15T12:00:00.000Z" };
    expect(released(downloaded)).to.deep.equal({ ...served, ...checked, state: "available" });
    expect(released({ ...downloaded, failure: "forged" })).to.deep.equal({ ...served, ...checked, state: "failing" });
    expect(released({ ...downloaded, failure: "forged", isStale: true })?.state).to.equal("stale");
    expect(released({ ...downloaded, isExpired: true })?.state).to.equal("failing");
    expect(released({ ...downloaded, checkedAt: null })?.checked_at).to.equal(null);
    expect(released({ ...downloaded, generation: null })?.generation).to.equal(null);
    expect(released({ ...downloaded, number: null, sealedAt: null }), "none was taken yet").to.equal(null);
    expect(released(null), "the market is the server's own").to.equal(null);
  });

  it("reports an unreadable database instead of failing", () => {
    file.reader.$client.close();
    expect(status.read().data).to.deep.include({ database: "unavailable", market_snapshot: "missing" });
  });
});
