import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { Browser, needBrowser, until } from "../../support/browser.ts";
import { itLong } from "../../support/size.ts";
import { needTool } from "../../support/skip.ts";
import { goodPassword, OwnerWorld } from "./owner-world.ts";
import { inventoryOf, keyNames, shownSecret, signIn, statusOf, takeDemoPortfolios } from "./person.ts";

const run = promisify(execFile);
const minuteMs = 60_000;

describe("dashboard in a browser", () => {
  let ann: OwnerWorld;
  let browser: Browser;
  let page: Page;
  let base: string;
  before(async function () {
    this.timeout(180_000);
    needBrowser(this);
    ann = await OwnerWorld.start();
    takeDemoPortfolios(ann);
    base = ann.world.base;
    browser = await Browser.open();
  });
  after(async () => {
    await browser?.close();
    await ann?.world.stop();
  });
  beforeEach(async () => {
    // A new minute of requests and sign-ins for each test.
    ann.world.clock.advance(61_000);
    browser.complaints.length = 0;
    browser.requests.length = 0;
    page = await browser.page("about:blank");
  });
  afterEach(() => page.close());

  const open = async (path = "/dashboard") => {
    await page.goto(base + path);
    if (page.url().includes("/sign-in")) await signIn(page, ann);
  };
  const makeKey = async (name: string) => {
    await page.fill("#name", name);
    await page.check("input[name=days][value='7']");
    await page.click("text=Make the key");
    return shownSecret(page);
  };
  const card = (name: string) => page.locator(".key", { has: page.locator(`h3:text("${name}")`) });
  /** Opens an action of a key. */
  async function choose(name: string, action: "Rotate" | "Revoke"): Promise<void> {
    await card(name).getByRole("link", { name: action }).click();
  }
  const hidden = () => page.waitForSelector("#secret:text-is('hidden')");

  it("leads a key from sign-in through creation and rotation to its end", async function () {
    needTool(this, "curl", "--version");
    await open();
    await page.click("nav >> text=Keys");
    await page.click("text=New project key");
    const first = await makeKey("night job");
    const line = (await page.textContent("section[aria-labelledby=call] pre code")) ?? "";
    expect(line).to.match(/^echo .* \| curl .*\/v1\/items/);
    const { stdout } = await run("sh", ["-c", line], { env: { ...process.env, ITEMTAPE_API_KEY: first } });
    expect(JSON.parse(stdout).data).to.have.length(1);
    await page.click("text=Back to the keys");
    expect(await card("night job").textContent())
      .to.contain(first.slice(-4))
      .and.not.contain(first);
    await card("night job").getByRole("link", { name: "Rotate night job" }).click();
    expect(await page.textContent("main")).to.contain("The old secret stops at once");
    await page.click("text=Rotate now");
    const second = await shownSecret(page);
    expect([await statusOf(base, first), await statusOf(base, second)]).to.deep.equal([401, 200]);
    await page.click("text=Back to the keys");
    await card("night job").getByRole("link", { name: "Revoke night job" }).click();
    await page.click("text=Revoke for good");
    expect(await page.textContent(".notice")).to.contain("night job is revoked for good");
    expect(await page.evaluate("document.activeElement.className")).to.contain("notice");
    expect(await card("night job").getAttribute("data-state")).to.equal("revoked");
    expect(await statusOf(base, second)).to.equal(401);
    await page.click("nav >> text=Activity");
    const log = await page.locator(".log tbody tr").allTextContents();
    expect(log.slice(0, 3).map((row) => /Key \w+/.exec(row)?.[0])).to.deep.equal([
      "Key revoked",
      "Key rotated",
      "Key created",
    ]);
    expect(browser.complaints).to.deep.equal([]);
    expect([...new Set(browser.requests.map((address) => new URL(address).origin))]).to.deep.equal([base]);
  });

  itLong("creates a personal token for the checked portfolios, after consent", async () => {
    await open("/dashboard/tokens/new");
    await page.fill("#name", "sheet");
    await page.getByRole("checkbox", { name: /Main inventory/ }).check();
    expect(await page.isChecked("#consent")).to.equal(false);
    await page.check("#consent");
    await page.click("text=Make the token");
    const secret = await shownSecret(page);
    const answer = await fetch(`${base}/v1/me/portfolios`, { headers: { authorization: `Bearer ${secret}` } });
    const { data } = (await answer.json()) as { data: { name: string }[] };
    expect(data.map(({ name }) => name)).to.deep.equal(["Main inventory"]);
    await page.click("text=Back to the keys");
    expect(await card("sheet").textContent())
      .to.contain("Main inventory")
      .and.contain("portfolio:read");
  });

  itLong("turns a saved Steam inventory into valued holdings, and asks about ambiguities", async () => {
    await open("/dashboard/portfolios");
    await page.click("text=New portfolio");
    await page.fill("#name", "From Steam");
    await page.click("text=Create portfolio");
    await page.click("text=Add items");
    const names = ["Chroma 2 Case", "Chroma 2 Case", "★ Bayonet | Doppler (Factory New)", "A Medal of Nobody"];
    const buffer = Buffer.from(inventoryOf(names));
    await page.setInputFiles("#file", { name: "inventory.json", mimeType: "application/json", buffer });
    await page.click("text=Preview");
    expect(await page.textContent("#changes")).to.equal("2 lots would be added. Nothing is stored yet.");
    expect(await page.textContent("section[aria-labelledby=unknown]")).to.contain("A Medal of Nobody");
    await page.getByLabel("★ Bayonet | Doppler (Factory New)").selectOption({ label: "Ruby (item 433)" });
    await page.click("main button:text-is('Import')");
    await page.waitForSelector(".notice");
    expect(await page.textContent(".notice")).to.equal("3 lots were added. 1 lot of the file was left out.");
    const rows = await page.locator(".holdings tbody tr").allTextContents();
    expect(rows).to.have.length(2);
    // The main platform does not distinguish phases; another market has the lowest price of this one.
    expect(rows[0]).to.contain("Ruby").and.contain("unknown").and.contain("(demo)");
    expect(rows[1]).to.match(/Chroma 2 Case\s+2/);
    expect(browser.complaints).to.deep.equal([]);
  });

  itLong("leads from an error to its field, by keyboard", async () => {
    await open("/dashboard/tokens/new");
    await page.fill("#name", "sheet");
    await page.check("#consent");
    await page.click("text=Make the token");
    await page.waitForSelector(".notice.problem:focus");
    expect(await page.title()).to.match(/^Error: /);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await until(page, "location.hash === '#portfolio'");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.name")).to.equal("portfolio");
    expect(await page.inputValue("#name")).to.equal("sheet");
    expect(await page.isChecked("#consent")).to.equal(false);
  });

  it("hides a secret after five minutes, not earlier", async () => {
    await page.clock.install({ time: ann.world.clock.at });
    await page.clock.pauseAt(ann.world.clock.at + 1000);
    await open("/dashboard/keys/new");
    const secret = await makeKey("five minutes");
    await page.waitForSelector("#copy:visible");
    expect(await page.textContent("#remaining")).to.contain("5:00");
    await page.clock.runFor(5 * minuteMs - 1);
    expect(await shownSecret(page)).to.equal(secret);
    await page.clock.runFor(1);
    await hidden();
    expect(await page.content()).to.not.contain(secret);
    expect(await page.textContent("#secret-status")).to.contain("five minutes");
    expect(await page.isVisible("#copy")).to.equal(false);
  });

  itLong("hides a secret after sleep if its five minutes are over", async () => {
    await page.clock.install({ time: ann.world.clock.at });
    await page.clock.pauseAt(ann.world.clock.at + 1000);
    await open("/dashboard/keys/new");
    const secret = await makeKey("asleep");
    await page.waitForSelector("#copy:visible");
    await page.clock.setSystemTime(ann.world.clock.at + 10 * minuteMs);
    await page.clock.runFor(1000);
    await hidden();
    expect(await page.content()).to.not.contain(secret);
  });

  itLong("hides a secret when another tab is shown", async () => {
    await open("/dashboard/keys/new");
    const secret = await makeKey("other tab");
    await page.waitForSelector("#copy:visible");
    // A page in a headless browser cannot be hidden in any other way.
    await page.evaluate(`Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
      document.dispatchEvent(new Event("visibilitychange"))`);
    await hidden();
    expect(await page.content()).to.not.contain(secret);
    expect(await page.textContent("#secret-status")).to.contain("this tab was left");
  });

  it("keeps a secret out of address, storage and history across reloads", async () => {
    await open("/dashboard/keys/new");
    const secret = await makeKey("way back");
    await page.waitForSelector("#copy:visible");
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(kept).to.equal('[{},{},""]');
    await page.click("nav >> text=Overview");
    await page.waitForSelector("text=Sign out everywhere");
    await page.goBack();
    await page.waitForSelector("h1:text-is('Keys')");
    expect(await page.content()).to.not.contain(secret);
    await page.reload();
    expect(await page.textContent("h1")).to.equal("Keys");
    expect(keyNames(ann).filter((name) => name === "way back")).to.have.length(1);
    expect([...browser.requests, page.url()].filter((address) => address.includes(secret))).to.deep.equal([]);
  });

  itLong("copies a secret by its button", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await open("/dashboard/keys/new");
    const secret = await makeKey("copied");
    await page.click("#copy");
    await page.waitForSelector("#secret-status:text-is('Copied.')");
    expect(await page.evaluate("navigator.clipboard.readText()")).to.equal(secret);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await page.evaluate("document.querySelector('#secret-status').textContent = ''");
    await page.click("text=Copy as a line of .env");
    await page.waitForSelector("#secret-status:text-is('Copied.')");
    expect(await page.evaluate("navigator.clipboard.readText()")).to.equal(`ITEMTAPE_API_KEY=${secret}`);
    expect(await page.textContent("pre")).to.equal(
      `echo "Authorization: Bearer $ITEMTAPE_API_KEY" | curl -H @- "${base}/v1/items?limit=1"`,
    );
  });

  itLong("creates and revokes a key without JavaScript", async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Emulation.setScriptExecutionDisabled", { value: true });
    await open("/dashboard/keys/new");
    const secret = await makeKey("plain");
    expect(await page.textContent("noscript")).to.contain("Without JavaScript the secret stays");
    expect(await page.isVisible("#copy")).to.equal(false);
    expect(await statusOf(base, secret)).to.equal(200);
    await page.click("text=Back to the keys");
    await choose("plain", "Revoke");
    await page.click("text=Revoke for good");
    expect(await page.textContent(".notice")).to.contain("plain");
    expect(await statusOf(base, secret)).to.equal(401);
  });

  itLong("asks for the password before creation with an old sign-in", async () => {
    await open("/dashboard/keys/new");
    ann.world.clock.advance(30 * minuteMs + 1);
    await page.fill("#name", "too late");
    await page.click("text=Make the key");
    await page.waitForSelector("h1:text-is('Enter your password again')");
    expect(keyNames(ann)).to.not.contain("too late");
    await page.fill("#password", goodPassword);
    await page.click("text=Go on");
    await page.waitForSelector("h1:text-is('New project key')");
    await makeKey("in time");
    expect(keyNames(ann)).to.contain("in time");
  });

  itLong("revokes with an old sign-in", async () => {
    const { key, secret } = ann.world.keysOf((keys) => keys.create(ann.account.accountId, "lost", 30));
    await open(`/dashboard/keys/${key.keyId}/revoke`);
    ann.world.clock.advance(30 * minuteMs + 1);
    await page.click("text=Revoke for good");
    await page.waitForSelector(".notice");
    expect(await statusOf(base, secret)).to.equal(401);
  });
});
