import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { problems } from "../../src/api/problems.ts";
import { loadContract } from "../../src/contract/document.ts";
import { lengthenExport, startExport } from "../api/exports.ts";
import { until } from "../support/until.ts";
import { useWorld, type World } from "../support/world.ts";
import { type Counts, metricsOf, metricsText, partOf, Traffic, total, values } from "./traffic.ts";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

describe("the metrics of a running server", () => {
  const world = useWorld({ fewItems: true, config: { opsPort: 0 } });
  const traffic = new Traffic(world);
  let chargedBefore: Counts;

  before(async () => {
    chargedBefore = chargesOf(world);
    await traffic.send();
    await until("every answer is counted", async () => {
      return total(await metricsOf(world), "itemtape_requests_total") === sum(traffic.answers);
    });
  });

  it("count requests by operation and status, and refusals by code", async () => {
    const metrics = await metricsOf(world);
    expect(values(metrics, "itemtape_requests_total", "operation", "status")).to.deep.equal(traffic.answers);
    expect(nonZero(values(metrics, "itemtape_refusals_total", "code"))).to.deep.equal(traffic.refusals);
    expect(Object.keys(traffic.refusals)).to.include.members([
      "endpoint_not_found",
      "insufficient_scope",
      "invalid_api_key",
      "invalid_parameter",
      "item_not_found",
      "plan_upgrade_required",
      "rate_limited",
    ]);
    expect(partOf(metrics, "itemtape_request_duration_seconds", "count")).to.equal(sum(traffic.answers));
  });

  it("count charges by operation and batches by size, as the ledger does", async () => {
    const metrics = await metricsOf(world);
    const charged = Object.entries(chargesOf(world)).map(([name, units]) => [name, units - (chargedBefore[name] ?? 0)]);
    const units = nonZero(Object.fromEntries(charged));
    expect(nonZero(values(metrics, "itemtape_charges_total", "operation"))).to.deep.equal(units);
    expect(Object.keys(units)).to.include.members(["listItems", "getMarketPrices", "streamMarketSnapshot"]);
    // The end of the export's lease is a request as well.
    expect(partOf(metrics, "itemtape_ledger_batch_requests", "sum")).to.equal(sum(units) + 1);
    const commits = partOf(metrics, "itemtape_ledger_batch_requests", "count");
    expect(commits).to.be.greaterThan(0);
    expect(partOf(metrics, "itemtape_ledger_commit_duration_seconds", "count")).to.equal(commits);
    expect(total(metrics, "itemtape_ledger_commit_failures_total")).to.equal(0);
  });

  it("count a failed commit by kind and the refused request by code", async () => {
    const unlock = world.lockFile();
    const { status } = await world.client.call("getUsage", { key: traffic.accounts.trader.secret });
    const refused = await world.client.call("listItems", { key: traffic.accounts.trader.secret });
    unlock();
    expect([status, refused.status]).to.deep.equal([200, 503]);
    const metrics = await metricsOf(world);
    expect(values(metrics, "itemtape_ledger_commit_failures_total", "kind")).to.include({ refused: 1 });
    await until("the refusal is counted", async () => {
      return values(await metricsOf(world), "itemtape_refusals_total", "code").service_unavailable === 1;
    });
  });

  it("count an export as started, under way and then by outcome", async () => {
    const before = await metricsOf(world);
    expect(values(before, "itemtape_exports_ended_total", "outcome")).to.include({ complete: 1, disconnected: 0 });
    expect(total(before, "itemtape_export_items_total")).to.equal(traffic.exportedItems);
    lengthenExport(world, 1000);
    const stalled = await startExport(world, traffic.accounts.builder.secret);
    const during = await metricsOf(world);
    expect(
      ["exports_started_total", "exports_under_way"].map((name) => total(during, `itemtape_${name}`)),
    ).to.deep.equal([2, 1]);
    stalled.cut();
    await until("the export has ended", async () => {
      return values(await metricsOf(world), "itemtape_exports_ended_total", "outcome").disconnected === 1;
    });
    await until("nothing is under way", async () => total(await metricsOf(world), "itemtape_exports_under_way") === 0);
  });

  it("report the file's generation and feed ages by the server's clock", async () => {
    world.clock.advance(60_000);
    const metrics = await metricsOf(world);
    const [{ generation, ingested } = {}] = world.sql(
      "SELECT generation_id AS generation, ingested_at AS ingested FROM generations JOIN market_state ON generation_id = current_generation_id",
    );
    expect(total(metrics, "itemtape_generation")).to.equal(generation);
    expect(total(metrics, "itemtape_generation_age_seconds")).to.equal((world.clock.now() - Number(ingested)) / 1000);
    for (const [name, column] of [
      ["itemtape_feed_checked_age_seconds", "checked_at"],
      ["itemtape_feed_published_age_seconds", "ingested_at"],
      ["itemtape_feed_unchanged_seconds", "ingested_at"],
    ] as const) {
      const ages = world.sql(`SELECT feed, ${column} AS at FROM feeds`).map(({ feed, at }) => {
        return [feed, (world.clock.now() - Number(at)) / 1000];
      });
      expect(values(metrics, name, "feed")).to.deep.equal(Object.fromEntries(ages));
    }
    const [{ saved } = {}] = world.sql("SELECT saved_at AS saved FROM feeds WHERE feed = 'steam'");
    expect(values(metrics, "itemtape_feed_saved_age_seconds", "feed")).to.deep.equal({
      steam: (world.clock.now() - Number(saved)) / 1000,
    });
    const until = world.clock.now() + 5_000;
    world.sql(`UPDATE feeds SET checked_at = NULL, unconfirmed_until = ${until} WHERE feed = 'steam'`);
    expect(values(await metricsOf(world), "itemtape_feed_unconfirmed_seconds", "feed")).to.include({ steam: 5 });
    expect(values(await metricsOf(world), "itemtape_feed_checked_age_seconds", "feed")).to.not.have.property("steam");
  });

  it("report blocking work as an event loop delay of its length", async () => {
    const atLeast50Ms = async () => {
      const { samples } = (await metricsOf(world)).get("itemtape_event_loop_delay_seconds")!;
      const [within, all] = ["0.05", "+Inf"].map((bound) => samples.find(({ labels }) => labels.le === bound)!.value);
      return all! - within!;
    };
    const before = await atLeast50Ms();
    for (const endMs = performance.now() + 200; performance.now() < endMs; );
    await until("the delay is counted", async () => (await atLeast50Ms()) > before);
  });

  it("have only known label values", async () => {
    const known: Record<string, readonly unknown[]> = {
      operation: ["none", ...loadContract().operations.keys()],
      code: Object.keys(problems),
      feed: world.sql("SELECT feed FROM feeds").map(({ feed }) => feed),
      outcome: [
        "complete",
        "disconnected",
        "snapshot_changed",
        "snapshot_interrupted",
        "not_begun",
        "charged",
        "undone",
      ],
      kind: ["refused", "fatal", "unexpected", "done", "failed", "held_back", "caught_up"],
      release: ["0.1.0+1a2b3c4"],
      node: [process.versions.node],
    };
    const patterns: Record<string, RegExp> = {
      status: /^([1-5]\d\d|none)$/,
      le: /^(\d+(\.\d+)?|\+Inf)$/,
      event: /^[a-z_]+$/,
      reason: /^[a-z_]+$/,
      unit: /^(bytes|chunks)$/,
    };
    for (const { name, samples } of (await metricsOf(world)).values()) {
      for (const [label, value] of samples.flatMap(({ labels }) => Object.entries(labels))) {
        const fits = known[label]?.includes(value) ?? patterns[label]?.test(value) ?? false;
        expect(fits, `${name}{${label}="${value}"}`).to.equal(true);
      }
    }
  });

  it("contain no account, key, secret, portfolio, item, openable or request", async () => {
    const text = await metricsText(world.app.opsPort);
    const names = [
      "SELECT account_id FROM accounts",
      "SELECT key_id FROM api_keys",
      "SELECT last_four FROM api_keys",
      "SELECT portfolio_id FROM portfolios",
      "SELECT request_id FROM usage_events",
      "SELECT market_hash_name FROM items",
      "SELECT slug FROM openables",
    ].flatMap((sql) => world.sql(sql).flatMap((row) => Object.values(row).map(String)));
    const secrets = Object.values(traffic.accounts).map(({ secret }) => secret);
    expect(names.length).to.be.greaterThan(300);
    expect([...names, ...secrets].filter((name) => text.includes(name))).to.deep.equal([]);
    expect(text).to.not.match(/acc_|key_[0-9A-Za-z]{8}|pf_|req_|itemtape_(pk|pat)/);
  });
});

describe("the source of the metrics", () => {
  it("loads its library only when the listener is enabled", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const loading = /^import (?!type )[^;]*?"(prom-client|[./]*\/ops\/[^"]+)"|import\("([./]*\/ops\/[^"]+)"\)/gm;
    const loads = files
      .filter((name) => !name.startsWith("ops"))
      .flatMap((name) =>
        Array.from(readFileSync(join(source, name), "utf8").matchAll(loading), ([found]) => `${name}: ${found}`),
      );
    expect(loads).to.deep.equal(['app.ts: import("./ops/ops.ts")']);
  });
});

function sum(counts: Counts): number {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}

function nonZero(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

function chargesOf(world: World): Counts {
  const rows = world.sql("SELECT operation, count(*) AS units FROM usage_events GROUP BY operation");
  return Object.fromEntries(rows.map(({ operation, units }) => [operation, Number(units)]));
}
