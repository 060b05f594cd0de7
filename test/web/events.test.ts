import { expect } from "chai";
import type { Page } from "playwright-core";
import { DataEvents } from "../../src/store/write/data-events.ts";
import { lookedAt } from "../support/axe.ts";
import { Browser, needBrowser, until, useKey } from "../support/browser.ts";
import { itLong } from "../support/size.ts";
import { demoAt, useWorld } from "../support/world.ts";

describe("page of the log of the data", () => {
  const world = useWorld();
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(60_000);
    needBrowser(this);
    world.change((database) => {
      const log = new DataEvents(database);
      const body = {
        feed: "steam",
        guard: "price_level",
        figure: "asks are 100 times their earlier prices",
        at: demoAt,
      };
      log.refuse({ ...body, bodyDigest: Buffer.alloc(32, 1) });
      log.refuse({ ...body, bodyDigest: Buffer.alloc(32, 1), at: demoAt + 60_000 });
      for (let day = 1; day <= 60; day += 1)
        log.add({
          kind: "days_imported",
          cause: "import",
          at: demoAt,
          day: 20_000 + day,
          provider: "bazaar",
          count: day,
        });
    });
    browser = await Browser.open();
    page = await browser.page("about:blank");
  });
  after(() => browser?.close());
  beforeEach(() => {
    world.clock.advance(61_000);
    browser.complaints.length = 0;
  });

  const open = async (path: string, key = world.keys.builder) => {
    await page.goto("about:blank");
    await page.goto(world.base + path);
    await useKey(page, key);
    await page.waitForSelector("#found:not([hidden])");
  };
  const entries = () => page.locator("#events > li").allTextContents();

  it("shows events by kind and feed, and older ones on demand", async () => {
    await open("/changes");
    expect(await entries()).to.have.length(50);
    await page.click("text=Older events");
    await until(page, "document.querySelectorAll('#events > li').length > 80");
    await page.selectOption("#kind", "body_refused");
    await until(page, "document.querySelectorAll('#events > li').length === 1");
    const [refused] = await entries();
    expect(refused).to.contain("Body refused: price_level").and.contain("steam").and.contain("2 times");
    expect(refused).to.contain("asks are 100 times their earlier prices");
    expect(page.url()).to.equal(`${world.base}/changes?kind=body_refused`);
    await page.selectOption("#feed", "northgate");
    await until(page, "document.querySelector('#found-count').textContent === 'No events'");
    expect(await page.textContent("#since")).to.equal(
      "The log begins on 16 Nov 2025, 12:00 UTC. Earlier gaps and revisions have no entry.",
    );
    await page.goBack();
    await until(page, "document.querySelectorAll('#events > li').length === 1");
    expect(browser.complaints).to.deep.equal([]);
  });

  it("hides figures and values from the Free plan", async () => {
    await open("/changes?kind=body_refused", world.keys.free);
    expect(await page.textContent("#events"))
      .to.contain("price_level")
      .and.not.contain("100 times");
  });

  it("has the entry of each gap that a chart links", async () => {
    await page.goto(`${world.base}/items/4?range=7d&resolution=hourly`);
    await useKey(page, world.keys.builder);
    await page.waitForSelector("#gaps a[href^='/changes']", { state: "attached" });
    const links = await page
      .locator("#gaps a[href^='/changes']")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
    expect(links.length).to.be.greaterThan(1);
    for (const link of [links[0]!, links.at(-1)!]) {
      world.clock.advance(61_000);
      await open(link);
      expect(await entries(), link).to.have.length.at.least(1);
    }
  });

  itLong("fits 360 to 1920 px without serious findings", async () => {
    await open("/changes");
    const looked = await lookedAt(page, 360, 390, 1920);
    expect(looked).to.deep.equal({ light: [], dark: [], wide: { 360: 360, 390: 390, 1920: 1920 } });
  });
});
