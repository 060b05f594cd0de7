import { expect } from "chai";
import type { Page } from "playwright-core";
import { demoLogin } from "../../src/demo/demo.ts";
import { Browser, needBrowser } from "../support/browser.ts";
import { casesBySize } from "../support/size.ts";
import { World } from "../support/world.ts";
import { goodPassword, OwnerWorld } from "./dashboard/owner-world.ts";

describe("pages read without a pasted key", () => {
  let demo: World;
  let ann: OwnerWorld;
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(180_000);
    needBrowser(this);
    [demo, ann] = await Promise.all([World.start(), OwnerWorld.start()]);
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

  it("a demo is looked around in after one press of a button, also on the next page and in a new tab, without a key, and a mark that it does is all that the browser keeps", async () => {
    await page.goto(`${demo.base}/openables`);
    await page.click("#look");
    await rows();
    expect(await page.textContent("#signed-in"))
      .to.include("a visitor of the demo")
      .and.include("Builder");
    // A visitor has no dashboard: nothing leads to one.
    expect(await page.locator("#signed-in a").count()).to.equal(0);
    await page.goto(`${demo.base}/docs`);
    await page.goto(`${demo.base}/openables#mode=cash_ask&openable=kilowatt-case`);
    await page.waitForSelector("#facts [data-field]");
    expect(await isShown("#key")).to.equal(false);
    // A link that is opened in a new tab shows what it leads to.
    const other = await page.context().newPage();
    await other.goto(`${demo.base}/items/661`);
    await other.waitForSelector("#item:not([hidden]) canvas");
    const kept = await other.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
    expect(kept).to.equal('[{"itemtape-look":"1"},{}]');
    await other.evaluate("localStorage.clear()");
    await other.close();
    const asked = browser.requests.filter((address) => address.includes("/v1/"));
    expect(asked.filter((address) => !address.includes("/dashboard/look/v1/"))).to.deep.equal([]);
    expect(browser.complaints).to.deep.equal([]);
  });

  it("the sign-in of a demo says how to get in and where no sign-in is needed; that of another service says neither", async () => {
    await page.goto(`${demo.base}/dashboard`);
    expect(await page.textContent("#demo")).to.contain("itemtape accounts invite acc_000000000000000demo1");
    expect(await page.textContent("#demo")).to.contain(`the login ${demoLogin}`);
    expect(await page.getAttribute("#demo a", "href")).to.equal("/market");
    await page.goto(`${ann.world.base}/dashboard`);
    expect(await page.title()).to.contain("Sign in");
    expect(await page.locator("#demo").count()).to.equal(0);
  });

  for (const path of casesBySize(["/market?q=redline&wear=Field-Tested", "/market", "/indexes", "/openables"], 2)) {
    it(`${path}: a page whose key is forgotten offers what it offered before there was one, and nothing that needs it`, async () => {
      await page.goto("about:blank");
      await page.goto(demo.base + path);
      const offered = async () => {
        await page.waitForSelector("#look:visible");
        return page.evaluate(`({
          text: document.querySelector("main").innerText.replace(/^The key is forgotten\\.$/m, "").trim(),
          choices: [...document.querySelectorAll("main :is(input, select, button)")]
            .filter((field) => field.checkVisibility()).map((field) => [field.disabled, field.textContent]),
        })`);
      };
      const before = await offered();
      // The Free plan locks filters of the market; containers and indexes it does not read.
      await page.fill("#key", path.startsWith("/market") ? demo.keys.free : demo.keys.builder);
      await page.click("text=Use key");
      await page.waitForSelector("#key-used:visible");
      await page.click("#forget");
      expect(await offered()).to.deep.equal(before);
    });
  }

  it("Chromium decodes a compressed export to the lines of a plain one", async () => {
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

  it("an owner who signs in from a page comes back to it and reads as the account; another key is a fold away", async () => {
    const { base } = ann.world;
    await page.goto(`${base}/openables`);
    await page.waitForSelector("#sign-in-offer");
    // The choice of a page changes its address; the link leads back to the latest.
    await page.evaluate("location.hash = 'type=case'");
    expect([await isShown("#look"), await isShown("#key")]).to.deep.equal([false, true]);
    await page.click("#sign-in");
    await page.fill("[name=login]", "ann");
    await page.fill("[name=password]", goodPassword);
    await page.click("main button");
    await page.waitForURL(`${base}/openables#type=case`);
    await rows();
    expect(await page.getAttribute("#signed-in a", "href")).to.equal("/dashboard");
    expect(await page.textContent("#signed-in")).to.match(
      /^Read as Ann on the Builder plan · \d+ sent, 9,\d\d\d left this month$/,
    );
    expect(await isShown("#key")).to.equal(false);
    const { units } = ann.world.charged();
    await page.click("#key-title");
    await page.fill("#key", ann.account.secret);
    await page.click("text=Use key");
    await page.waitForSelector("#key-used:visible");
    expect(ann.world.charged().units).to.be.greaterThan(units);
    await page.click("#forget");
    await page.waitForSelector("#signed-in:visible");
    expect(browser.complaints).to.deep.equal([]);
  });

  it("a page goes on after a new sign-in in another tab, and asks for one after the sign-out", async () => {
    const other = await page.context().newPage();
    await other.goto(`${ann.world.base}/dashboard/sign-in-again`);
    await other.fill("[name=password]", goodPassword);
    await other.click("main button");
    await other.waitForURL(`${ann.world.base}/dashboard`);
    await page.click("#filters summary");
    await page.click("#reload");
    await rows();
    expect(await isShown("#signed-in")).to.equal(true);
    // Who signs in instead is charged nothing for the page of the one before.
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
    await page.waitForSelector("#sign-in-offer:visible");
    expect(ann.world.used(bob.account.accountId)).to.equal(0);
    await enter("ann");
    await page.reload();
    await rows();
    await page.click("#filters summary");
    await other.click("text=Sign out >> nth=0");
    await other.waitForURL(/notice=signed-out/);
    await page.click("#reload");
    await page.waitForSelector("#sign-in-offer:visible");
    expect(await isShown("#rows tr >> nth=0")).to.equal(false);
    expect(await page.textContent("#problem")).to.include("no session of this browser is open");
    await other.close();
  });
});
