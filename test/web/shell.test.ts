import { expect } from "chai";
import type { Page } from "playwright-core";
import { lookedAt } from "../support/axe.ts";
import { Browser, needBrowser, useKey } from "../support/browser.ts";
import { bySize, itLong } from "../support/size.ts";
import { useWorld } from "../support/world.ts";

const paths = bySize({
  // The test of the owner's start page covers the full start page.
  short: ["/market"],
  long: ["/", "/problems", "/problems/rate_limited", "/client/", "/indexes", "/market", "/openables", "/nothing"],
});

describe("page shell", () => {
  const world = useWorld();
  let browser: Browser;
  let page: Page;
  let base: string;
  before(async function () {
    this.timeout(60_000);
    needBrowser(this);
    base = world.base;
    browser = await Browser.open();
    page = await browser.page(`${base}/problems`);
  });
  after(() => browser?.close());

  for (const path of paths) {
    itLong(`fits 360 to 1920 px without serious findings on ${path}`, async () => {
      await page.goto(base + path);
      expect(await lookedAt(page, 360, 390, 1920)).to.deep.equal({
        light: [],
        dark: [],
        wide: { 360: 360, 390: 390, 1920: 1920 },
      });
    });
  }

  it("starts with a skip link, and marks the current place", async () => {
    await page.goto(`${base}/problems`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).to.equal("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).to.equal("content");
    expect(await page.locator("nav [aria-current]").allTextContents()).to.deep.equal(["Docs"]);
  });

  itLong("searches the market from the start page, correcting typing errors", async () => {
    await page.goto(base);
    await page.fill("#q", "karambt doppler");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/market\?/);
    expect(new URL(page.url()).searchParams.get("q")).to.equal("karambt doppler");
    await useKey(page, world.keys.builder);
    await page.waitForSelector("#nearest:not([hidden])");
    expect(await page.textContent("#nearest")).to.equal("Results for karambit doppler");
    await page.click("#nearest-search");
    // The rows of the search before may still be there.
    await page.waitForSelector("#nearest", { state: "hidden" });
    await page.waitForSelector("#rows tr");
    expect(new URL(page.url()).searchParams.get("q")).to.equal("karambit doppler");
    await page.goto(`${base}/problems`);
  });

  itLong("redirects former chart addresses, and reports a missing item", async () => {
    await page.goto(`${base}/charts#item=661&resolution=daily&days=90&sides=ask,bid`);
    await page.waitForURL(/\/items\/661\?range=90d&resolution=daily$/);
    await page.goto(`${base}/items/2147483647`);
    await useKey(page, world.keys.builder);
    await page.waitForSelector("#problem h2");
    expect(await page.getAttribute("#problem a", "href")).to.equal("/problems/item_not_found");
    expect(await page.isVisible("#item")).to.equal(false);
    expect((await fetch(`${base}/items/0`)).status).to.equal(404);
  });

  it("uses this server's font, asks no other origin and logs nothing", async () => {
    expect(
      await page.evaluate("document.fonts.ready.then(() => [...document.fonts].map(({ status }) => status))"),
    ).to.deep.equal(["loaded"]);
    expect(new Set(browser.requests.map((address) => new URL(address).origin))).to.deep.equal(new Set([base]));
    expect(browser.complaints.filter((text) => !/status of 404/.test(text))).to.deep.equal([]);
  });
});
