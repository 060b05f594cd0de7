import { expect } from "chai";
import type { Page } from "playwright-core";
import { demoChance } from "../../../src/demo/prices.ts";
import { Browser, needBrowser } from "../../support/browser.ts";
import { inkBySlot } from "../../support/ink.ts";
import { World } from "../../support/world.ts";

type Row = { provider: string | null; side: string; amount: number | null; availability?: string };
type Answer = { data: Row[]; meta: { missing_points: string; from: string; to: string } };

const providers = ["northgate", "steam"];

describe("the charts page", () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(180_000);
    needBrowser(this);
    world = await World.start();
    browser = await Browser.open();
  });
  after(async () => {
    await browser?.close();
    await world?.stop();
  });
  beforeEach(async () => {
    // Each test has a minute of requests of its own.
    world.clock.advance(61_000);
    browser.requests.length = 0;
    browser.complaints.length = 0;
    page = await browser.page(`${world.base}/charts`);
  });
  afterEach(() => page.close());

  const useKey = async (key: string) => {
    await page.fill("#key", key);
    await page.click("text=Use key");
  };
  const drawn = () => page.waitForSelector("#picture:not([hidden]) canvas");
  const open = async (fragment: string, key = world.keys.builder) => {
    await page.goto("about:blank");
    await page.goto(`${world.base}/charts${fragment}`);
    await useKey(key);
    await drawn();
  };
  const hourlyOf = (itemId: number) => `#item=${itemId}&resolution=hourly&days=2&sides=ask,bid&providers=${providers}`;
  const ask = async (path: string, key = world.keys.builder) => {
    const answer = await fetch(world.base + path, { headers: { authorization: `Bearer ${key}` } });
    return (await answer.json()) as Answer;
  };
  /** Points by state, as the card of a series says them. */
  const counted = async (provider: string, side: string) => {
    const marks = page.locator(`#cards [data-provider="${provider}"][data-side="${side}"] [data-cause]`);
    const texts = await marks.evaluateAll((all) =>
      all.map((one) => [one.getAttribute("data-cause") ?? "", /\d+$/.exec(one.textContent ?? "")?.[0] ?? ""]),
    );
    return new Map(texts.map(([cause = "", count]) => [cause, Number(count)]));
  };

  it("a browser unpacks a compressed export to whole records, the last of which counts them", async () => {
    const { coding, lines } = await page.evaluate(async (key) => {
      const answer = await fetch("/v1/markets/snapshot", {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
      });
      const lines = (await answer.text()).trimEnd().split("\n");
      return { coding: answer.headers.get("content-encoding"), lines };
    }, world.keys.builder);
    expect(coding).to.equal("gzip");
    expect(JSON.parse(lines.at(-1)!)).to.include({ type: "end", items: lines.length - 2 });
  });

  it("the charts page finds an item by keyboard and draws it, without a request to another origin", async () => {
    await useKey(world.keys.free);
    await page.waitForSelector("#controls:enabled");
    await page.locator("#item").pressSequentially("ultraviolet");
    await page.waitForSelector("#items [role=option]");
    const name = await page.locator("#items [role=option]").nth(1).textContent();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await page.getAttribute("#item", "aria-activedescendant")).to.equal("option-1");
    await page.keyboard.press("Enter");
    await drawn();
    expect(name).to.contain(await page.textContent("#title"));
    expect(await page.textContent("#status")).to.equal("This chart took 1 request.");
    const origins = new Set(browser.requests.map((address) => new URL(address).origin));
    expect([...origins]).to.deep.equal([world.base]);
    expect(browser.complaints).to.deep.equal([]);
  });

  it("the charts page keeps the key out of the address and every storage, unless the tab may keep it", async () => {
    const key = world.keys.builder;
    await open(hourlyOf(vanishingItem(world)), key);
    const kept = () => page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(await kept()).to.equal('[{},{},""]');
    expect(page.url()).to.not.contain(key);
    expect(await page.inputValue("#key")).to.equal("");
    expect(browser.requests.filter((address) => address.includes(key))).to.deep.equal([]);
    await page.click("#forget");
    await page.check("#keep");
    await useKey(key);
    await drawn();
    expect(await kept()).to.contain(key);
    await page.click("#forget");
    expect(await kept()).to.equal('[{},{},""]');
  });

  it("the charts page counts the gaps of each provider and side by cause like the API", async () => {
    const itemId = vanishingItem(world);
    await open(hourlyOf(itemId));
    const seen = new Set<string>();
    for (const provider of providers) {
      for (const side of ["ask", "bid"]) {
        const { data, meta } = await ask(
          `/v1/items/${itemId}/history/hourly?provider=${provider}&side=${side}&from=2026-01-14&to=2026-01-15&limit=1000`,
        );
        const counts = await counted(provider, side);
        const answered = (state: string) => data.filter(({ availability }) => availability === state).length;
        for (const state of ["quoted", "item_missing", "no_quote"]) {
          expect(counts.get(state) ?? 0, `${provider} ${side} ${state}`).to.equal(answered(state));
        }
        const [, absent, begun] = /^(\d+) of (\d+) hours absent/.exec(meta.missing_points) ?? [];
        expect(counts.get("no_frame"), `${provider} ${side}`).to.equal(Number(absent));
        expect(counts.get("not_begun")).to.equal(48 - Number(begun));
        const marks = page.locator(`.strip [data-provider="${provider}"][data-side="${side}"] [data-cause]`);
        const drawnCounts = await marks.evaluateAll((all) =>
          all.map((mark) => Number(mark.getAttribute("data-count"))),
        );
        expect(drawnCounts.reduce((sum, count) => sum + count, 0)).to.equal(48 - answered("quoted"));
        for (const [state, count] of counts) if (count > 0) seen.add(state);
      }
    }
    expect([...seen]).to.include.members(["quoted", "item_missing", "no_quote", "no_frame", "not_begun"]);
  });

  it("a chart has no line over a gap and no price where there is none", async () => {
    const itemId = vanishingItem(world);
    await open(`#item=${itemId}&resolution=hourly&days=2&sides=ask&providers=steam`);
    const drawnHours = await page.evaluate(inkBySlot(48));
    const { data } = await ask(`/v1/items/${itemId}/history/hourly?provider=steam&from=2026-01-14&to=2026-01-15`);
    const quoted = new Set(
      (data as (Row & { ts: string })[]).flatMap(({ amount, ts }) => (amount === null ? [] : [ts])),
    );
    const hours = Array.from({ length: 48 }, (_, hour) => new Date(Date.UTC(2026, 0, 14, hour)).toISOString());
    expect(drawnHours).to.deep.equal(hours.map((ts) => quoted.has(ts)));
  });

  it("a chart shows each exact row by keyboard and in the table, cents as digits and null never as zero", async () => {
    const itemId = vanishingItem(world);
    await open(`#item=${itemId}&resolution=hourly&days=2&sides=ask&providers=steam`);
    await page.focus(".plot-host");
    await page.keyboard.press("Home");
    const { data } = await ask(`/v1/items/${itemId}/history/hourly?provider=steam&from=2026-01-14&to=2026-01-15`);
    const dollars = `$${(data[0]!.amount! / 100).toFixed(2)}`;
    expect(await page.textContent("#point")).to.contain(dollars);
    expect(await page.textContent("#spoken")).to.equal(
      `14 Jan 2026, 00:00–00:59 UTC: Steam Community Market ask ${dollars}`,
    );
    for (let hour = 0; hour < 10; hour += 1) await page.keyboard.press("ArrowRight");
    expect(await page.textContent("#point"))
      .to.contain("item_missing")
      .and.not.contain("$");
    await page.click("text=All rows as a table");
    await page.waitForSelector("#all-rows tbody tr");
    expect(await page.locator("#all-rows tbody tr").count()).to.equal(48);
    expect(await page.locator("#all-rows tbody tr.quoted").count()).to.equal(
      data.filter((row) => row.amount !== null).length,
    );
    expect(await page.textContent("#all-rows")).to.not.match(/\$0\.00|NaN|undefined/);
  });

  it("a chart of days marks those without an observation and reads page after page", async () => {
    const itemId = vanishingItem(world);
    await page.route("**/history?*", (route) =>
      route.continue({ url: route.request().url().replace("limit=1000", "limit=7") }),
    );
    await page.goto(`${world.base}/charts#item=${itemId}&resolution=daily&days=30&sides=ask&providers=steam`);
    await page.reload();
    await useKey(world.keys.free);
    await drawn();
    const { data, meta } = await ask(`/v1/items/${itemId}/history`, world.keys.free);
    const counts = await counted("steam", "ask");
    expect(counts.get("quoted")).to.equal(data.length);
    expect(counts.get("no_observation")).to.equal(Number(meta.missing_points.split(" ")[0]));
    expect(await page.textContent("#status")).to.equal(`This chart took ${Math.ceil(data.length / 7)} requests.`);
    expect(page.url()).to.contain(`#item=${itemId}&resolution=daily&days=30&sides=ask&providers=steam`);
  });

  it("a chart shows today when the page was open over midnight", async () => {
    const other = await World.start();
    try {
      await page.goto(`${other.base}/charts${hourlyOf(vanishingItem(other))}`);
      await useKey(other.keys.builder);
      await drawn();
      expect(await page.textContent("#subtitle")).to.contain("2026-01-14 to 2026-01-15");
      other.clock.advance(86_400_000);
      await page.click("#draw");
      await page.waitForSelector('#subtitle:has-text("2026-01-15 to 2026-01-16")');
    } finally {
      await other.stop();
    }
  });

  it("the charts page shows why a key is refused and links to the page of the code", async () => {
    await useKey(`itemtape_live_${"x".repeat(36)}`);
    await page.waitForSelector("#problem h2");
    expect(await page.textContent("#problem")).to.contain("HTTP 401");
    expect(await page.getAttribute("#problem a", "href")).to.equal("/problems/invalid_api_key");
    expect(await page.locator("#controls:disabled").count()).to.equal(1);
  });

  it("the charts page explains what the Free plan does not show and offers what it does", async () => {
    await page.goto(`${world.base}/charts${hourlyOf(vanishingItem(world))}`);
    await page.reload();
    await useKey(world.keys.free);
    await page.waitForSelector("#problem h2");
    expect(await page.getAttribute("#problem a", "href")).to.equal("/problems/plan_upgrade_required");
    expect(await page.textContent("#problem"))
      .to.contain("HTTP 403")
      .and.contain("daily asks of the main platform");
    await page.click("text=Chart that instead");
    await drawn();
    expect(await page.textContent("#problem")).to.equal("");
  });

  it("the charts page waits as long as a 429 asks, shows the wait and continues", async () => {
    let refusals = 0;
    await page.route("**/v1/providers*", (route) => {
      refusals += 1;
      if (refusals > 1) return route.continue();
      const problem = {
        type: "/problems/rate_limited",
        title: "Too many requests",
        status: 429,
        code: "rate_limited",
        request_id: "req_1",
      };
      const headers = { "content-type": "application/problem+json", "retry-after": "1" };
      return route.fulfill({ status: 429, headers, body: JSON.stringify(problem) });
    });
    await useKey(world.keys.builder);
    await page.waitForSelector('#status:has-text("going on in 1 s")');
    await page.waitForSelector("#controls:enabled");
    expect(refusals).to.equal(2);
  });

  for (const [width, height] of [
    [1440, 900],
    [360, 800],
  ] as const) {
    it(`the charts page fits ${width} px without scrolling sideways`, async () => {
      await page.setViewportSize({ width, height });
      await open(hourlyOf(vanishingItem(world)));
      expect(await page.evaluate("document.documentElement.scrollWidth")).to.equal(width);
    });
  }
});

/** An item that the main platform offers, but not in every hour of the first recorded day, and another provider as well. */
function vanishingItem(world: World): number {
  const rows = world.sql(
    `SELECT item_id, quotes FROM generation_quotes JOIN items ON item_id = quote_key & 0x7fffffff
     WHERE quotes LIKE '%"steam"%' AND quotes LIKE '%"northgate"%'`,
  );
  const found = rows.find(({ item_id }) => demoChance(`${item_id} vanishes`) < 0.02);
  if (found === undefined) throw new Error("no item of the demo world vanishes");
  return Number(found.item_id);
}
