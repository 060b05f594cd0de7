import { expect } from "chai";
import type { Page } from "playwright-core";
import type { Schema } from "../../../src/contract/types.ts";
import { boundsText } from "../../../src/web/openables/browser/facts.ts";
import { everyFinding } from "../../support/axe.ts";
import { Browser, needBrowser, until, useKey } from "../../support/browser.ts";
import { inkBySlot } from "../../support/ink.ts";
import { itLong } from "../../support/size.ts";
import { World } from "../../support/world.ts";
import { byContribution, byReturn } from "./openables-order.ts";

type Openable = Schema<"Openable">;
type Detail = Schema<"OpenableDetail">;
type Outcome = Schema<"OpenableOutcome">;
type HistoryRow = Schema<"RoiHistoryRow">;

describe("openables page", () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(180_000);
    needBrowser(this);
    world = await World.start();
    browser = await Browser.open();
    page = await browser.page("about:blank");
  });
  after(async () => {
    await browser?.close();
    await world?.stop();
  });
  beforeEach(() => {
    // Each test has a minute of requests of its own.
    world.clock.advance(61_000);
    browser.requests.length = 0;
    browser.complaints.length = 0;
  });

  const ready = () => page.waitForSelector('main[aria-busy="false"]');
  const open = async (rest = "", key = world.keys.builder) => {
    await page.goto("about:blank");
    await page.goto(`${world.base}/openables${rest}`);
    await useKey(page, key);
  };
  /** Opens the list unless its address is unchanged. A test's choices on the list change the address. */
  const openList = async (fragment = "") => {
    if (page.url() === `${world.base}/openables${fragment}` && (await page.isVisible("#rows tr"))) return;
    await open(fragment);
    await ready();
  };
  const ask = async <T>(path: string) => {
    const answer = await fetch(world.base + path, { headers: { authorization: `Bearer ${world.keys.builder}` } });
    return (await answer.json()) as { data: T; meta: { missing_points?: string } };
  };
  const slugs = () => page.locator("#rows tr").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-slug")));
  const row = (slug: string) => page.locator(`#rows tr[data-slug="${slug}"]`);
  const field = (name: string) => page.textContent(`#detail [data-field="${name}"]`);

  it("lists all containers by return, without foreign requests or stored keys", async () => {
    await page.route("**/v1/openables?*", (route) =>
      route.continue({ url: route.request().url().replace("limit=1000", "limit=3") }),
    );
    await open();
    await ready();
    await page.unroute("**/v1/openables?*");
    const { data } = await ask<Openable[]>("/v1/openables?limit=100&valuation_mode=cash_ask");
    const lists = browser.requests.filter((address) => address.startsWith(`${world.base}/v1/openables?`));
    expect(lists).to.have.length(Math.ceil(data.length / 3));
    expect(await page.textContent("#status")).to.equal("");
    expect(await slugs()).to.deep.equal(byReturn(data));
    for (const { slug, current } of data) {
      if (current === null) continue;
      const message = await row(slug).innerText();
      expect(message).to.contain(dollars(current.cost_cents));
      if (current.return_pct !== null) expect(message).to.contain(`${Number(current.return_pct).toFixed(1)} %`);
      else {
        const why = (await row(slug).locator(".why p").textContent()) ?? "";
        expect(why).to.match(/^Too few prices: (chances|[A-Z][a-z]+(-Spec)?( [A-Z][a-z]+)?) \d+ % of \d+ % needed\.$/);
        expect(why.split(/\s+/).length).to.be.at.most(11);
        expect(message).to.contain(dollars(current.expected_value_lower_cents));
      }
      expect(message).to.not.match(/\d\.\d{3}|stale/);
    }
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(kept).to.equal('[{},{},""]');
    expect(page.url()).to.not.contain(world.keys.builder);
    expect(browser.requests.filter((address) => address.includes(world.keys.builder))).to.deep.equal([]);
    const origins = browser.requests.filter((address) => address !== "about:blank").map((one) => new URL(one).origin);
    expect([...new Set(origins)]).to.deep.equal([world.base]);
    expect(browser.complaints).to.deep.equal([]);
  });

  it("shows and draws no zero for an unknown value", async () => {
    await openList();
    const { data } = await ask<Openable[]>("/v1/openables?valuation_mode=cash_ask&limit=100");
    const absent = data.filter(({ current }) => current === null);
    const received = data.filter(({ current }) => current !== null && current.expected_value_cents === null);
    expect(absent).to.not.have.length(0);
    expect(received).to.not.have.length(0);
    for (const { slug } of absent) {
      expect(await row(slug).locator(".why").textContent()).to.contain("No price for the container itself.");
      expect(await row(slug).innerText()).to.not.match(/\$|\d %/);
      expect(await row(slug).locator("svg.worth").count()).to.equal(0);
    }
    for (const { slug } of received) {
      expect(await row(slug).locator("svg.worth .span.none").count(), slug).to.equal(1);
      expect(await row(slug).locator("svg.worth .point").count(), slug).to.equal(0);
    }
    expect(await page.innerText("#rows")).to.not.match(/\$0\.00|(?<![\d.])0 %|NaN|undefined|null/);
    await row(absent[0]!.slug).locator("a").click();
    await page.waitForSelector("#history-note:not(:empty)");
    expect(await page.textContent("#notice")).to.equal("No price for the container itself.");
    expect(await page.locator("#distribution svg, #plots canvas, #worth svg").count()).to.equal(0);
    expect(await page.innerText("#detail")).to.not.match(/\$|NaN|undefined|null/);
  });

  it("states common facts once, and rounds no share to all or nothing", async () => {
    await openList("#mode=steam_gross");
    const { data } = await ask<Openable[]>("/v1/openables?limit=100");
    expect(data.every(({ current }) => current?.stale === true)).to.equal(true);
    expect(await page.textContent("#common"))
      .to.contain("All: price times unknown")
      .and.contain("some outcomes have no price");
    expect(await page.innerText("#rows")).to.not.match(/stale|price time|some outcomes have no price/);
    const rounded = await page.evaluate(`import("/openables/browser/labels.js").then(({ percent }) =>
      ["100.0000", "99.9559", "99.94", "0.0000", "0.0040", "0.2557", "3.1969", "-46.2300", "-0.0100", "154.3210", null].map(percent))`);
    expect(rounded).to.deep.equal([
      "100 %",
      "over 99.9 %",
      "99.9 %",
      "0 %",
      "under 0.01 %",
      "0.26 %",
      "3.2 %",
      "−46.2 %",
      "0.0 %",
      "154.3 %",
      "unknown",
    ]);
  });

  it("filters, sorts and walks the list by keyboard, and restores it", async () => {
    await openList("#mode=steam_gross");
    await page.focus('th button[data-sort="name"]');
    await page.keyboard.press("Enter");
    await page.waitForSelector('th[data-sort="name"][aria-sort="ascending"]');
    const names = await slugs();
    await page.focus("#text");
    await page.keyboard.type("case");
    await page.click("#filters summary");
    await page.selectOption("#state", "retired");
    await until(page, 'document.querySelectorAll("#rows tr").length === 1');
    const [left] = await slugs();
    await page.selectOption("#state", "");
    await page.fill("#text", "");
    await until(page, `document.querySelectorAll("#rows tr").length === ${names.length}`);
    expect(await slugs()).to.deep.equal(names);
    await row(left!).locator("a").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("#detail:not([hidden]) #plots canvas");
    await until(page, 'document.activeElement.id === "title"');
    await page.focus("#distribution");
    await page.keyboard.press("End");
    expect(await page.textContent("#spoken")).to.match(/^No price: \d/);
    await page.focus("#back");
    await page.keyboard.press("Enter");
    await until(page, `document.activeElement.closest("tr")?.dataset.slug === "${left}"`);
    expect(await page.textContent("h1")).to.equal("Openables");
    expect(await slugs()).to.deep.equal(names);
  });

  it("claims a price for every outcome only if each has one", () => {
    const current = (lower: number, upper: number, priced: number) =>
      boundsText({
        expected_value_lower_cents: lower,
        expected_value_upper_cents: upper,
        price_coverage: {
          priced_outcome_count: priced,
          outcome_count: 3,
          priced_outcome_pct: "0",
          lowest_tier_coverage_pct: "0",
        },
      });
    expect(current(10, 10, 3)).to.equal("every outcome has a price");
    expect(current(10, 10, 2)).to.equal("");
    expect(current(10, 110, 2)).to.equal("between $0.10 and $1.10");
  });

  it("shows the API's numbers of a container, with outcomes by contribution", async () => {
    const { data: list } = await ask<Openable[]>("/v1/openables?limit=100");
    const { slug } = list.find(({ current }) => current?.expected_value_cents !== null)!;
    const path = `/v1/openables/${slug}`;
    const { data } = await ask<Detail>(path);
    const { data: outcomes } = await ask<Outcome[]>(`${path}/outcomes?limit=1000`);
    await open(`/${slug}#mode=steam_gross`);
    await ready();
    const current = data.current!;
    expect(await page.title()).to.equal(`${data.name} · Itemtape`);
    // The name heads the page and its figures lead.
    expect(await page.locator("h1").allTextContents()).to.deep.equal([data.name]);
    expect((await page.locator("#lead").boundingBox())!.y).to.be.at.most(260);
    for (const name of ["cost", "expected_value"] as const)
      expect(await field(`${name}_cents`), name).to.equal(dollars(current[`${name}_cents`]!));
    for (const name of ["return_pct", "profit_chance_pct"] as const)
      expect(await field(name), name).to.equal(`${Number(current[name]).toFixed(1)} %`);
    expect(current.priced_probability_mass_pct).to.match(/^99\.9[5-9]/);
    expect(await field("priced_probability_mass_pct")).to.equal("over 99.9 %");
    // The main platform lists nothing above its ceiling.
    expect(current.flags).to.include("above_price_ceiling");
    expect(await page.textContent("#lead"))
      .to.contain(`at least ${dollars(current.expected_value_lower_cents)}, upper bound unknown`)
      .and.contain(`a loss of ${dollars(-current.expected_profit_cents!)} on average`)
      .and.contain("Steam Community Market, ");
    expect(
      await page.locator("#lead").evaluate((lead) => (lead.querySelector("strong")?.clientHeight ?? 0) >= 32),
    ).to.equal(true);
    expect(await field("p95")).to.equal(dollars(current.quantiles!.p95));
    expect(await page.textContent("#notice")).to.contain("Stale: price times unknown.");
    const chance = await page.locator("#distribution .bar:not(.hatched)").count();
    expect(chance).to.be.greaterThan(10);
    await page.click("#outcome-rows summary");
    await page.waitForSelector("#outcomes-table");
    await page.click("text=Show the other");
    const items = page.locator("#outcomes-table tbody tr");
    expect(await items.evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-item"))))).to.deep.equal(
      byContribution(outcomes),
    );
    for (const { probability_pct: odds } of data.pool.tiers)
      expect(await page.textContent("#tiers")).to.contain(`${Number(odds).toFixed(Number(odds) < 1 ? 2 : 1)} %`);
  });

  itLong("redirects an old address to the container, best drops first", async () => {
    await open("#mode=steam_gross&openable=kilowatt-case");
    await ready();
    expect(page.url()).to.equal(`${world.base}/openables/kilowatt-case#mode=steam_gross`);
    const { data } = await ask<Outcome[]>("/v1/openables/kilowatt-case/outcomes?limit=1000");
    const best = data.toSorted((a, b) => (b.value_cents ?? 0) - (a.value_cents ?? 0))[0]!;
    const drop = page.locator("#drops-table tbody tr").first();
    expect(await drop.getAttribute("class")).to.equal("tier-special");
    expect(await drop.locator("a").textContent()).to.equal(
      best.market_hash_name.replace("StatTrak™ ", "").replace(/ \([^)]+\)$/, ""),
    );
    expect(await drop.textContent())
      .to.match(/1 in [\d,]{4,6}\$[\d,.]+ to \$/)
      .and.contain(dollars(best.value_cents!));
    expect(await page.textContent("#tiers")).to.contain("Mil-Spec");
    expect(await page.textContent("#distribution-note")).to.match(/ outcomes are priced\. Log scale\.$/);
    expect(await everyFinding(page)).to.deep.equal([]);
  });

  itLong("shows 50 containers at once, or commands to fill an empty list", async () => {
    const { data, ...rest } = await ask<Openable[]>("/v1/openables?limit=100&valuation_mode=cash_ask");
    const fulfil = async (list: Openable[]) => {
      await page.unroute("**/v1/openables?*");
      await page.route("**/v1/openables?*", (route) => route.fulfill({ json: { ...rest, data: list } }));
      await open();
      await ready();
    };
    await fulfil(Array.from({ length: 60 }, (_, at) => ({ ...data[0]!, slug: `case-${at}`, name: `Case ${at + 10}` })));
    expect(await page.textContent("#found")).to.match(/^Showing 50 of 60 containers, /);
    await page.click("#more");
    expect(await slugs()).to.have.length(60);
    expect(await page.evaluate("document.activeElement.textContent")).to.equal("Case 60");
    expect(await page.isVisible("#more")).to.equal(false);
    await fulfil([]);
    expect(await page.textContent("#found")).to.equal("No containers yet");
    expect(await page.textContent("#none-yet")).to.contain("npx itemtape openables publish --all");
    expect([await page.isVisible("#containers"), await page.isVisible("#more")]).to.deep.equal([false, false]);
    await page.unroute("**/v1/openables?*");
  });

  itLong("lists outcomes without a chance last, as impossible", async () => {
    const [never] = world.sql(
      "SELECT slug, pool_outcomes.item_id FROM openables JOIN pool_outcomes USING (revision_id) WHERE numerator = '0'",
    );
    await open(`/${never?.slug}#mode=steam_gross`);
    await ready();
    expect(await page.textContent("#distribution-note")).to.contain("1 of the pool cannot drop.");
    await page.click("#outcome-rows summary");
    await page.click("text=Show the other");
    const last = page.locator("#outcomes-table tbody tr").last();
    expect(await last.getAttribute("data-item")).to.equal(String(never?.item_id));
    expect(await last.locator("td").allTextContents()).to.include.members(["never", "cannot drop", "–"]);
    expect(await last.innerText()).to.not.match(/unknown|\$/);
  });

  itLong("names the missing hours of a history like the API", async () => {
    const { data: list } = await ask<Openable[]>("/v1/openables?limit=100");
    const { slug } = list.find(({ current }) => current?.expected_value_cents !== null)!;
    await open(`/${slug}#mode=steam_gross&granularity=hour`);
    await page.waitForSelector("#plots canvas");
    const { meta } = await ask<HistoryRow[]>(`/v1/openables/${slug}/history?granularity=hour`);
    const [counted, ranges] = meta.missing_points!.split(": ");
    expect(ranges).to.match(/^2025-12-16T00:00Z\/\S+Z, /);
    expect(await page.textContent("#history-note")).to.contain(`Gaps: ${counted}.`);
    expect(await page.textContent("#gap-list")).to.equal(ranges);
    await page.click("#history-rows summary");
    await page.waitForSelector("#all-rows tbody tr");
    const absent = await page.locator("#all-rows tbody tr.no_row").count();
    expect(counted).to.match(new RegExp(`^${absent} of `));
  });

  itLong("draws a history without a line over a gap", async () => {
    const { data: list } = await ask<Openable[]>("/v1/openables?limit=100");
    const { slug } = list.find(({ current }) => current?.expected_value_cents !== null)!;
    await open(`/${slug}#mode=steam_gross`);
    await page.waitForSelector("#plots canvas");
    const { data: rows } = await ask<HistoryRow[]>(`/v1/openables/${slug}/history`);
    const known = new Set(rows.flatMap(({ ts, expected_value_cents }) => (expected_value_cents === null ? [] : [ts])));
    const days = Array.from({ length: 31 }, (_, day) => new Date(Date.UTC(2025, 11, 16 + day)).toISOString());
    const drawn = days.slice(days.findIndex((ts) => known.has(ts)));
    expect(await page.evaluate(inkBySlot(drawn.length))).to.deep.equal(drawn.map((ts) => known.has(ts)));
    expect(await page.textContent("#history-note")).to.contain("Nothing was recorded before 1 Jan 2026");
    expect(
      await page
        .locator('.strip [data-state="no_row"]')
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-count"))),
    ).to.deep.equal(["1"]);
  });

  it("marks versions of a history and joins none", async () => {
    const [revised] = world.sql("SELECT slug FROM pool_revisions GROUP BY slug HAVING count(*) = 2");
    await open(`/${revised?.slug}#mode=steam_gross`);
    await page.waitForSelector("#plots canvas");
    const { data: rows } = await ask<HistoryRow[]>(`/v1/openables/${revised?.slug}/history`);
    expect(new Set(rows.map(({ revision_number }) => revision_number)).size).to.equal(2);
    expect(await page.textContent("#history-note"))
      .to.contain("revision 1 from")
      .and.contain("revision 2 from");
    expect(await page.textContent("#marks")).to.contain("Upright line");
    await page.click("#history-rows summary");
    await page.waitForSelector("#all-rows tbody tr");
    expect(await page.locator("#all-rows tbody tr:not(.no_row)").count()).to.equal(rows.length);
    expect(await page.textContent("#all-rows")).to.not.match(/\$0\.00|NaN|undefined/);
    const joined = await page.evaluate(`import("/openables/browser/history-points.js").then(({ pointsOf }) => {
      const row = (day, revision_id, methodology_version) => ({ ts: "2026-01-0" + day + "T00:00:00.000Z", revision_id, methodology_version });
      const rows = [row(1, "a", "roi-1"), row(2, "a", "roi-1"), row(3, "b", "roi-1"), row(4, "b", "roi-2"), row(6, "b", "roi-2")];
      const meta = { from: "2026-01-01", to: "2026-01-06", generated_at: "2026-01-07T00:00:00.000Z" };
      return pointsOf("day", meta, rows).map(({ joins }) => joins);
    })`);
    expect(joined).to.deep.equal([false, true, false, false, false, false]);
  });

  it("shows the Free plan's part, and the reason of a refused key", async () => {
    await open("", world.keys.free);
    await page.waitForSelector("#lacking p");
    expect([await page.textContent("#lacking"), await page.textContent("#problem")].join("|")).to.match(
      /Free plan.*\|$/,
    );
    await open("", `itemtape_live_${"x".repeat(36)}`);
    await page.waitForSelector('#problem:has-text("HTTP 401")');
    expect(await page.locator("#controls:disabled").count()).to.equal(1);
  });

  itLong("fits 360 and 1440 px with low rows and uncrossed titles", async () => {
    for (const width of [360, 390, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await open();
      await ready();
      expect(await page.evaluate("document.documentElement.scrollWidth"), `list ${width}`).to.equal(width);
      const heights = await page.locator("#rows tr").evaluateAll((rows) => rows.map((one) => one.clientHeight));
      expect(Math.max(...heights), `rows ${width}`).to.be.lessThan(280);
      await page.locator("#rows a").first().click();
      await page.waitForSelector("#plots canvas");
      const crossed =
        await page.evaluate(`[...document.querySelectorAll("#distribution .panel-title")].filter((title) => {
        const box = title.getBoundingClientRect();
        return [...document.querySelectorAll("#distribution line.mark")].some((line) => {
          const { left } = line.getBoundingClientRect();
          return left > box.left - 2 && left < box.right + 2;
        });
      }).length`);
      expect(crossed, `titles ${width}`).to.equal(0);
      expect(await page.evaluate("document.documentElement.scrollWidth"), `detail ${width}`).to.equal(width);
    }
  });
});

function dollars(cents: number): string {
  return `${cents < 0 ? "−" : ""}$${(Math.abs(cents) / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",")}`;
}
