import { expect } from "chai";
import type { Page } from "playwright-core";
import { Browser, needBrowser } from "../../support/browser.ts";
import { World } from "../../support/world.ts";

type Row = { provider: string; side: string; amount: number };

describe("the head of an item's page", () => {
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
    page = await browser.page("about:blank");
  });
  afterEach(() => page.close());

  const openItem = async (path: string) => {
    await page.goto(world.base + path);
    await page.fill("#key", world.keys.builder);
    await page.click("text=Use key");
    await page.waitForSelector("#item:not([hidden]) canvas");
    await page.waitForSelector('#status:has-text("took"), #status:has-text("Drawn from")');
  };
  const ask = async <T = Row[]>(path: string) => {
    const answer = await fetch(world.base + path, { headers: { authorization: `Bearer ${world.keys.builder}` } });
    return ((await answer.json()) as { data: T }).data;
  };

  it("the facts and the table of an item say what the API says", async () => {
    const data = await ask<{ asks: Row[]; bids: Row[] }>("/v1/items/661/markets");
    await openItem("/items/661");
    const amountsOf = (quotes: readonly Row[]) => quotes.map(({ amount }) => amount);
    const [lowest, highest] = [Math.min(...amountsOf(data.asks)), Math.max(...amountsOf(data.bids))];
    expect(centsOf((await page.textContent('[data-fact="ask"] dd'))!)).to.equal(lowest);
    expect(centsOf((await page.textContent('[data-fact="bid"] dd'))!)).to.equal(highest);
    expect(await page.textContent('[data-fact="spread"]')).to.contain(dollarsOf(lowest - highest));
    for (const { provider, amount } of data.asks) {
      expect(await page.textContent(`#provider-rows [data-provider="${provider}"] td`)).to.equal(dollarsOf(amount));
    }
    expect(await page.locator("#switches nav").count()).to.equal(3);
    await page.click('#ranges button[value="90d"]');
    await page.waitForURL(/range=90d$/);
    await page.click("#switches a:has-text('Ruby')");
    await page.waitForURL(/\/items\/445\?range=90d$/);
  });

  it("a change tells its two amounts, and the one provider that they are of where the lowest ask is another's", async () => {
    const then = await ask("/v1/items/2939/history?side=ask&from=2026-01-08&to=2026-01-08");
    const now = await ask("/v1/items/2939/history?side=ask&from=2026-01-15&to=2026-01-15");
    expect([then.map(({ provider }) => provider), now.length > 1]).to.deep.equal([["steam"], true]);
    await openItem("/items/2939");
    const fact = (name: string) => page.innerText(`[data-fact="${name}"]`);
    expect(await fact("ask")).to.not.contain("Steam");
    const steam = now.find(({ provider }) => provider === "steam")!;
    const week = await fact("change-7");
    expect(week).to.contain(`${dollarsOf(then[0]!.amount)} → ${dollarsOf(steam.amount)}`);
    expect(week).to.contain("Steam Community Market alone");
    expect(await fact("change-1")).to.match(/→ \$[\d.]+\s+lowest of (all )?\d/);
  });
});

function dollarsOf(cents: number): string {
  return `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
}

const centsOf = (text: string) => Number(text.replace(/[^0-9]/g, ""));
