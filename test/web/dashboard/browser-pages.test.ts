import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { lookedAt } from "../../support/axe.ts";
import { Browser, needBrowser } from "../../support/browser.ts";
import { casesBySize, describeLong, isLongRun } from "../../support/size.ts";
import { OwnerWorld } from "./owner-world.ts";
import { inventoryOf, keyNames, signIn, statusOf, takeDemoPortfolios } from "./person.ts";

describeLong("dashboard pages in a browser", () => {
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
    await statusOf(base, ann.account.secret);
    browser = await Browser.open();
    page = await browser.page("about:blank");
  });
  after(async () => {
    await browser?.close();
    await ann?.world.stop();
  });

  const open = async (path: string) => {
    await page.goto(base + path);
    if (page.url().includes("/sign-in?")) await signIn(page, ann);
  };
  const firstKey = (action: string) => `/dashboard/keys/${ann.account.key.keyId}/${action}`;

  const looks: Record<string, () => Promise<unknown>> = {
    "the sign-in": () => page.goto(`${base}/dashboard/sign-in`),
    "the page of a one-time link": () => page.goto(`${base}/dashboard/invite/${ann.invite()}`),
    "the overview": () => open("/dashboard"),
    "the password asked for again": () => open("/dashboard/sign-in-again"),
    "the keys": () => open("/dashboard/keys"),
    "a new personal token": () => open("/dashboard/tokens/new"),
    "a refused form": async () => {
      await open("/dashboard/tokens/new");
      await page.evaluate("document.querySelector('main form').noValidate = true");
      await page.click("text=Make the token");
      await page.waitForSelector(".notice.problem:focus");
    },
    "a new secret": async () => {
      await open("/dashboard/keys/new");
      await page.fill("#name", "seen");
      await page.click("text=Make the key");
      await page.waitForSelector("#copy:visible");
    },
    "a hidden secret": async () => {
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))");
      await page.waitForSelector("#secret-status a");
    },
    "the question before a rotation": () => open(firstKey("rotate")),
    "the question before a revocation": () => open(firstKey("revoke")),
    "the change of the password": () => open("/dashboard/password"),
    "a refused password change": async () => {
      await open("/dashboard/password");
      await page.evaluate("document.querySelector('main form').noValidate = true");
      await page.fill("#again", "another good one");
      await page.click("main button");
      await page.waitForSelector(".notice.problem:focus");
    },
    "the activity": () => open("/dashboard/activity"),
    "the portfolios": () => open("/dashboard/portfolios"),
    "a portfolio": async () => {
      await open("/dashboard/portfolios");
      await page.click("text=Main inventory");
      await page.waitForSelector("#plot canvas");
    },
    "a portfolio without a value": async () => {
      await open("/dashboard/portfolios");
      await page.click("text=Empty shelf");
      await page.waitForSelector("text=Valuation is switched off on this server");
    },
    "a new portfolio": () => open("/dashboard/portfolios/new"),
    "the form for a file": async () => {
      await open("/dashboard/portfolios");
      await page.click("text=Empty shelf");
      await page.click("text=Add items");
      await page.waitForSelector("#file");
    },
    "the preview of a file": async () => {
      const names = ["★ Bayonet | Doppler (Factory New)", "Chroma 2 Case", "A Medal of Nobody"];
      await page.setInputFiles("#file", {
        name: "inventory.json",
        mimeType: "application/json",
        buffer: Buffer.from(inventoryOf(names, { more_items: 1, total_inventory_count: 9 })),
      });
      await page.click("text=Preview");
      await page.waitForSelector("#changes");
    },
    "an unknown page": () => open("/dashboard/nowhere"),
  };

  for (const [name, look] of Object.entries(looks)) {
    if (!isLongRun && name !== "the keys") continue;
    it(`have no serious accessibility finding and fit 360 px: ${name}`, async () => {
      browser.complaints.length = 0;
      browser.requests.length = 0;
      await look();
      expect(await lookedAt(page, 360)).to.deep.equal({ light: [], dark: [], wide: { 360: 360 } });
      const complaints = browser.complaints.filter((text) => !/status of 40[04]/.test(text));
      expect(complaints).to.deep.equal([]);
      const elsewhere = browser.requests.filter(
        (address) => !/^\/(dashboard|browser|assets)(\/|$)/.test(address.replace(base, "")),
      );
      expect(elsewhere).to.deep.equal([]);
    });
  }

  it("fail the accessibility check for unlabeled fields and low contrast", async () => {
    await open("/dashboard/keys/new");
    await page.evaluate("document.querySelector('label[for=name]').remove()");
    await page.evaluate("document.querySelector('h1').style.color = '#cccccc'");
    const found = (await lookedAt(page)).light.map((text) => text.split(":")[0]);
    expect(found).to.include.members(["label", "color-contrast"]);
  });

  it("draw a portfolio's complete days only, each readable by keyboard", async () => {
    await look("a portfolio");
    const rows = await page
      .locator("#values tr[data-day]")
      .evaluateAll((all) =>
        all.map(({ dataset }) => [Number(dataset.day), dataset.complete === "yes" && dataset.value !== ""] as const),
      );
    const complete = new Map(rows);
    const from = Number(await page.getAttribute("#chart", "data-from"));
    const drawn = (await page.evaluate(inkByDay)) as boolean[];
    expect(drawn).to.deep.equal(drawn.map((_, index) => complete.get(from + index) ?? false));
    expect(new Set(drawn)).to.deep.equal(new Set([true, false]));
    await page.focus("#plot");
    const heard = [];
    for (const key of ["End", "ArrowLeft", "Home"]) {
      await page.keyboard.press(key);
      heard.push(await page.textContent("#reading"));
    }
    expect(heard[0]).to.equal("15 Jan 2026: no value recorded");
    expect(heard[1]).to.match(/^14 Jan 2026: value (\$[\d,]+\.\d\d|unknown), cost (\$|unknown)/);
    expect(heard[2]).to.match(/^16 Dec 2025: /);
  });

  it("reject a form of another origin with the owner's cookie", async () => {
    await open("/dashboard");
    const attacks: [string, Record<string, string>][] = [
      ["/dashboard/keys/new", { name: "stolen", days: "30", after: ann.account.key.keyId }],
      [firstKey("rotate"), { display: ann.account.key.display }],
      [firstKey("revoke"), {}],
      ["/dashboard/sign-out-everywhere", {}],
    ];
    const csrf = (await page.getAttribute("main input[name=csrf]", "value")) ?? "";
    const evil = createServer((req, res) => {
      const [path = "", fields = {}] = attacks[Number(req.url?.slice(1))] ?? [];
      const inputs = Object.entries({ ...fields, csrf }).map(
        ([name, value]) => `<input name="${name}" value="${value}">`,
      );
      res.writeHead(200, { "content-type": "text/html" });
      res.end(`<form method="post" action="${base}${path}">${inputs.join("")}<button>Win</button></form>`);
    });
    await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
    const before = keyNames(ann);
    try {
      for (const index of casesBySize([...attacks.keys()], 2)) {
        await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/${index}`);
        await page.click("button");
        await page.waitForSelector("h1:text-is('The form was refused')");
      }
    } finally {
      evil.close();
    }
    expect(keyNames(ann)).to.deep.equal(before);
    expect(await statusOf(base, ann.account.secret)).to.equal(200);
    await page.goto(`${base}/dashboard`);
    expect(await page.textContent("main")).to.contain("Sign out everywhere");
  });

  it("replace a planted session when the owner signs in", async () => {
    const bob = await ann.another("bob");
    const visitor = await bob.signedIn();
    for (const planted of ["A".repeat(43), visitor.session ?? ""]) {
      await page.context().clearCookies();
      const cookie = { name: "itemtape_session", value: planted, domain: "127.0.0.1", path: "/dashboard" };
      await page.context().addCookies([cookie]);
      await page.goto(`${base}/dashboard/sign-in`);
      if ((await page.textContent("h1")) !== "Sign in") await page.click(".bar button");
      await signIn(page, ann);
      const cookies = (await page.context().cookies(`${base}/dashboard`)).filter(({ name }) => name === cookie.name);
      expect(cookies.map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path }))).to.deep.equal([
        { httpOnly: true, sameSite: "Strict", path: "/dashboard" },
      ]);
      expect(cookies[0]?.value).to.not.equal(planted);
      const anonymous = ann.visitor();
      anonymous.cookies.set("itemtape_session", planted);
      expect((await anonymous.get("/dashboard")).text).to.not.contain(ann.account.accountId);
    }
  });

  const look = (name: string) => (looks[name] ?? (() => Promise.reject(new Error(name))))();
});

/** Run in the page: for each day of the plot, whether a line in the first series' colour was drawn in its middle. */
const inkByDay = `(() => {
  const canvas = document.querySelector("#plot canvas");
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--series-1").trim();
  probe.fillRect(0, 0, 1, 1);
  const wanted = probe.getImageData(0, 0, 1, 1).data.join();
  const [box, frame] = [document.querySelector("#plot .u-over").getBoundingClientRect(), canvas.getBoundingClientRect()];
  const scale = canvas.width / frame.width;
  const { from, to } = document.getElementById("chart").dataset;
  const days = to - from + 1;
  return Array.from({ length: days }, (_, day) => {
    const x = Math.round((box.left - frame.left + ((day + 0.5) * box.width) / days) * scale);
    const { data } = canvas.getContext("2d").getImageData(x, (box.top - frame.top) * scale, 1, box.height * scale);
    return Array.from({ length: data.length / 4 }, (_, at) => data.slice(at * 4, at * 4 + 4).join()).includes(wanted);
  });
})()`;
