import { expect } from "chai";
import type { Page } from "playwright-core";
import { Browser, needBrowser } from "../support/browser.ts";
import { describeLong, isLongRun } from "../support/size.ts";
import { OwnerWorld } from "./dashboard/owner-world.ts";
import { signIn, takeDemoPortfolios } from "./dashboard/person.ts";

/** Most presses of the Tab key that a page may need. */
const pressesMax = 400;

/** A page to walk through, and a selector that matches once it is ready. `isLong` pages are only in the long run. */
type Walk = { path: string; ready?: string; status?: number; isLong?: boolean };

const withoutAccount: readonly Walk[] = [
  { path: "/dashboard/sign-in" },
  { path: "/", isLong: true },
  { path: "/market?q=karambit+doppler+ruby", ready: "#rows tr", isLong: true },
  { path: "/docs/operations/getMarketPrices", isLong: true },
  { path: "/docs", isLong: true },
  { path: "/docs/guides/", isLong: true },
  { path: "/docs/guides/start", isLong: true },
  { path: "/client/", isLong: true },
  { path: "/problems", isLong: true },
  { path: "/problems/rate_limited", isLong: true },
  { path: "/nothing", status: 404, isLong: true },
];
const asOwner: readonly Walk[] = [
  { path: `/market?q=karambit+doppler${isLongRun ? "" : "+ruby"}`, ready: "#rows tr" },
  { path: "/items/661", ready: "#item:not([hidden]) canvas" },
  { path: "/dashboard", isLong: true },
  { path: "/", ready: "#day:not([hidden])", isLong: true },
  { path: "/openables", ready: "main li a[href], main tbody a[href]", isLong: true },
  { path: "/openables/kilowatt-case", ready: "#detail:not([hidden]) svg", isLong: true },
  { path: "/indexes", ready: "main a[href*='cases-']", isLong: true },
  { path: "/indexes/cases-capitalization", ready: "main canvas", isLong: true },
  { path: "/dashboard/keys", isLong: true },
  { path: "/dashboard/keys/new", isLong: true },
  { path: "/dashboard/tokens/new", isLong: true },
  { path: "/dashboard/portfolios", isLong: true },
  { path: "/dashboard/portfolios/new", isLong: true },
  { path: "/dashboard/activity", isLong: true },
  { path: "/dashboard/password", isLong: true },
];
const played = (walks: readonly Walk[]) => walks.filter(({ isLong = false }) => isLongRun || !isLong);

/** Records the focused elements of the page and the look of their focus. */
const watch = `(() => {
  const seen = new Set();
  const plain = new Map();
  const look = (one) => { const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(one); return [outlineStyle, outlineWidth, boxShadow, borderColor].join(); };
  const text = (one) => one.tagName.toLowerCase() + (one.id ? "#" + one.id : "") + " " + (one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 40);
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && one.getClientRects().length > 0;
  const isChosen = (one) => one.type !== "radio" || one.checked || !document.querySelector('input[type="radio"][name="' + one.name + '"]:checked');
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter((one) => one.tabIndex >= 0 && !one.matches(":disabled") && isShown(one) && isChosen(one));
  for (const one of all) plain.set(one, look(one));
  const unseen = [], outside = [];
  document.addEventListener("focusin", ({ target }) => {
    if (seen.has(target)) return;
    seen.add(target);
    const box = target.getBoundingClientRect();
    if (target.matches(":focus-visible") && plain.has(target) && look(target) === plain.get(target)) unseen.push(text(target));
    if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) outside.push(text(target));
  });
  const focusable = "a[href], button, input, select, textarea, summary, label, [tabindex='0']";
  globalThis.walked = () => ({
    first: text(all[0]), count: all.length, seen: seen.size, unseen, outside,
    missed: all.filter((one) => !seen.has(one) && isShown(one)).map(text),
    byMouseAlone: [...document.querySelectorAll("main *, header *")]
      .filter((one) => isShown(one) && getComputedStyle(one).cursor === "pointer" && one.closest(focusable) === null).map(text),
  });
})()`;

type Walked = { first: string; count: number; seen: number } & Record<
  "unseen" | "outside" | "missed" | "byMouseAlone",
  string[]
>;

describeLong("pages by keyboard alone", () => {
  let ann: OwnerWorld;
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(180_000);
    needBrowser(this);
    ann = await OwnerWorld.start();
    takeDemoPortfolios(ann);
    browser = await Browser.open();
    page = await browser.page("about:blank");
  });
  after(async () => {
    await browser?.close();
    await ann?.world.stop();
  });
  beforeEach(() => ann.world.clock.advance(61_000));

  /** Walks a page by the Tab key until all its controls had the focus, or the walk is too long. */
  async function walk({ path, ready = "main", status = 200 }: Walk): Promise<Walked> {
    // An address that differs after the # alone would load nothing.
    await page.goto("about:blank");
    const answer = await page.goto(ann.world.base + path);
    expect(answer?.status(), path).to.equal(status);
    await page.waitForSelector(ready);
    await page.evaluate(watch);
    let left: Walked;
    let pressed = 0;
    do {
      // Presses once per missing control, then checks again, because focus may reveal another control.
      left = (await page.evaluate("walked()")) as Walked;
      for (let press = 0; press < Math.max(1, left.missed.length); press += 1) await page.keyboard.press("Tab");
      pressed += Math.max(1, left.missed.length);
      left = (await page.evaluate("walked()")) as Walked;
    } while (left.missed.length > 0 && pressed < Math.min(pressesMax, left.count * 2 + 10));
    return left;
  }

  const findings = ({ first, unseen, outside, missed, byMouseAlone }: Walked) => ({
    first,
    unseen,
    outside,
    missed,
    byMouseAlone,
  });
  const none = { first: "a Skip to the content", unseen: [], outside: [], missed: [], byMouseAlone: [] };

  for (const one of played(withoutAccount)) {
    it(`reach every visible, marked control by Tab, first the skip link: ${one.path}`, async function () {
      this.timeout(60_000);
      expect(findings(await walk(one))).to.deep.equal(none);
    });
  }

  for (const one of played(asOwner)) {
    it(`reach every visible, marked control by Tab for an owner: ${one.path}`, async function () {
      this.timeout(60_000);
      await page.goto(`${ann.world.base}/dashboard`);
      if (page.url().includes("/sign-in")) await signIn(page, ann);
      expect(findings(await walk(one))).to.deep.equal(none);
    });
  }

  it("report an unreachable, an unmarked and a mouse-only control", async () => {
    await page.goto(`${ann.world.base}/problems`);
    await page.evaluate(`{
      const add = (tag, style) => { const made = document.createElement(tag); made.textContent = tag; made.style.cssText = style; document.querySelector("main").append(made); return made; };
      add("button", "outline: none").id = "unmarked";
      add("div", "cursor: pointer").id = "mouse";
      add("button", "").addEventListener("keydown", (event) => event.preventDefault());
      add("button", "").id = "behind";
    }`);
    await page.evaluate(watch);
    for (let press = 0; press < 60; press += 1) await page.keyboard.press("Tab");
    const { unseen, missed, byMouseAlone } = (await page.evaluate("walked()")) as Walked;
    expect(unseen).to.deep.equal(["button#unmarked button"]);
    expect(missed[0]).to.equal("button#behind button");
    expect(byMouseAlone).to.deep.equal(["div#mouse div"]);
  });
});
