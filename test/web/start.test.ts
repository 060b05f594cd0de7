import { expect } from "chai";
import type { Page } from "playwright-core";
import { lookedAt } from "../support/axe.ts";
import { Browser, needBrowser } from "../support/browser.ts";
import { publishOffers } from "../support/publish.ts";
import type { World } from "../support/world.ts";
import { goodPassword, OwnerWorld } from "./dashboard/owner-world.ts";

type Daily = { type: string; data: { item_id: number; side: string; provider: string; amount: number } };

describe("start page", () => {
  let ann: OwnerWorld;
  let world: World;
  before(async () => {
    ann = await OwnerWorld.start();
    world = ann.world;
  });
  after(() => world?.stop());
  const shown = async () => (await fetch(world.base)).text();
  /** Numbers under their names, as they are read. */
  const countsOf = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/<dt>([^<]+)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name = "", value = ""]) => [
        name,
        value.replace(/<[^>]+>/g, ""),
      ]),
    );
  const quotesBySql = () => {
    const [row] = world.sql("SELECT count(ask_cents) + count(bid_cents) AS quotes FROM quotes");
    return Number(row?.quotes);
  };

  it("shows counts of items, markets and quotes, and the check's age", async () => {
    const [row] = world.sql(`SELECT (SELECT count(*) FROM items WHERE in_catalog) AS items,
      (SELECT count(*) FROM providers WHERE active) AS markets, (SELECT max(checked_at) FROM feeds) AS checked`);
    const minutes = Math.floor((world.clock.at - Number(row?.checked)) / 60_000);
    expect(quotesBySql()).to.be.greaterThan(5_000);
    expect(countsOf(await shown())).to.deep.equal({
      Items: Number(row?.items).toLocaleString("en-US"),
      Markets: String(row?.markets),
      Quotes: quotesBySql().toLocaleString("en-US"),
      "Newest check": `${minutes} min ago`,
    });
  });

  it("counts one market in the singular", async () => {
    world.sql("UPDATE providers SET active = (provider = 'steam')");
    try {
      world.clock.advance(60_000);
      expect(countsOf(await shown())).to.include({ Market: "1" });
    } finally {
      world.sql("UPDATE providers SET active = 1");
    }
  });

  it("shows only the contract's example, which the demo returns", async () => {
    const text = (await shown()).replace(/<\/?[bis]>/g, "");
    const unescaped = text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const path = /GET (\/v1\/\S+) HTTP/.exec(unescaped)?.[1] ?? "";
    const answer = JSON.parse(/<pre class="got"[^>]*><code>([\s\S]*?)<\/code>/.exec(unescaped)?.[1] ?? "null");
    const headers = { authorization: `Bearer ${world.keys.builder}` };
    const { data } = (await (await fetch(world.base + path, { headers })).json()) as { data: object };
    expect(answer.data).to.deep.equal(data);
    expect(unescaped.replace(/<pre class="got"[\s\S]*?<\/pre>/, "")).to.not.match(/\$\d/);
  });

  it("allows own scripts only, works without them and weighs under 10 KB", async () => {
    const answer = await fetch(world.base);
    const text = await answer.text();
    expect(answer.headers.get("content-security-policy")).to.equal(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(text).to.not.match(/<style|<script(?! src="\/)|\sstyle="|\son[a-z]+="/);
    expect(text).to.contain('<section id="day" class="day" aria-labelledby="day-title" hidden>');
    expect(Buffer.byteLength(text)).to.be.lessThan(10_000);
  });

  it("updates quotes of a new generation and the check's age", async () => {
    await shown();
    const before = quotesBySql();
    publishOffers(world, new Map([[4, 12_345]]));
    world.clock.advance(2_000);
    expect(countsOf(await shown())).to.include({
      Quotes: (before + 1).toLocaleString("en-US"),
      "Newest check": "0 min ago",
    });
    world.clock.advance(3 * 3_600_000);
    expect(countsOf(await shown())).to.include({ "Newest check": "3 h ago" });
  });

  describe("in a browser", () => {
    let browser: Browser;
    let page: Page;
    before(async function () {
      this.timeout(60_000);
      needBrowser(this);
      browser = await Browser.open();
      page = await browser.page(world.base);
    });
    after(() => browser?.close());

    const signIn = async () => {
      await page.goto(`${world.base}/dashboard/sign-in`);
      await page.fill("#login", "ann");
      await page.fill("#password", goodPassword);
      await page.click("main button");
      await page.waitForURL(/\/dashboard$/);
    };
    /** Resolves when the script of the page knows who is signed in. */
    const openStart = async () => {
      await page.goto(world.base);
      await page.waitForSelector("#day[data-plan]", { state: "attached" });
    };
    /** Asks of a day by item and market, as a key reads them. */
    const asksOf = async (date: string) => {
      const answer = await fetch(`${world.base}/v1/history/days/${date}/export`, {
        method: "POST",
        headers: { authorization: `Bearer ${world.keys.builder}`, "content-type": "application/json" },
        body: JSON.stringify({ resolution: "daily" }),
      });
      const records = (await answer.text())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Daily);
      const asks = records.filter(({ type, data }) => type === "daily" && data.side === "ask");
      return new Map(asks.map(({ data }) => [`${data.item_id} ${data.provider}`, data.amount]));
    };

    it("shows no movers and sends no API request without a sign-in", async () => {
      browser.requests.length = 0;
      await openStart();
      expect(await page.isVisible("#day")).to.equal(false);
      expect(browser.requests.filter((address) => address.includes("/v1/"))).to.deep.equal([]);
    });

    it("shows a paid owner the largest moves for four units", async () => {
      await signIn();
      await openStart();
      const before = world.used(ann.account.accountId);
      await page.click("#day-show");
      await page.waitForSelector("#rose tr");
      expect(world.used(ann.account.accountId) - before).to.equal(4);
      const [old, now] = [await asksOf("2026-01-13"), await asksOf("2026-01-14")];
      const both = [...now].filter(([key]) => old.has(key));
      expect(await page.textContent("#day-status")).to.contain(
        `${both.length.toLocaleString("en-US")} asks of an item at a market were seen on both days, ${(now.size + old.size - 2 * both.length).toLocaleString("en-US")} on one only`,
      );
      const cheapest = new Map<string, number>();
      const changes = new Map<string, number>();
      for (const [key, after] of both) {
        const [item = ""] = key.split(" ");
        const was = old.get(key) ?? 0;
        if (Math.min(was, after) < 100 || after >= (cheapest.get(item) ?? Number.POSITIVE_INFINITY)) continue;
        cheapest.set(item, after);
        changes.set(item, (after / was - 1) * 100);
      }
      const sorted = [...changes.values()].sort((a, b) => b - a);
      const shownIn = async (id: string) =>
        (await page.locator(`#${id} tr td:last-child`).allTextContents()).map((text) =>
          Number(text.replace("−", "-").replace(" %", "")),
        );
      const rounded = (all: readonly number[]) => all.map((pct) => Number(pct.toFixed(1)));
      expect(await shownIn("rose")).to.deep.equal(rounded(sorted.slice(0, 10)));
      expect(await shownIn("fell")).to.deep.equal(rounded(sorted.slice(-10).reverse()));
      expect(await page.textContent("#day-status")).to.contain("Of the markets of an item that were seen on both days");
      expect(await lookedAt(page, 360, 390, 1920)).to.deep.equal({
        light: [],
        dark: [],
        wide: { 360: 360, 390: 390, 1920: 1920 },
      });
    });

    it("names the market of each move, below its amounts on phones", async () => {
      const [name = ""] = await page.locator("#rose tr:first-child td").first().allTextContents();
      expect(await page.innerText("#rose tr:first-child")).to.contain(name);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.isVisible(`#rose tr:first-child .at:text("${name}")`)).to.equal(true);
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    it("shows no part of an incompletely loaded day", async () => {
      await page.route(/\/history\/days\/[^/]+\/export$/, async (route) => {
        const answer = await route.fetch();
        const lines = (await answer.text()).split("\n");
        lines[1] = (lines[1] ?? "").replace(/"amount":\d+/, '"amount":1');
        await route.fulfill({ response: answer, body: lines.join("\n") });
      });
      await openStart();
      await page.click("#day-show");
      await page.waitForSelector("#day-show:enabled");
      expect(await page.textContent("#day-status")).to.contain("did not arrive whole");
      expect(await page.isVisible("#day-moves")).to.equal(false);
      await page.unroute(/export$/);
    });

    it("gives size and alternative of two oversized days without loading them", async () => {
      await page.route(/\/history\/days\?/, async (route) => {
        const answer = await route.fetch();
        const listed = await answer.json();
        for (const day of listed.data) day.bytes = 40_000_000;
        await route.fulfill({ response: answer, json: listed });
      });
      await openStart();
      browser.requests.length = 0;
      await page.click("#day-show");
      await page.waitForSelector("#day-show:enabled");
      expect(await page.textContent("#day-status")).to.equal(
        "Two days are 80 MB here, and this page reads 64 MB at most. npx itemtape export day 2026-01-13..2026-01-14 days --format csv writes them to files, a request each.",
      );
      expect(browser.requests.filter((address) => address.endsWith("/export"))).to.deep.equal([]);
      await page.unroute(/\/history\/days\?/);
    });

    it("shows no movers to an owner on the Free plan", async () => {
      world.accounts((accounts) => accounts.setPlan(ann.account.accountId, "free", null));
      await openStart();
      expect(await page.isVisible("#day")).to.equal(false);
      expect(browser.complaints).to.deep.equal([]);
    });
  });
});
