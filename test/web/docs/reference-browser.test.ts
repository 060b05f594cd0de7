import { expect } from "chai";
import type { Page } from "playwright-core";
import { dayOf, dayText } from "../../../src/values/time/calendar.ts";
import { lookedAt } from "../../support/axe.ts";
import { Browser, needBrowser, until, useKey } from "../../support/browser.ts";
import { casesBySize, describeLong, itLong } from "../../support/size.ts";
import { useWorld } from "../../support/world.ts";

describeLong("reference in a browser", () => {
  const world = useWorld({ config: { publicUrl: "" } });
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(180_000);
    needBrowser(this);
    browser = await Browser.open();
    page = await browser.page(`${world.base}/docs`);
  });
  after(() => browser?.close());
  const open = async (operationId: string) => {
    await page.goto(`${world.base}/docs/operations/${operationId}`);
    await page.locator("#try button").first().waitFor();
  };
  const withKey = async (key = world.keys.builder) => {
    if (await page.locator("#forget").isVisible()) await page.locator("#forget").click();
    await useKey(page, key);
    await page.locator("#key-used").waitFor();
  };
  const send = async () => {
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator("#answer").waitFor();
    return page.locator("#answer-text").innerText();
  };
  const facts = () => page.locator("#answer-facts").innerText();

  it("redirects an operation's former address to its page", async () => {
    await page.goto(`${world.base}/docs#/Exchange%20rates/listExchangeRates`);
    await page.waitForURL(`${world.base}/docs/operations/listExchangeRates`);
    expect(await page.locator(".side [aria-current]").innerText()).to.equal("listExchangeRates");
  });

  it("finds operations, guide sections and problems by their words", async () => {
    const results = page.locator("#side-found a");
    const find = async (words: string) => {
      await page.fill("#side-find", words);
      await until(page, `document.querySelector("#side-count").textContent !== "" || ${words === ""}`);
      return results.evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    };
    expect((await find("HISTORY index"))[0]).to.equal("/docs/operations/getIndexHistory");
    expect(await find("ask_max phase")).to.include("/docs/operations/listItems");
    expect((await find("rate_limited"))[0]).to.equal("/problems/rate_limited");
    expect(await find("sealed day")).to.include("/docs/guides/history#sealed-days");
    expect(await find("zebra crossing")).to.deep.equal([]);
    expect(await page.textContent("#side-count")).to.equal("Nothing here has these words.");
    expect(await page.locator(".side-group:visible").count()).to.equal(0);
    await find("");
    await page.waitForSelector(".side-group:visible");
  });

  it("sends a request without an account only if none is needed", async () => {
    const [demo] = world.sql("SELECT demo_anchor_at AS at FROM market_state");
    world.sql("UPDATE market_state SET demo_anchor_at = NULL");
    await open("getItem");
    await page.locator("#gate").waitFor();
    const sent = browser.requests.length;
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator("#problem").getByText("sign in, or paste an API key").waitFor();
    expect(browser.requests.slice(sent)).to.deep.equal([]);
    world.sql("UPDATE market_state SET demo_anchor_at = ?", demo?.at);
    await open("getStatus");
    expect(await send()).to.contain('"market_snapshot"');
    expect(await facts()).to.match(/^HTTP 200 · \d+ ms · req_/);
  });

  it("sends a demo visitor's requests without a key", async () => {
    await open("getMarketPrices");
    await page.locator("#signed-in").waitFor();
    expect(await send()).to.contain('"availability"');
    expect(await facts()).to.match(/^HTTP 200/);
  });

  it("reports a stopped request and shows no response", async () => {
    await open("getCurrentGeneration");
    await page.locator("#signed-in").waitFor();
    const { data } = JSON.parse(await send()) as { data: { generation: string } };
    await page.fill("#query-after", data.generation);
    await page.fill("#query-wait_seconds", "30");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("#problem").getByText("Stopped").waitFor();
    expect(await page.locator("#answer").isVisible()).to.equal(false);
    expect(await page.getByRole("button", { name: "Stop" }).isVisible()).to.equal(false);
  });

  it("sends the key only in a header to this server", async () => {
    await open("listItems");
    expect(await page.locator("#key").getAttribute("type")).to.equal("password");
    await withKey();
    const [request, text] = await Promise.all([page.waitForRequest(/\/v1\/items/), send()]);
    expect(new URL(request.url()).search).to.equal("");
    expect(request.headers().authorization).to.equal(`Bearer ${world.keys.builder}`);
    expect((JSON.parse(text) as { data: object[] }).data).to.have.length(50);
    expect(await facts()).to.match(/^HTTP 200 · \d+ ms · \d+ requests left this minute/);
    const seen = (selector: string) => page.locator(selector).boundingBox();
    const [button, answer] = [await seen("#try button:visible"), await seen("#answer-text")];
    expect(answer!.y - button!.y)
      .to.be.greaterThan(0)
      .and.below(200);
    expect(
      await page.evaluate("[scrollY, document.querySelector('#answer').getBoundingClientRect().top < 700]"),
    ).to.deep.equal([0, true]);
    expect(await page.content()).to.not.contain(world.keys.builder);
    expect(browser.requests.filter((address) => address.includes("itemtape_live_"))).to.deep.equal([]);
    const kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])";
    expect(await page.evaluate(kept)).to.equal('[{},{},""]');
  });

  it("sends filled fields, links a refusal's code and explains a 304", async () => {
    await page.fill("#query-q", "karambit doppler");
    await page.selectOption("#query-phase", "Ruby");
    const [request, text] = await Promise.all([page.waitForRequest(/\/v1\/items/), send()]);
    expect(new URL(request.url()).search).to.equal("?q=karambit+doppler&phase=Ruby");
    expect(text).to.contain("Ruby").and.not.contain("Sapphire");
    await page.fill("#query-limit", "1000");
    expect(await send()).to.contain("must be <= 100");
    expect(await page.locator("#answer-facts a").getAttribute("href")).to.equal("/problems/invalid_parameter");
    await page.fill("#query-limit", "");
    await page.locator("[id='header-If-None-Match']").fill("*");
    expect(await send()).to.equal("The answer has no body.");
    expect(await facts()).to.match(/^HTTP 304/);
  });

  it("names the credential for a missing scope, with a link", async () => {
    const advice = async () => [
      await page.locator("#answer-advice").innerText(),
      await page.locator("#answer-advice a").getAttribute("href"),
    ];
    await open("listPortfolios");
    await withKey();
    await send();
    expect(await advice()).to.deep.equal([
      "Portfolios are read with a personal token, which names the readable ones. Make a personal token in the dashboard and use it here as the key.",
      "/dashboard/tokens/new",
    ]);
    await withKey(world.keys.builderToken);
    await send();
    expect(await page.locator("#answer-advice").innerText()).to.equal("");
    await open("listItems");
    await withKey(world.keys.builderToken);
    await send();
    expect(await advice()).to.deep.equal([
      "The market is read with a project key. Make a project key in the dashboard and use it here as the key.",
      "/dashboard/keys/new",
    ]);
    await withKey();
  });

  it("refuses with a reason to send a field that contains a key", async () => {
    await page.locator("[id='header-If-None-Match']").fill("");
    const sent = browser.requests.length;
    for (const key of [world.keys.builder, world.keys.builderToken]) {
      await page.fill("#query-q", key);
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator("#problem").getByText("holds an API key").waitFor();
    }
    expect(browser.requests.slice(sent)).to.deep.equal([]);
  });

  itLong("sends the body exactly as typed", async () => {
    await open("getMarketPricesBatch");
    await withKey();
    await page.fill("#body-text", '{"item_ids":[661]}');
    expect(JSON.parse(await send())).to.have.nested.property("data[0].item_id", 661);
    await page.fill("#body-text", "{");
    expect(await send()).to.contain("invalid_body");
  });

  it("starts with yesterday in the field of a required day", async () => {
    await open("streamHistoryDay");
    expect(await page.inputValue("#path-date")).to.equal(dayText(dayOf(Date.now()) - 1));
  });

  it("reads and counts a whole export, and shows some records", async () => {
    await open("streamMarketSnapshot");
    await withKey();
    const text = await send();
    expect(text).to.match(/^\{"type":"start"/);
    expect(await page.locator("#answer-verdict").innerText()).to.contain("3216 items, closed by an end record");
    expect(text.length).to.be.below(5_000);
  });

  itLong("shows the served samples, with a language choice by keyboard", async () => {
    await open("listItems");
    const shown = page.locator(".sample:visible code");
    await page.locator("#language-sh").focus();
    for (const ending of ["sh", "ts", "py"]) {
      await until(page, `document.querySelector("#language-${ending}").checked`);
      const served = await (await fetch(`${world.base}/docs/samples/listItems.${ending}`)).text();
      expect(await shown.textContent()).to.equal(served);
      await page.keyboard.press("ArrowRight");
    }
  });

  itLong("has no serious accessibility finding or sideways scroll when unfolded", async function () {
    this.timeout(180_000);
    for (const path of casesBySize(["/docs/operations/getMarketPricesBatch", "/docs"], 1)) {
      await page.goto(world.base + path);
      await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
      const { light, dark, wide } = await lookedAt(page, 360, 390, 1440);
      expect({ path, light, dark, wide }).to.deep.equal({
        path,
        light: [],
        dark: [],
        wide: { 360: 360, 390: 390, 1440: 1440 },
      });
    }
  });

  it("asks no other origin, and logs only refusals", () => {
    expect(new Set(browser.requests.map((address) => new URL(address).origin))).to.deep.equal(new Set([world.base]));
    expect(browser.complaints.filter((text) => !/status of 40[03]/.test(text))).to.deep.equal([]);
  });
});
