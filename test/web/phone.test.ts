import { expect } from "chai";
import type { Page } from "playwright-core";
import { Browser, needBrowser, useKey } from "../support/browser.ts";
import { casesBySize } from "../support/size.ts";
import { useWorld } from "../support/world.ts";

/** All of this item's four providers quote it. */
const item = "/items/2938";
const columns = ["Ask", "Bid", "Spread", "Qty", "Age", "Checked"];

describe("item and container pages on a phone", () => {
  const world = useWorld();
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(60_000);
    needBrowser(this);
    browser = await Browser.open({ width: 390, height: 844 });
    page = await browser.page(world.base + item);
    await useKey(page, world.keys.builder);
    await page.waitForSelector("#provider-rows tr");
  });
  after(() => browser?.close());

  for (const width of casesBySize([360, 390], 1)) {
    it(`show every named quote without sideways scrolling at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 844 });
      expect(
        await page.locator("#provider-table").evaluate((region) => region.scrollWidth - region.clientWidth),
      ).to.equal(0);
      const cells = page.locator("#provider-rows :is(th, td)");
      expect(await cells.count()).to.equal(4 * (1 + columns.length));
      for (const cell of await cells.all()) {
        const { x, width: wide } = (await cell.boundingBox())!;
        expect([x >= 0, x + wide <= width], await cell.innerText()).to.deep.equal([true, true]);
      }
      const named = (await page.evaluate(
        `[...document.querySelectorAll("#provider-rows tr:first-child td")].map((one) => getComputedStyle(one, "::before").content)`,
      )) as string[];
      expect(named.map((content) => /^"(\w+) "/.exec(content)?.[1] ?? null)).to.deep.equal([
        null,
        null,
        "Spread",
        "Qty",
        "Age",
        "Checked",
      ]);
    });
  }

  it("keep quotes a table with column headings for screen readers", async () => {
    const read = await page.locator("#provider-table").ariaSnapshot();
    expect(read).to.match(/^- region "Quotes by provider":\s+- table:/);
    for (const column of ["Provider", ...columns]) expect(read).to.contain(`columnheader "${column}"`);
    expect(read.match(/- rowheader /g)).to.have.length(4);
    expect(read.match(/- cell /g)).to.have.length(4 * columns.length);
  });

  it("show named values of outcomes without scrolling, as tables for screen readers", async () => {
    await page.goto(`${world.base}/openables/kilowatt-case`);
    await useKey(page, world.keys.builder);
    await page.click("#outcome-rows summary");
    for (const [region, columns] of [
      ["#tiers", ["Rarity", "Weight", "Odds", "Items", "Priced", "Contributes", "Share of the priced value"]],
      ["#outcomes", ["Outcome", "Rarity", "Chance", "", "Value", "Contributes", "Share", "Value of"]],
    ] as const) {
      const place = page.locator(region);
      expect(await place.evaluate((one) => one.scrollWidth - one.clientWidth), region).to.equal(0);
      const [last] = (await place.locator("tbody tr").all()).slice(-1);
      const labels = await last!.locator("th, td").evaluateAll((all) => all.map((one) => one.dataset.label));
      expect(labels).to.deep.equal(columns);
      const read = await place.ariaSnapshot();
      for (const column of columns.filter((name) => name !== "")) expect(read).to.contain(`columnheader "${column}"`);
      expect(read.match(/- rowheader /g)).to.have.length(await place.locator("tbody tr").count());
    }
  });

  it("scroll to a refusal, with scopes and fields as code", async () => {
    await page.goto(`${world.base}/openables`);
    await useKey(page, world.keys.builderToken);
    await page.waitForSelector("#problem a");
    const { y, height } = (await page.locator("#problem").boundingBox())!;
    expect([y >= 0, y + height <= 844]).to.deep.equal([true, true]);
    expect(await page.textContent("#problem p")).to.equal("the key lacks the scope market:read");
    expect(await page.textContent("#problem p code")).to.equal("market:read");
    expect(await page.getAttribute("#problem a", "href")).to.equal("/dashboard/keys/new");
  });
});
