import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { everyFinding, lookedAt } from "../../support/axe.ts";
import { Browser, needBrowser, useKey } from "../../support/browser.ts";
import { inkBySlot } from "../../support/ink.ts";
import { itLong } from "../../support/size.ts";
import { World } from "../../support/world.ts";
import { vanishingItem } from "./vanishing-item.ts";

type Row = { provider: string | null; side: string; amount: number | null; availability?: string; ts: string };
type Answer = { data: Row[]; meta: { missing_points: string; from: string; to: string } };

const twoDays = "from=2026-01-14&to=2026-01-15&resolution=hourly";
const name = "★ Karambit | Doppler (Factory New)";
/** A Marble Fade contains the same words and has a lower id. */
const hidden = "★ Bayonet | Fade (Factory New)";

describe("market pages", () => {
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
  beforeEach(async () => {
    // Each test has a minute of requests of its own.
    world.clock.advance(61_000);
    await page.unrouteAll();
    await page.goto("about:blank");
    await page.setViewportSize({ width: 1440, height: 900 });
    browser.requests.length = 0;
    browser.complaints.length = 0;
  });

  const open = async (path: string, key = world.keys.builder) => {
    await page.goto(world.base + path);
    await useKey(page, key);
  };
  const drawn = () => page.waitForSelector("#item:not([hidden]) canvas");
  const settled = () => page.waitForSelector('#item[aria-busy="false"]');
  const openItem = async (path: string, key = world.keys.builder) => {
    await open(path, key);
    await drawn();
    await settled();
  };
  const ask = async (path: string) => {
    const answer = await fetch(world.base + path, { headers: { authorization: `Bearer ${world.keys.builder}` } });
    return (await answer.json()) as Answer;
  };
  const sent = () => browser.requests.filter((address) => address.includes("/v1/"));
  const together = () => browser.requests.filter((address) => address.endsWith("/together"));
  const rowNames = () => page.locator("#rows th a").allTextContents();

  it("lead from words to a chart in three actions, storing no key", async () => {
    await open("/market");
    await page.waitForSelector("#rows tr");
    await page.click("#known button");
    await page.waitForSelector('#found-count:text("4 items")');
    expect(await page.isVisible("#known")).to.equal(false);
    await page.fill("#q", "karambit doppler fn");
    await page.keyboard.press("Enter");
    await page.waitForSelector('#rows th a:has-text("Karambit")');
    await page.waitForSelector('#found[aria-busy="false"] #found-count:text-matches("^[0-9]+ items$")');
    for (const found of await rowNames()) expect(found).to.match(/Karambit \| .*Doppler \(Factory New\)/);
    const kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])";
    expect(await page.evaluate(kept)).to.equal('[{},{},""]');
    const address = await page.getAttribute("#rows th a", "href");
    await openItem(address!);
    expect(await page.textContent("#name")).to.equal(name);
    expect(await page.title())
      .to.contain(name)
      .and.contain("Itemtape");
    expect(await page.getAttribute("#chart", "data-resolution")).to.equal("daily");
    expect(await page.textContent("#sources p")).to.match(/^Bazaar .*: Invented prices of the Itemtape demo$/);
    const { height } = (await page.locator("#plots canvas").boundingBox())!;
    expect(height).to.be.at.least(420);
    const origins = browser.requests.filter((one) => one !== "about:blank").map((one) => new URL(one).origin);
    expect([...new Set(origins)]).to.deep.equal([world.base]);
    expect(browser.requests.filter((one) => one.includes(world.keys.builder))).to.deep.equal([]);
    expect(browser.complaints).to.deep.equal([]);
  });

  itLong("keep words, filters and order of the list in the address", async () => {
    await open("/market?q=karambit+doppler&phase=Ruby&ask_max=99999900&sort=-ask");
    await page.waitForSelector("#rows tr");
    expect(await page.inputValue('[name="ask_max"]')).to.equal("999999");
    const amounts = (await page.locator('#rows [data-cell="ask"]').allTextContents()).map(centsOf);
    expect(amounts.length).to.be.greaterThan(0);
    expect(amounts).to.deep.equal(amounts.toSorted((a, b) => b - a));
    expect(await page.inputValue('[name="phase"]')).to.equal("Ruby");
    await page.click('[data-column="name"] button');
    expect(page.url()).to.match(/q=karambit\+doppler&phase=Ruby&ask_max=99999900&sort=name$/);
    const before = sent().length;
    await page.fill('[name="ask_max"]', "1.5k");
    await page.press('[name="ask_max"]', "Enter");
    expect(await page.inputValue('[name="ask_max"]')).to.equal("1.5k");
    expect([sent().length, await page.locator('[name="ask_max"]:invalid').count()]).to.deep.equal([before, 1]);
    await page.route("**/v1/items?q=*", (route) =>
      route.continue({ url: route.request().url().replace("limit=100", "limit=1") }),
    );
    await open(`/market?q=${encodeURIComponent(hidden)}`);
    await page.waitForSelector('#found-count:has-text("The first 2 items")');
    expect(await rowNames()).to.have.length(2);
    expect((await rowNames())[0]).to.equal(hidden);
  });

  itLong("show a demo visitor both pages without a key", async () => {
    await page.goto(`${world.base}/market?q=${encodeURIComponent(hidden)}`);
    await page.waitForSelector("#rows tr");
    expect((await rowNames())[0]).to.equal(hidden);
    await page.locator("#rows th a").first().click();
    await drawn();
    await settled();
    expect(await page.textContent("#problem")).to.equal("");
    expect(await page.isVisible("#providers")).to.equal(true);
    await page.evaluate("localStorage.clear()");
  });

  it("suggest while typing, and search and sort with one read per search", async () => {
    await page.goto(`${world.base}/market`);
    await page.waitForSelector('#found[aria-busy="false"] .sparkline');
    const top = async () => (await page.locator("#rows tr").first().boundingBox())!.y;
    expect(await top()).to.be.at.most(300);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await top()).to.be.at.most(420);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.click("#q");
    await page.keyboard.type("ak redl");
    await page.waitForSelector('#q-found li:has-text("AK-47 | Redline (Minimal Wear)")');
    await page.keyboard.type("ine ft");
    const before = sent().length + together().length;
    await page.keyboard.press("Enter");
    await page.waitForSelector('#found[aria-busy="false"] #found-count:text("1 item")');
    expect(sent().length + together().length - before).to.equal(1);
    await page.fill("#q", "karambit");
    await page.keyboard.press("Enter");
    await page.waitForSelector('#found[aria-busy="false"] [data-item="661"]');
    await page.click('[data-column="bid"] button');
    await page.click("#columns summary");
    await page.check('#columns [value="at.steam"]');
    expect(await page.locator('#rows [data-cell="at.steam"]').count()).to.be.greaterThan(10);
    const bids = (await page.locator('#rows [data-cell="bid"]').allTextContents())
      .map(centsOf)
      .filter((bid) => bid > 0);
    expect(bids).to.deep.equal(bids.toSorted((a, b) => b - a));
    expect(sent().length + together().length - before).to.equal(2);
    expect(page.url()).to.match(/q=karambit&sort=-bid&columns=at.steam$/);
    await page.goto(`${world.base}/items/661`);
    await settled();
    await page.click("#compare");
    await page.keyboard.type("ak");
    await page.waitForSelector("#compare-found li");
    await page.locator("#compare").evaluate((input: HTMLInputElement) => {
      input.value = "ak redline ft";
      input.dispatchEvent(new Event("input"));
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    });
    await page.waitForSelector('#legend:has-text("AK-47 | Redline (Field-Tested)")');
    expect(await page.textContent("#problem")).to.equal("");
    await page.evaluate("localStorage.clear()");
  });

  it("find the items of a phase among the words", async () => {
    await open("/market?q=karambit+doppler+ruby+fn");
    await page.waitForSelector("#rows tr");
    expect(new Set(await page.locator("#rows .tag").allTextContents())).to.deep.equal(new Set(["Ruby"]));
  });

  itLong("count gaps by provider, side and cause like the API", async () => {
    const itemId = vanishingItem(world);
    await openItem(`/items/${itemId}?${twoDays}`);
    const seen = new Set<string>();
    await page.click("text=Gaps and marks");
    for (const line of await page.locator("#gaps section").all()) {
      const [provider, side] = [await line.getAttribute("data-line"), await line.getAttribute("data-side")];
      const marks = line.locator("[data-state]");
      const counts = new Map(
        await marks.evaluateAll((all) =>
          all.map((one) => [one.getAttribute("data-state"), Number(one.getAttribute("data-count"))] as const),
        ),
      );
      const { data, meta } = await ask(
        `/v1/items/${itemId}/history/hourly?provider=${provider}&side=${side}&from=2026-01-14&to=2026-01-15&limit=1000`,
      );
      const answered = (state: string) => data.filter(({ availability }) => availability === state).length;
      for (const state of ["quoted", "item_missing", "no_quote"]) {
        expect(counts.get(state) ?? 0, `${provider} ${side} ${state}`).to.equal(answered(state));
      }
      const [, absent, begun] = /^(\d+) of (\d+) hours absent/.exec(meta.missing_points) ?? [];
      expect(counts.get("no_frame"), `${provider} ${side}`).to.equal(Number(absent));
      expect(counts.get("not_begun")).to.equal(48 - Number(begun));
      const strip = page.locator(`.strip [data-line="${provider}"][data-side="${side}"] [data-cause]`);
      const inStrip = await strip.evaluateAll((all) => all.map((mark) => Number(mark.getAttribute("data-count"))));
      expect(inStrip.reduce((sum, count) => sum + count, 0)).to.equal(48 - answered("quoted"));
      for (const state of counts.keys()) seen.add(state ?? "");
    }
    expect([...seen]).to.include.members(["quoted", "item_missing", "no_frame", "not_begun"]);
  });

  it("draw no line over a gap, and explain each point in tooltips", async () => {
    const itemId = vanishingItem(world);
    // In one column, so that an hour is wider than the letter at the end of a line.
    await page.setViewportSize({ width: 1190, height: 900 });
    await openItem(`/items/${itemId}?${twoDays}&sides=ask&providers=steam`);
    const { data } = await ask(`/v1/items/${itemId}/history/hourly?provider=steam&from=2026-01-14&to=2026-01-15`);
    const quoted = new Set(data.flatMap(({ amount, ts }) => (amount === null ? [] : [ts])));
    const hours = Array.from({ length: 48 }, (_, hour) => new Date(Date.UTC(2026, 0, 14, hour)).toISOString());
    const providers = (await ask("/v1/providers")).data.map(({ provider }) => provider);
    const ink = await page.evaluate(inkBySlot(48, providers.indexOf("steam") + 1));
    expect(ink).to.deep.equal(hours.map((ts) => quoted.has(ts)));
    await page.focus(".plot-host");
    await page.keyboard.press("Home");
    const first = dollarsOf(data[0]!.amount!);
    await page.waitForSelector(`.tooltip:has-text("${first}")`);
    expect(await page.textContent("#spoken")).to.equal(
      `14 Jan 2026, 00:00–00:59 UTC: Steam Community Market ask ${first}`,
    );
    for (let hour = 0; hour < 10; hour += 1) await page.keyboard.press("ArrowRight");
    await page.waitForSelector('.tooltip:has-text("item missing")');
    expect(await page.textContent(".tooltip")).to.not.contain("$");
    await page.click("text=Points as a table");
    await page.waitForSelector("#rows-place tbody tr");
    expect(await page.locator("#rows-place tbody tr").count()).to.equal(48);
    expect(await page.locator("#rows-place tbody tr.quoted").count()).to.equal(quoted.size);
    expect(await page.textContent("#rows-place")).to.not.match(/\$0\.00|NaN|undefined/);
  });

  itLong("scale a zoom to visible prices, in address and CSV too", async () => {
    await openItem("/items/661?sides=ask");
    const marks = "document.querySelector('#plots canvas').toDataURL()";
    const whole = await page.evaluate<string>(marks);
    const box = (await page.locator(".u-over").boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.5, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 80, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/zoom=\d+-\d+$/);
    const [, min, max] = /zoom=(\d+)-(\d+)/.exec(page.url())!.map(Number);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#csv")]);
    const lines = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\r\n")
      .slice(1);
    const days = new Set(lines.map((line) => line.split(",")[0]!));
    expect(days.size).to.be.within(6, 8);
    for (const day of days) expect(Date.parse(day) / 1000).to.be.within(min! - 86_400, max!);
    const asked = sent().length;
    const link = page.url();
    await page.click("#whole");
    await page.waitForSelector("#whole", { state: "hidden" });
    expect(await page.evaluate(marks)).to.equal(whole);
    expect(sent().length).to.equal(asked);
    await page.goto("about:blank");
    await openItem(link.slice(world.base.length));
    expect(page.url()).to.equal(link);
    await page.waitForSelector("#whole:not([hidden])");
  });

  itLong("compare items in percent, one line each, and remove them again", async () => {
    await openItem("/items/661?sides=ask");
    await page.fill("#compare", "karambit doppler ruby fn");
    await page.keyboard.press("Enter");
    await page.waitForSelector('#legend [data-line="445"]');
    expect(page.url()).to.match(/unit=percent&compare=445$/);
    expect(await page.locator("#legend button").count()).to.equal(2);
    await page.focus(".plot-host");
    await page.keyboard.press("End");
    await page.waitForSelector(".tooltip [data-line='445']:has-text('%')");
    expect(await page.textContent(".tooltip [data-line='445'] td")).to.match(
      /^\$[\d,.]+ \([+−]?[\d.]+ %\) at [\w ()]+ so far$/,
    );
    await page.click('#legend [data-line="445"]');
    await page.waitForSelector('#legend [data-line="northgate"]');
    expect(page.url()).to.not.contain("compare");
  });

  itLong("wait for confirmation of many requests, and omit empty axes", async () => {
    await openItem("/items/661");
    const asked = sent().length;
    expect(await page.innerText("main")).to.not.contain("request");
    await page.selectOption("#resolution", "hourly");
    await page.waitForSelector('#chart[data-resolution="hourly"]');
    const afterHourly = sent().length;
    expect(afterHourly).to.be.greaterThan(asked);
    await page.click('#ranges button[value="1y"]');
    await page.waitForSelector("#draw");
    expect(sent().length).to.equal(afterHourly);
    await page.click("#csv");
    expect(await page.textContent("#problem")).to.contain("Nothing to save");
    const itemId = vanishingItem(world);
    await openItem(`/items/${itemId}?sides=bid&providers=steam`);
    expect(await page.textContent(".empty-panel")).to.contain("No buy orders known in this range");
    const axisInk = await page.evaluate<number>(`(() => {
      const canvas = document.querySelector("#plots canvas");
      const left = document.querySelector(".u-over").getBoundingClientRect().left - canvas.getBoundingClientRect().left;
      const { data } = canvas.getContext("2d").getImageData(0, 0, Math.floor(left * devicePixelRatio) - 20, canvas.height * 0.85);
      return data.filter((value, index) => index % 4 === 3 && value > 0).length;
    })()`);
    expect(axisInk).to.equal(0);
  });

  itLong("show a Free key the platform's days, and plans for hours", async () => {
    const itemId = vanishingItem(world);
    await openItem(`/items/${itemId}?range=7d&resolution=hourly&sides=bid`, world.keys.free);
    expect(await page.getAttribute("#chart", "data-resolution")).to.equal("daily");
    expect(await page.textContent("#plan-note")).to.contain("Paid plans add hours");
    expect(await page.locator("#resolution option[value=hourly][disabled]").count()).to.equal(1);
    expect(await page.isVisible("#providers")).to.equal(false);
    expect(await page.textContent('#sides [aria-pressed="true"]')).to.equal("Ask");
    await openItem("/items/661", world.keys.free);
    expect(await page.textContent(".empty-panel")).to.contain("observed in this range on the main platform");
    expect(sent().some((address) => /hourly|markets|side=bid/.test(address))).to.equal(false);
    expect(await page.textContent("#problem")).to.equal("");
  });

  it("name an unknown provider in the address and omit it", async () => {
    await page.goto("about:blank");
    await page.goto(`${world.base}/items/661?providers=northgat,bazaar`);
    await page.waitForSelector("#status:not(:empty)");
    await drawn();
    expect(await page.textContent("#status")).to.equal("Unknown provider: northgat.");
    expect(await page.locator("#plots canvas").count()).to.equal(1);
  });

  itLong("never call prices of an unknown provider unobserved", async () => {
    await openItem("/items/661?providers=northgat");
    expect(await page.locator(".empty-panel").count()).to.equal(0);
  });

  itLong("wait for a 429's delay, show it and continue", async () => {
    let refusals = 0;
    await page.route("**/together", (route) => {
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
    await page.goto(`${world.base}/market`);
    await page.waitForSelector('#status:has-text("going on in 1 s")');
    await page.waitForSelector("#rows tr");
    expect(refusals).to.be.at.least(2);
  });

  itLong("show today after midnight on an open page", async () => {
    const other = await World.start();
    try {
      await page.goto(`${other.base}/items/661`);
      await useKey(page, other.keys.builder);
      await page.waitForSelector('#chart[data-to="2026-01-15"]');
      await settled();
      other.clock.advance(86_400_000);
      await page.click('#ranges button[value="90d"]');
      await page.waitForSelector('#chart[data-to="2026-01-16"]');
    } finally {
      await other.stop();
    }
  });

  itLong("fit 360 to 1,920 px without serious findings in either theme", async () => {
    const fits = { light: [], dark: [], wide: { 360: 360, 390: 390, 1440: 1440, 1920: 1920 } };
    await open("/market?q=redline");
    await page.waitForSelector("#rows tr");
    expect(await lookedAt(page, 360, 390, 1440, 1920)).to.deep.equal(fits);
    expect(await everyFinding(page)).to.deep.equal([]);
    await openItem(`/items/661?${twoDays}&panels=2&known=2026-01-15T06:00Z`);
    await page.click("text=Gaps and marks");
    expect(await lookedAt(page, 360, 390, 1440, 1920)).to.deep.equal(fits);
    expect(await everyFinding(page)).to.deep.equal([]);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.focus(".plot-host");
    await page.keyboard.press("Home");
    expect(await page.locator(".tooltip").evaluate((one) => one.scrollWidth - one.clientWidth)).to.equal(0);
  });
});

function dollarsOf(cents: number): string {
  return `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
}

const centsOf = (text: string) => Number(text.replace(/[^0-9]/g, ""));
