import { expect } from "chai";
import type { Openables } from "../../src/domain/openables.ts";
import type { Reference } from "../../src/domain/reference.ts";
import { dayMs, hourMs, parseDay } from "../../src/values/time/calendar.ts";
import { MarketFile } from "../support/market-file.ts";
import { insertPool } from "../support/pools.ts";
import { referenceOf } from "../support/reference.ts";
import { codeOf } from "./failure-code.ts";
import { type BucketFacts, openablesOf, putBucket } from "./openables-world.ts";

const startOf = (date: string) => parseDay(date)! * dayMs;
const at = startOf("2026-03-04") + 12 * hourMs;
const longest = `z${"-long".repeat(30)}`.slice(0, 120);

describe("openable history", () => {
  let file: MarketFile;
  let openables: Openables;
  let reference: Reference;
  let revisions: string[];

  beforeEach(() => {
    file = new MarketFile();
    for (let itemId = 1; itemId <= 4; itemId += 1) file.item(itemId);
    openables = openablesOf(file.reader);
    reference = referenceOf(file.reader);
    revisions = [3, 4].map((itemId) => pool("first", 1, itemId));
  });
  afterEach(() => file.remove());

  const pool = (slug: string, container: number, itemId: number, state: "active" | "draft" = "active") =>
    insertPool(file.writer, { slug, itemId: container, state, outcomes: [{ itemId, tier: "only", numerator: 1 }] })
      .revisionId!;
  const put = (ts: number, facts: Partial<BucketFacts> = {}) =>
    putBucket(file.writer, { slug: "first", revisionId: revisions[0]!, granularity: "day", ts, ...facts });
  const history = (params: object = {}, now = at, plan: "trader" | "free" = "trader") => {
    const asked = { slug: "first", ...params };
    const query = openables.prepareHistory(asked, { reference, at: now, caller: { plan } });
    return openables.history(query, { reference, at: now });
  };

  it("has stored rows with the revision then in force", () => {
    put(startOf("2026-03-01"), { priceAsOf: startOf("2026-02-28") });
    put(startOf("2026-03-03"), { revisionId: revisions[1]!, expectedValueCents: null, priceAsOf: at - 24 * hourMs });
    file.writer.$client.exec("UPDATE openables SET state = 'retired'");
    const { data, meta } = history();
    expect(data[0]).to.deep.equal({
      kind: "model_snapshot",
      ts: "2026-03-01T00:00:00.000Z",
      recorded_at: "2026-03-01T00:01:00.000Z",
      revision_id: revisions[0],
      revision_number: 1,
      methodology_version: "roi-1",
      provenance: "not_recorded",
      valuation_mode: "steam_gross",
      granularity: "day",
      cost_cents: 20_513,
      expected_value_cents: 100,
      expected_profit_cents: -5,
      return_pct: "95.24",
      profit_chance_pct: "4.0921",
      priced_probability_mass_pct: "99.9283",
      price_as_of: "2026-02-28T00:00:00.000Z",
      currency: "USD",
      minor_units: 2,
    });
    expect(data[1]).to.include({
      revision_id: revisions[1],
      revision_number: 2,
      expected_value_cents: null,
      expected_profit_cents: null,
      return_pct: null,
      profit_chance_pct: null,
    });
    expect(meta).to.include({
      missing_points: "29 of 31 days absent: 2026-02-02/2026-02-28, 2026-03-02, 2026-03-04",
      as_of: "2026-02-28T00:00:00.000Z",
      freshness: "stale",
      timestamp_quality: "source_observed",
    });
    expect(history({ from: "2026-03-03" }).meta.freshness).to.equal("fresh");
  });

  it("never substitutes modes, granularities or methodologies for each other", () => {
    put(startOf("2026-03-01"));
    put(startOf("2026-03-02"), { valuationMode: "cash_ask" });
    put(startOf("2026-03-02") + 6 * hourMs, { granularity: "hour" });
    put(startOf("2026-03-03"), { methodologyVersion: "roi-0", valuationMode: "cash_ask" });
    const reported = (params: object) =>
      history(params).data.map((row) =>
        [row.ts, row.valuation_mode, row.granularity, row.methodology_version].join(" "),
      );
    expect(reported({})).to.deep.equal(["2026-03-01T00:00:00.000Z steam_gross day roi-1"]);
    expect(reported({ valuation_mode: "cash_ask" })).to.deep.equal(["2026-03-02T00:00:00.000Z cash_ask day roi-1"]);
    expect(reported({ granularity: "hour" })).to.deep.equal(["2026-03-02T06:00:00.000Z steam_gross hour roi-1"]);
    expect(reported({ granularity: "hour", valuation_mode: "cash_ask" })).to.deep.equal([]);
    expect(reported({ methodology_version: "roi-1" })).to.deep.equal(reported({}));
    expect(reported({ methodology_version: "roi-0" })).to.deep.equal([]);
    expect(reported({ methodology_version: "roi-0", valuation_mode: "cash_ask" })).to.have.length(1);
  });

  it("refuses a methodology without calculations, except the current one", () => {
    put(startOf("2026-03-01"), { methodologyVersion: "roi-0" });
    pool("other", 2, 3);
    expect(codeOf(() => history({ methodology_version: "roi-2" }))).to.equal("unknown_methodology_version");
    expect(codeOf(() => history({ slug: "other", methodology_version: "roi-0" }))).to.equal(
      "unknown_methodology_version",
    );
    expect(history({ slug: "other", methodology_version: "roi-1" }).data).to.deep.equal([]);
    expect(codeOf(() => history({ methodology_version: "roi-2" }, at, "free"))).to.equal(null);
  });

  it("lists missing past scheduled hours; other rows fill none", () => {
    const midnight = startOf("2026-03-04");
    for (const hour of [-18, -6, 0, 7]) put(midnight + hour * hourMs, { granularity: "hour" });
    const missing = (now: number, from = "2026-03-03") =>
      history({ granularity: "hour", from, to: "2026-03-04" }, now).meta.missing_points;
    expect(missing(at)).to.equal(
      "4 of 7 hours absent: 2026-03-03T00:00Z, 2026-03-03T12:00Z, 2026-03-04T06:00Z/2026-03-04T12:00Z",
    );
    expect(missing(at - 1)).to.match(/^3 of 6 hours absent: /);
    expect(missing(midnight + 5 * hourMs, "2026-03-04")).to.equal("none");
    expect(history({ granularity: "hour" }).meta).to.include({ resolution: "hour", from: "2026-02-02" });
    expect(history({ granularity: "hour" }).data).to.have.length(4);
  });

  it("lists consecutive missing hours as one range, however long", () => {
    const missing = () => history({ granularity: "hour", from: "2026-02-02", to: "2026-03-04" }).meta.missing_points;
    expect(missing()).to.equal("123 of 123 hours absent: 2026-02-02T00:00Z/2026-03-04T12:00Z");
    put(startOf("2026-02-20"), { granularity: "hour" });
    put(startOf("2026-02-25") + 7 * hourMs, { granularity: "hour" });
    expect(missing()).to.equal(
      "122 of 123 hours absent: 2026-02-02T00:00Z/2026-02-19T18:00Z, 2026-02-20T06:00Z/2026-03-04T12:00Z",
    );
  });

  it("has pages equal to the whole window, each with all gaps", () => {
    for (let day = startOf("2026-02-25"); day <= startOf("2026-03-04"); day += dayMs) {
      put(day);
      for (const hour of [0, 6, 12, 13]) put(day + hour * hourMs, { granularity: "hour" });
    }
    for (const granularity of ["day", "hour"]) {
      const whole = history({ granularity });
      expect(whole.data).to.have.length(granularity === "day" ? 8 : 32);
      for (const limit of [1, 2, 3, 5, 8, 32]) {
        const rows: object[] = [];
        for (let params: object = { granularity, limit }, now = at; ; now = at + 13 * hourMs) {
          const { data, meta } = history(params, now);
          rows.push(...data);
          expect([meta.from, meta.to]).to.deep.equal(["2026-02-02", "2026-03-04"]);
          if (granularity === "day") expect(meta.missing_points).to.equal(whole.meta.missing_points);
          if (meta.next_page === null) break;
          params = { limit, after: meta.next_page };
        }
        expect(rows).to.deep.equal(whole.data);
      }
    }
  });

  it("restores omitted filters from a cursor and refuses different ones", () => {
    const filters = {
      methodology_version: "roi-0",
      granularity: "hour",
      valuation_mode: "cash_ask",
      from: "2026-03-01",
    };
    for (const hour of [0, 6]) {
      put(startOf("2026-03-01") + hour * hourMs, {
        granularity: "hour",
        valuationMode: "cash_ask",
        methodologyVersion: "roi-0",
      });
    }
    const after = history({ ...filters, limit: 1 }).meta.next_page!;
    expect(history({ after }).data).to.deep.equal(history(filters).data.slice(1));
    expect(history({ after }).data).to.deep.equal(history({ ...filters, to: "2026-03-04", after }).data);
    for (const other of [
      { methodology_version: "roi-1" },
      { granularity: "day" },
      { valuation_mode: "steam_gross" },
      { from: "2026-03-02" },
      { to: "2026-03-03" },
      { slug: "other" },
    ]) {
      expect(
        codeOf(() => history({ ...filters, after, ...other })),
        JSON.stringify(other),
      ).to.equal("cursor_mismatch");
    }
  });

  it("has windows that include both days and are bounded", () => {
    for (const date of ["2025-03-03", "2025-03-04", "2026-03-04"]) put(startOf(date));
    const year = history({ from: "2025-03-04", to: "2026-03-04" });
    expect(year.data.map(({ ts }) => ts.slice(0, 10))).to.deep.equal(["2025-03-04", "2026-03-04"]);
    expect(codeOf(() => history({ from: "2025-03-03", to: "2026-03-04" }))).to.equal("window_too_large");
    expect(codeOf(() => history({ to: "2026-03-05" }))).to.equal("invalid_range");
    expect(codeOf(() => history({ from: "2026-03-02", to: "2026-03-01" }))).to.equal("invalid_range");
    expect(history({ from: "2025-03-03" }).meta).to.include({ from: "2025-03-03", to: "2025-04-02" });
    expect(history({ to: "2025-03-03" }).meta).to.include({ from: "2025-02-01", to: "2025-03-03" });
  });

  it("fits the longest slug and version into a cursor", () => {
    const methodologyVersion = "v".repeat(60);
    revisions = [pool(longest, 2, 3)];
    for (const day of ["2026-03-01", "2026-03-02"]) put(startOf(day), { slug: longest, methodologyVersion });
    const { meta } = history({ slug: longest, methodology_version: methodologyVersion, limit: 1 });
    expect(meta.next_page!.length).to.be.at.most(512);
  });
});
