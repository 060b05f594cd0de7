import { expect } from "chai";
import type { Page } from "playwright-core";
import { makeSignInLink } from "../../src/access/owners/sign-in-links.ts";
import { demoLogin } from "../../src/demo/demo.ts";
import { systemIds } from "../../src/values/ids.ts";
import { Browser, needBrowser, useKey } from "../support/browser.ts";
import { itLong } from "../support/size.ts";
import { World } from "../support/world.ts";
import { goodPassword, OwnerWorld } from "./dashboard/owner-world.ts";

describe("pages without a pasted key", () => {
  let demo: World;
  let ann: OwnerWorld;
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(180_000);
    needBrowser(this);
    [demo, ann] = await Promise.all([World.start(), OwnerWorld.start()]);
    // As after an import, because a demo would be open to all visitors.
    ann.world.sql("UPDATE market_state SET demo_anchor_at = NULL");
    browser = await Browser.open();
    page = await browser.page("about:blank");
  });
  after(async () => {
    await browser?.close();
    await demo?.stop();
    await ann?.world.stop();
  });
  beforeEach(() => {
    browser.requests.length = 0;
    browser.complaints.length = 0;
  });

  const isShown = (selector: string) => page.locator(selector).isVisible();
  const rows = () => page.waitForSelector("#rows tr");

  it("open a demo in any tab, and store nothing", async () => {
    await page.goto(`${demo.base}/openables`);
    await rows();
    expect(await page.textContent("#signed-in")).to.equal("Demo");
    // A visitor has no dashboard: nothing leads to one.
    expect(await page.locator("#signed-in a").count()).to.equal(0);
    const other = await page.context().newPage();
    await other.goto(`${demo.base}/items/661`);
    await other.waitForSelector("#item:not([hidden]) canvas");
    const kept = await other.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
    expect(kept).to.equal("[{},{}]");
    await other.close();
    const asked = browser.requests.filter((address) => address.includes("/v1/"));
    expect(asked.filter((address) => !address.includes("/dashboard/look/v1/"))).to.deep.equal([]);
    expect(browser.complaints).to.deep.equal([]);
  });

  it("search for the words of the start page's field", async () => {
    await page.goto(demo.base);
    await page.fill("#q", "redline");
    await page.press("#q", "Enter");
    await page.waitForURL(`${demo.base}/market?q=redline`);
    await page.waitForSelector("#found:not([hidden])");
    await page.waitForSelector("#found[aria-busy=false]");
    expect(await page.textContent("#found")).to.contain("AK-47 | Redline");
    expect(await page.locator("main > form").first().getAttribute("id")).to.equal("search");
  });

  it("cost one unit to open, with any search, filter or comparison", async () => {
    const pages = [
      ["/market", "#found[aria-busy=false]"],
      ["/market?q=%22ak%20redline%22&wear=Field-Tested", "#found[aria-busy=false]"],
      ["/items/661?compare=7,8&range=90d", "#item[aria-busy=false] canvas"],
      ["/openables", "#content[aria-busy=false] #rows tr"],
      ["/openables/kilowatt-case", "#content[aria-busy=false]"],
      ["/indexes", "#rows tr"],
      ["/changes?kind=gap", "#events li"],
      ["/indexes/knives-equal", "#members tr"],
    ] as const;
    const costs: unknown[] = [];
    for (const [path, shown] of pages) {
      const before = demo.charged().units;
      await page.goto(demo.base + path);
      await page.waitForSelector(shown);
      costs.push([path, demo.charged().units - before]);
      if (path === "/market")
        expect(await page.textContent("#found-count")).to.match(/^Most offered items: 100 of [\d,]+$/);
    }
    expect(costs).to.deep.equal(pages.map(([path]) => [path, 1]));
  });

  it("explain a demo's sign-in, but not another service's", async () => {
    await page.goto(`${demo.base}/dashboard`);
    expect(await page.textContent("#demo")).to.contain("itemtape accounts invite acc_000000000000000demo1");
    expect(await page.textContent("#demo")).to.contain(`the login ${demoLogin}`);
    expect(await page.getAttribute("#demo a", "href")).to.equal("/market");
    await page.goto(`${ann.world.base}/dashboard`);
    expect(await page.title()).to.contain("Sign in");
    expect(await page.locator("#demo").count()).to.equal(0);
  });

  it("return to the demo with all choices when a key is forgotten", async () => {
    await page.goto(`${demo.base}/openables`);
    const choices = async () => {
      await page.waitForSelector("#signed-in:visible");
      await rows();
      return page.evaluate(`[...document.querySelectorAll("main :is(input, select, button)")]
        .filter((field) => field.checkVisibility()).map((field) => [field.disabled, field.textContent])`);
    };
    const before = await choices();
    await useKey(page, demo.keys.builder);
    await page.waitForSelector("#key-used:visible");
    expect(await isShown("#key")).to.equal(false);
    await page.click("#forget");
    expect(await choices()).to.deep.equal(before);
  });

  it("decode a compressed export to the plain lines in Chromium", async () => {
    const { secret } = demo.account("quant");
    await page.goto(`${demo.base}/docs`);
    const [coding, text] = (await page.evaluate(
      `fetch("/v1/markets/snapshot", { method: "POST", headers: { authorization: "Bearer ${secret}" } })
        .then(async (answer) => [answer.headers.get("content-encoding"), await answer.text()])`,
    )) as [string, string];
    const { records } = await demo.client.call("streamMarketSnapshot", { key: secret });
    expect(coding).to.equal("gzip");
    expect(records.length).to.be.greaterThan(1000);
    const isSame = JSON.stringify(records.slice(1, -1)) === `[${text.split("\n").slice(1, -2)}]`;
    expect(isSame).to.equal(true);
  });

  it("return after sign-in, and read as the account without a key", async () => {
    const { base } = ann.world;
    await page.goto(`${base}/openables`);
    await page.waitForSelector("#gate:visible");
    expect(await page.textContent("#gate")).to.match(
      /^Sign in, or paste an API key\.\s+npx itemtape sign-in prints a link\.$/,
    );
    // The choice of a page changes its address; the link leads back to the latest.
    await page.evaluate("location.hash = 'type=case'");
    await page.click("#sign-in");
    await page.fill("[name=login]", "ann");
    await page.fill("[name=password]", goodPassword);
    await page.click("main button");
    await page.waitForURL(`${base}/openables#type=case`);
    await rows();
    expect(await page.getAttribute("#signed-in a", "href")).to.equal("/dashboard");
    expect(await page.textContent("#signed-in")).to.equal("Ann");
    expect(await isShown("#use-key")).to.equal(false);
    expect(browser.complaints).to.deep.equal([]);
  });

  it("open the market by a one-time sign-in link, hidden from the address bar", async () => {
    const context = await page.context().browser()!.newContext();
    const other = await context.newPage();
    const { world, account } = ann;
    const server = { host: "127.0.0.1", publicUrl: "" };
    const link = world.change((database) =>
      makeSignInLink({ database, clock: world.clock, ids: systemIds() }, server, account),
    );
    await other.goto(world.base + link.path);
    await other.waitForSelector("#link-button:enabled");
    expect(other.url()).to.equal(`${world.base}/dashboard/sign-in-link`);
    await other.click("#link-button");
    await other.waitForURL(`${world.base}/market`);
    await other.waitForSelector("#signed-in:visible");
    await other.goto(world.base + link.path);
    await other.click("#link-button");
    await other.waitForSelector("[role=alert]:has-text('npx itemtape sign-in')");
    await context.close();
  });

  itLong("continue after sign-in in another tab, and ask after sign-out", async () => {
    const other = await page.context().newPage();
    await other.goto(`${ann.world.base}/dashboard/sign-in-again`);
    await other.fill("[name=password]", goodPassword);
    await other.click("main button");
    await other.waitForURL(`${ann.world.base}/dashboard`);
    await page.click("#filters summary");
    await page.click("#reload");
    await rows();
    expect(await isShown("#signed-in")).to.equal(true);
    // A new user pays nothing for the previous user's page.
    const bob = await ann.another("bob");
    const enter = async (login: string) => {
      await other.click("text=Sign out >> nth=0");
      await other.waitForURL(/notice=signed-out/);
      await other.fill("[name=login]", login);
      await other.fill("[name=password]", goodPassword);
      await other.click("main button");
      await other.waitForURL(`${ann.world.base}/dashboard`);
    };
    await enter("bob");
    await page.click("#reload");
    await page.waitForSelector("#gate:visible");
    expect(ann.world.used(bob.account.accountId)).to.equal(0);
    await enter("ann");
    await page.reload();
    await rows();
    await page.click("#filters summary");
    await other.click("text=Sign out >> nth=0");
    await other.waitForURL(/notice=signed-out/);
    await page.click("#reload");
    await page.waitForSelector("#gate:visible");
    expect(await isShown("#rows tr >> nth=0")).to.equal(false);
    expect(await page.textContent("#problem")).to.include("no session of this browser is open");
    await other.close();
  });
});
