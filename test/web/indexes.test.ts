import { expect } from "chai";
import type { Page } from "playwright-core";
import { levelText } from "../../src/web/indexes/browser/levels.ts";
import { lookedAt } from "../support/axe.ts";
import { Browser, needBrowser, until, useKey } from "../support/browser.ts";
import { itLong } from "../support/size.ts";
import { useWorld } from "../support/world.ts";

type Index = { index_id: string; name: string; value: string };
type Level = { date: string; value: string | null; coverage_pct: string };

describe("index level", () => {
  it("announces the first one until the day on which it is expected", () => {
    const young = { value: null, base_date: "2026-01-15" };
    expect(levelText(young, "2026-01-15")).to.equal("First level on 16 Jan 2026");
    expect(levelText(young, "2026-01-16")).to.equal("First level on 16 Jan 2026");
    expect(levelText(young, "2026-01-17")).to.equal("no level");
    expect(levelText({ ...young, value: "1234.5" }, "2026-01-15")).to.equal("1,234.50");
  });
});

describe("index pages", () => {
  const world = useWorld();
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(60_000);
    needBrowser(this);
    browser = await Browser.open();
    page = await browser.page("about:blank");
  });
  after(() => browser?.close());
  beforeEach(() => {
    // Each test has a minute of requests of its own.
    world.clock.advance(61_000);
    browser.complaints.length = 0;
  });

  const ask = async <T>(path: string) => {
    const headers = { authorization: `Bearer ${world.keys.builder}` };
    return ((await (await fetch(world.base + path, { headers })).json()) as { data: T }).data;
  };
  const open = async (path: string, key: string) => {
    await page.goto("about:blank");
    await page.goto(world.base + path);
    await useKey(page, key);
  };
  const shownLevel = (value: string) =>
    Number(value)
      .toFixed(2)
      .replace(/\B(?=(\d{3})+\.)/g, ",");

  it("list every index with level, changes, a line and a link", async () => {
    const indexes = await ask<Index[]>("/v1/indexes");
    expect(indexes).to.have.length(2);
    await open("/indexes", world.keys.builder);
    await page.waitForSelector("#rows tr");
    const rows = await page.locator("#rows tr").allTextContents();
    for (const [index, { name, value }] of indexes.entries())
      expect(rows[index])
        .to.contain(name)
        .and.to.contain(shownLevel(value))
        .and.match(/[+−]\d+\.\d\d %–[+−]\d/);
    expect(await page.locator("#rows svg.sparkline path").count()).to.equal(2);
    expect(await page.textContent("#rows")).to.not.match(/NaN|undefined/);
    await page.click("text=Knives");
    await page.waitForURL(/\/indexes\/knives-equal$/);
    expect(browser.complaints).to.deep.equal([]);
  });

  it("show level, changes between known days, gaps with causes, and members", async () => {
    const levels = await ask<Level[]>("/v1/indexes/knives-equal/history?from=2025-12-15&to=2026-01-15");
    const byDate = new Map(levels.map((level) => [level.date, level]));
    await open("/indexes/knives-equal", world.keys.builder);
    await page.waitForSelector("#members tr");
    const figures = await page
      .locator("#headline > div")
      .evaluateAll((all) => all.map((one) => [...one.children].map(({ textContent }) => textContent)));
    const last = levels.at(-1)!;
    const change = (date: string) => {
      const pct = (Number(last.value) / Number(byDate.get(date)?.value) - 1) * 100;
      return `${pct < 0 ? "−" : "+"}${Math.abs(pct).toFixed(2)} %`;
    };
    expect(last.date).to.equal("2026-01-14");
    expect(byDate.has("2026-01-07")).to.equal(false);
    expect(figures).to.deep.equal([
      ["Level, 14 Jan 2026", shownLevel(last.value!), ""],
      ["1 day", change("2026-01-13"), ""],
      ["7 days", "–", "no level on 7 Jan 2026"],
      ["30 days", change("2025-12-15"), ""],
      ["Coverage", `${last.coverage_pct} %`, "11 of 11 members"],
    ]);
    await page.click("text=All days as a table");
    await page.waitForSelector("#days tbody tr");
    const days = await page.locator("#days tbody tr").allTextContents();
    expect(days.find((text) => text.startsWith("2026-01-02"))).to.contain("no level: too few priced4 of 10");
    expect(days.find((text) => text.startsWith("2026-01-07"))).to.contain("not calculated");
    expect(days.filter((text) => /^\S{10}[\d,]+\.\d\d/.test(text))).to.have.length(
      levels.filter(({ value }) => value !== null).length,
    );
    expect(await page.locator("#members tr").count()).to.equal(11);
    expect(await page.locator("#members a").first().getAttribute("href")).to.equal("/items/4");
    await page.selectOption("#version", "1");
    await until(page, "document.querySelectorAll('#members tr').length === 10");
    expect(await page.title()).to.equal("Knives · Itemtape");
    await page.setViewportSize({ width: 360, height: 800 });
    const members = page.locator("[aria-labelledby=members-title]");
    expect(await members.evaluate((one) => one.scrollWidth - one.clientWidth)).to.equal(0);
    expect((await members.ariaSnapshot()).match(/columnheader "(?:Item|Weight|Added|Removed)"/g)).to.have.length(4);
    await page.setViewportSize({ width: 1440, height: 900 });
    const looked = await lookedAt(page, 360, 390, 1920);
    expect(looked).to.deep.equal({ light: [], dark: [], wide: { 360: 360, 390: 390, 1920: 1920 } });
    expect(browser.complaints).to.deep.equal([]);
  });

  itLong("keep ranges, percent and logarithmic scale of a chart in the address", async () => {
    await open("/indexes/knives-equal?range=30D&unit=percent", world.keys.builder);
    await page.waitForSelector("#plot canvas");
    const pressed = () => page.locator(".toolbar [aria-pressed=true]").allTextContents();
    expect(await pressed()).to.deep.equal(["30D", "%", "Linear"]);
    await page.click("#scale >> text=Log");
    expect(await pressed()).to.deep.equal(["30D", "Level", "Log"]);
    expect(page.url()).to.match(/\/indexes\/knives-equal\?range=30D&scale=log$/);
    await page.click("#ranges >> text=90D");
    await page.click("#scale >> text=Linear");
    expect(page.url()).to.match(/\/indexes\/knives-equal$/);
    const box = (await page.locator("#plot .u-over").boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + 60);
    await page.mouse.up();
    const button = (await page.locator("#whole").boundingBox())!;
    expect(button.x + button.width, "away from the flags").to.be.below(box.x + box.width / 2);
    await page.click("text=Whole range");
    expect(await page.isVisible("#whole")).to.equal(false);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download CSV")]);
    expect(download.suggestedFilename()).to.match(/^knives_2025-12-15_\d{4}-\d\d-\d\d\.csv$/);
  });

  it("show once when the first level is expected", async () => {
    const base_date = new Date(world.clock.now()).toISOString().slice(0, 10);
    const young = { value: null, base_date, coverage_pct: null, priced_constituent_count: null };
    await page.route("**/v1/indexes?*", async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: Index[] };
      await route.fulfill({ json: { ...answer, data: answer.data.map((one) => ({ ...one, ...young })) } });
    });
    await open("/indexes", world.keys.builder);
    await page.waitForSelector("#rows tr");
    expect(await page.textContent("#first-level")).to.match(/^The first level of new indexes is expected on \d/);
    expect(await page.textContent("#rows")).to.not.match(/no level|First level/);
    await page.unroute("**/v1/indexes?*");
  });

  it("name the command that defines an index in a file without one", async () => {
    await page.route("**/v1/indexes?*", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), data: [] } });
    });
    await open("/indexes", world.keys.builder);
    await page.waitForSelector("#none-yet:visible");
    await page.unroute("**/v1/indexes?*");
    expect(await page.textContent("#found-count")).to.equal("No indexes yet");
    expect(await page.textContent("#none-yet")).to.contain("npx itemtape index define");
    expect(await page.isVisible("#found-table")).to.equal(false);
  });

  itLong("fit 360 to 1,920 px without serious findings in either theme", async () => {
    await open("/indexes", world.keys.builder);
    await page.waitForSelector("#rows tr");
    const looked = await lookedAt(page, 360, 390, 1920);
    expect(looked).to.deep.equal({ light: [], dark: [], wide: { 360: 360, 390: 390, 1920: 1920 } });
  });

  itLong("read levels day by day with the arrow keys", async () => {
    await open("/indexes/knives-equal", world.keys.builder);
    await page.waitForSelector("#plot canvas");
    await page.focus("#plot");
    await page.keyboard.press("Home");
    expect(await page.textContent("#spoken")).to.contain("15 Dec 2025: 1,000.00");
    await page.keyboard.press("ArrowRight");
    expect(await page.textContent("#spoken")).to.contain("16 Dec 2025: ");
  });

  itLong("explain paid plans to a Free key, and name a missing index", async () => {
    await open("/indexes", world.keys.free);
    await page.waitForSelector("#lacking p");
    expect(await page.textContent("#lacking")).to.contain("plan");
    await open("/indexes/no-such-index", world.keys.builder);
    await page.waitForSelector("#problem h2");
    expect(await page.textContent("#problem")).to.contain("no-such-index");
  });
});
