import { expect } from "chai";
import type { Page, Route } from "playwright-core";
import type { Schema } from "../../src/contract/types.ts";
import { Browser, needBrowser, useKey } from "../support/browser.ts";
import { itLong } from "../support/size.ts";
import { World } from "../support/world.ts";

describe("responses that arrive after newer ones", () => {
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

  const open = async (path: string) => {
    await page.goto("about:blank");
    await page.goto(world.base + path);
    await useKey(page, world.keys.builder);
  };
  const ask = async <T>(path: string) => {
    const answer = await fetch(world.base + path, { headers: { authorization: `Bearer ${world.keys.builder}` } });
    return ((await answer.json()) as { data: T }).data;
  };
  /** Holds the next response for a matching address. `release` resolves after the response was drawn or abandoned. */
  const hold = async (address: RegExp) => {
    let take: (route: Route) => void;
    const taken = new Promise<Route>((resolve) => {
      take = resolve;
    });
    await page.route(address, (route) => take(route), { times: 1 });
    const release = async () => {
      const route = await taken;
      const answered = route.request().response();
      await route.continue().catch(() => undefined);
      await answered.catch(() => undefined);
      await page.evaluate("new Promise((drawn) => requestAnimationFrame(drawn))");
    };
    return { taken, release };
  };

  describe("late responses on the openables page", () => {
    const ready = () => page.waitForSelector('main[aria-busy="false"]');
    const historyBy = (granularity: string) => new RegExp(`/history\\?.*granularity=${granularity}&`);
    const points = { day: 0, hour: 0 };
    let slug: string;
    before(async () => {
      const list = await ask<Schema<"Openable">[]>("/v1/openables?limit=100");
      ({ slug } = list.find(({ current }) => current?.expected_value_cents !== null)!);
      for (const granularity of ["day", "hour"] as const)
        points[granularity] = (await ask<object[]>(`/v1/openables/${slug}/history?granularity=${granularity}`)).length;
      expect(points.hour).to.not.equal(points.day);
    });
    const drawn = async (granularity: "day" | "hour") => {
      const note = `#history-note:has-text(": ${points[granularity]} points")`;
      await page.waitForSelector(`#detail:has(${note}):has(#plots canvas)`);
      expect(page.url().includes("granularity=hour")).to.equal(granularity === "hour");
      expect(await page.isChecked(`input[name="granularity"][value="${granularity}"]`)).to.equal(true);
    };

    it("keep the days that were requested last when the hours arrive", async () => {
      await open(`/openables/${slug}`);
      await ready();
      const late = await hold(historyBy("hour"));
      await page.click("text=Runs, by hour");
      await late.taken;
      const answered = page.waitForResponse(historyBy("day"));
      await page.click("text=Days");
      await answered;
      await late.release();
      await drawn("day");
    });

    itLong("keep the hours when the page's days arrive, and finish loading", async () => {
      await open("/openables");
      await ready();
      const late = await hold(historyBy("day"));
      await page.click(`#rows tr[data-slug="${slug}"] a`);
      await late.taken;
      await page.click("text=Runs, by hour");
      await drawn("hour");
      await late.release();
      await drawn("hour");
      await ready();
    });

    itLong("draw a choice made while the key is checked", async () => {
      const late = await hold(historyBy("day"));
      await open(`/openables/${slug}`);
      await late.taken;
      await page.click("text=Runs, by hour");
      await late.release();
      await drawn("hour");
    });

    itLong("draw no late history over the list after going back", async () => {
      await open(`/openables/${slug}`);
      await ready();
      const late = await hold(historyBy("hour"));
      await page.click("text=Runs, by hour");
      await late.taken;
      await page.click("#back");
      await ready();
      await late.release();
      expect(await page.locator("#plots canvas").count()).to.equal(0);
    });
  });

  describe("late responses on the market's pages", () => {
    itLong("keep the last search when the items of an older one arrive", async () => {
      await open("/market");
      await page.waitForSelector('#found[aria-busy="false"]');
      const late = await hold(/\/v1\/items\?.*q=karambit/);
      await page.fill("#q", "karambit");
      await page.keyboard.press("Enter");
      await late.taken;
      await page.fill("#q", "bayonet doppler");
      await page.keyboard.press("Enter");
      await page.waitForSelector('#found[aria-busy="false"]');
      const names = await page.locator("#rows th").allTextContents();
      await late.release();
      expect(page.url()).to.contain("q=bayonet+doppler");
      expect(await page.locator("#rows th").allTextContents()).to.deep.equal(names);
      expect(names[0]).to.contain("Bayonet | Doppler");
    });

    itLong("keep the last range when the hours of an older one arrive", async () => {
      const [item] = await ask<{ item_id: number }[]>("/v1/items?q=karambit%20doppler&phase=Ruby&limit=1");
      await open(`/items/${item!.item_id}`);
      await page.waitForSelector('#item[aria-busy="false"]');
      const late = await hold(/history\/hourly/);
      await page.click('#ranges button[value="7d"]');
      await late.taken;
      await page.click('#ranges button[value="30d"]');
      await page.waitForSelector('#item[aria-busy="false"]');
      await late.release();
      expect(await page.getAttribute("#chart", "data-resolution")).to.equal("daily");
      expect(page.url()).to.not.contain("range=7d");
    });
  });
});
