import { expect } from "chai";
import type { Page } from "playwright-core";
import { dateText } from "../../../src/values/time/time-text.ts";
import { Browser, needBrowser, useKey } from "../../support/browser.ts";
import { itLong } from "../../support/size.ts";
import { World } from "../../support/world.ts";

type Row = { date: string; provider: string; side: string; amount: number };

describe("head and second line of an item page", () => {
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
  // Each test has a minute of requests of its own.
  beforeEach(() => world.clock.advance(61_000));

  /** Opens the page of an item unless its address is unchanged. A test's choices on the page change the address. */
  const openItem = async (path: string) => {
    if (page.url() === world.base + path) return;
    // Discards the state of the previous page.
    await page.goto("about:blank");
    await page.goto(world.base + path);
    await useKey(page, world.keys.builder);
    await page.waitForSelector("#item:not([hidden]) canvas");
    await page.waitForSelector('#item[aria-busy="false"]');
  };
  const ask = async <T = Row[]>(path: string) => {
    const answer = await fetch(world.base + path, { headers: { authorization: `Bearer ${world.keys.builder}` } });
    return ((await answer.json()) as { data: T }).data;
  };

  itLong("shows the API's facts and table of an item", async () => {
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

  it("draws prices as known at a minute beside today's", async () => {
    const fields = "provider=northgate&from=2025-10-17&to=2026-01-14";
    const now = await ask(`/v1/items/661/history?${fields}`);
    const then = await ask(`/v1/items/661/history?${fields}&known_at=2026-01-14T12:00:00Z`);
    const amounts = new Map(then.map(({ date, amount }) => [date, amount]));
    const [corrected, ...others] = now.filter(
      ({ date, amount }) => date < "2026-01-14" && amounts.get(date) !== amount,
    );
    expect(others).to.deep.equal([]);
    await page.goto(`${world.base}/items/661?range=90d&sides=ask&providers=northgate`);
    await page.waitForSelector('#item[aria-busy="false"]');
    const asked = browser.requests.length;
    await page.fill("#known", "2026-01-14T12:00");
    await page.click("#known-form [type=submit]");
    const count = now.filter(({ date, amount }) => amounts.get(date) !== amount).length;
    await page.waitForSelector(`#known-note:has-text("${count} of ${now.length} points differ.")`);
    const sent = browser.requests.slice(asked);
    expect(`${sent.length},${sent[0]}`).to.match(/^1,.*&known_at=2026-01-14T12%3A00%3A00\.000Z/);
    expect(page.url()).to.match(/&known=2026-01-14T12:00Z$/);
    const before = browser.requests.length;
    await page.reload();
    await page.waitForSelector(`#known-note:has-text("${count} of ${now.length} points differ.")`);
    // One of these reads has both lines.
    expect(browser.requests.slice(before).filter((one) => one.endsWith("/together"))).to.have.length(5);
    await page.click("text=Points as a table");
    const row = page.locator("#rows-place tr", { hasText: dateText(corrected!.date) });
    expect(await row.locator("td").nth(4).textContent()).to.equal(dollarsOf(corrected!.amount));
    expect(await row.locator("td").nth(5).textContent()).to.equal(dollarsOf(amounts.get(corrected!.date)!));
    await page.evaluate(
      "history.replaceState(null, '', '?known=2025-01-01T00:00Z'); dispatchEvent(new PopStateEvent('popstate'))",
    );
    await page.waitForSelector('#known-note:has-text("Not shown: this time must not be before 16 Nov 2025, ")');
    expect(await page.textContent("#problem")).to.equal("");
    await useKey(page, world.keys.free);
    await page.waitForSelector('#known-note:text("Not shown: this time needs a paid plan.")');
    expect(await page.isDisabled("#known")).to.equal(true);
    await page.click("#known-off");
    await page.waitForURL(`${world.base}/items/661`);
    expect(browser.complaints.filter((text) => !/ 40[03] /.test(text))).to.deep.equal([]);
  });

  for (const [path, strips] of [
    ["/items/445", 6],
    ["/items/2939", 4],
  ] as const)
    it(`fits facts, providers, chart and actions on 1440 x 900: ${path}`, async () => {
      await openItem(path);
      expect(await page.locator(".strip g[data-line]").count()).to.equal(strips);
      expect((await page.locator("#plots canvas").boundingBox())!.height).to.be.at.least(420);
      for (const part of ["#facts", "#provider-table", ".strip", "#csv", "#refresh"]) {
        const { y, height } = (await page.locator(part).boundingBox())!;
        expect(y + height, part).to.be.at.most(900);
      }
      const cut =
        "[...document.querySelectorAll('#item :is(dd, th, td)')].filter((one) => one.scrollWidth > one.clientWidth + 1)";
      expect(await page.evaluate(`${cut}.map((one) => one.textContent)`)).to.deep.equal([]);
    });

  it("shows both amounts of a change and its provider if different", async () => {
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

  it("shows an unknown value as a dash that is read as unknown", async () => {
    await openItem("/items/2939");
    const cells = page.locator('#provider-rows [data-provider="steam"] td');
    expect(await cells.nth(3).textContent()).to.equal("–unknown");
    expect(await cells.nth(3).getAttribute("title")).to.equal("Quantity unknown");
    expect(await cells.nth(4).textContent()).to.equal("–unknown");
  });

  itLong("fills its rows with facts at every width", async () => {
    await openItem("/items/2939");
    for (const [width, columns] of [
      [390, 2],
      [768, 3],
      [1440, 6],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const tops = "[...document.querySelectorAll('#facts > div')].map((one) => one.offsetTop)";
      const rows = new Map<number, number>();
      for (const top of await page.evaluate<number[]>(tops)) rows.set(top, (rows.get(top) ?? 0) + 1);
      expect([...new Set(rows.values())], String(width)).to.deep.equal([columns]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  itLong("puts the signed-in user at its edge", async () => {
    await page.goto("about:blank");
    await page.goto(`${world.base}/items/2939`);
    await page.waitForSelector("#item:not([hidden]) canvas");
    const edge = async (part: string) => (await page.locator(part).boundingBox())!;
    const [reader, head] = [await edge("#signed-in"), await edge(".item-head")];
    const right = await page.evaluate('document.querySelector("main").getBoundingClientRect().right');
    expect(reader.x + reader.width).to.be.within(Number(right) - 60, Number(right));
    expect(reader.y).to.be.within(head.y - 8, head.y + head.height);
  });

  itLong("keeps the plot in place while a part of it is shown", async () => {
    await openItem("/items/661?sides=ask");
    const top = async () => (await page.locator("#plots canvas").boundingBox())!.y;
    const before = await top();
    const box = (await page.locator(".u-over").boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.5, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 80, { steps: 4 });
    await page.mouse.up();
    await page.waitForSelector("#whole:visible");
    expect(await top()).to.equal(before);
  });

  itLong("centers the notice in a plot without a price", async () => {
    await openItem("/items/2939?sides=bid&providers=steam");
    const middle = async (part: string) => {
      const { x, y, width, height } = (await page.locator(part).boundingBox())!;
      return [Math.round(x + width / 2), Math.round(y + height / 2)];
    };
    expect(await middle(".empty-panel")).to.deep.equal(await middle(".u-over"));
  });
});

function dollarsOf(cents: number): string {
  return `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
}

const centsOf = (text: string) => Number(text.replace(/[^0-9]/g, ""));
