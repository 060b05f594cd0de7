import { expect } from "chai";
import type { Page } from "playwright-core";
import { loadContract } from "../../../src/contract/document.ts";
import { documentedOperations, referencePath } from "../../../src/web/docs/documented.ts";
import { pageCodes } from "../../../src/web/problem-pages.ts";
import { Browser, needBrowser } from "../../support/browser.ts";
import { useWorld, World } from "../../support/world.ts";

const operations = documentedOperations(loadContract());
const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

describe("the reference", () => {
  const world = useWorld({ config: { publicUrl: "" } });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(world.base + path, { headers });

  it("the reference consists of files of this server, and its page may load nothing else and run nothing inline", async () => {
    const answer = await get("/docs");
    const text = await answer.text();
    expect(answer.headers.get("content-security-policy")).to.equal(policy);
    expect(text).to.not.match(/<style|<script(?! src="\/)|https?:|\sstyle="|\son[a-z]+="/);
    const parts = [...text.matchAll(/(?:href|src)="(\/(?:docs|browser)\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(parts).to.include.members(["/docs/swagger-ui.js", "/docs/swagger-ui.css", "/docs/browser/main.mjs"]);
    for (const path of parts) expect((await get(path)).status, path).to.equal(200);
  });

  it("llms.txt names every operation with its cost, every sample and every code, and each link leads somewhere", async () => {
    const answer = await get("/llms.txt");
    const text = await answer.text();
    expect(answer.headers.get("content-type")).to.equal("text/plain; charset=utf-8");
    expect(text).to.match(/^# Itemtape\n\n> Itemtape is a read-only/);
    for (const { operationId, method, path } of operations) {
      const line = text.split("\n").find((one) => one.startsWith(`- [${operationId}](`)) ?? "";
      expect(line, operationId)
        .to.contain(`\`${method} ${path}\``)
        .and.match(/costs (nothing|1 unit)/);
      expect(line.match(/\/docs\/samples\//g), operationId).to.have.length(3);
    }
    for (const code of pageCodes) expect(text).to.contain(`](${world.base}/problems/${code})`);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => new URL(link ?? ""));
    expect(new Set(links.map(({ origin }) => origin))).to.deep.equal(new Set([world.base]));
    const paths = new Set(links.map(({ pathname }) => pathname));
    for (const path of paths) expect((await get(path)).status, path).to.equal(200);
    expect(text)
      .to.match(/cents/)
      .and.match(/never zero/)
      .and.match(/Retry-After/)
      .and.match(/itemtape mcp/);
  });

  it("every code is shown by an operation, and its page leads to each of those in the reference", async () => {
    for (const code of pageCodes) {
      const text = await (await get(`/problems/${code}`)).text();
      const links = [...text.matchAll(/href="(\/docs#[^"]+)"/g)].map(([, link]) => link);
      const expected = operations.filter(({ codes }) => codes.includes(code)).map(referencePath);
      expect(links, code).to.deep.equal(expected);
      expect(links, code).to.not.have.length(0);
    }
  });

  it("texts contain the public origin where one is set, and a sample of an unknown operation is not found", async () => {
    const other = await World.start({ config: { publicUrl: "https://prices.example" } });
    try {
      const sample = await (await fetch(`${other.base}/docs/samples/getItem.py`)).text();
      expect(sample).to.contain('BASE = "https://prices.example"');
      expect(await (await fetch(other.base)).text()).to.contain("https://prices.example/v1/items");
    } finally {
      await other.stop();
    }
    const answer = await get("/docs/samples/getNothing.py");
    const { code } = (await answer.json()) as { code: string };
    expect([answer.status, code]).to.deep.equal([404, "endpoint_not_found"]);
  });

  describe("in a browser", () => {
    let browser: Browser;
    let page: Page;
    before(async function () {
      this.timeout(180_000);
      needBrowser(this);
      browser = await Browser.open();
      page = await browser.page(`${world.base}/docs`);
      await page.waitForSelector(".opblock");
    });
    after(() => browser?.close());
    const operation = (operationId: string) => page.locator(`.opblock[id$="-${operationId}"]`);
    const open = async (operationId: string) => {
      await operation(operationId).locator(".opblock-summary-control").click();
      await operation(operationId).locator(".sample code").waitFor();
    };
    const execute = async (operationId: string) => {
      await operation(operationId).locator(".try-out__btn").click();
      await operation(operationId).locator(".execute").click();
      const live = operation(operationId).locator(".live-responses-table");
      await live.locator(".microlight").first().waitFor();
      return live.locator("tbody .response-col_status").first().innerText();
    };

    it("the reference shows every operation", async () => {
      const ids = await page.locator(".opblock").evaluateAll((all) => all.map(({ id }) => id.split("-").at(-1)));
      expect(ids).to.have.members(operations.map(({ operationId }) => operationId));
    });

    it("the reference calls this server with the key in the header and nowhere else", async () => {
      await open("getStatus");
      expect(await execute("getStatus")).to.equal("200");
      await page.click(".btn.authorize");
      expect(await page.textContent(".auth-container")).to.contain("only a key of your own");
      const field = page.locator(".auth-container input");
      // Key by key: a field that is made anew would lose what stood in it.
      await field.pressSequentially(world.keys.builder);
      expect(await field.inputValue()).to.equal(world.keys.builder);
      expect(await field.getAttribute("type")).to.equal("password");
      expect(await field.getAttribute("autocomplete")).to.equal("off");
      await page.click(".auth-btn-wrapper .authorize");
      await page.click(".btn-done");
      await open("listItems");
      expect(await execute("listItems")).to.equal("200");
      const shown = await operation("listItems").innerText();
      expect(shown).to.contain("doppler-factory-new").and.not.contain(world.keys.builder);
      expect(browser.requests.filter((address) => address.includes("itemtape_live_"))).to.deep.equal([]);
      const kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])";
      expect(await page.evaluate(kept)).to.equal('[{},{},""]');
    });

    it("the reference sends nothing and shows why when a field of the form contains a key", async () => {
      await open("listIndexes");
      const [first, again] = [operation("listIndexes"), operation("listItems")];
      await first.locator(".try-out__btn").click();
      const asked = browser.requests.length;
      for (const [form, field, key] of [
        [first, "after", world.keys.builder],
        [again, "q", world.keys.builderToken],
      ] as const) {
        await form.locator(`tr[data-param-name="${field}"] input`).fill(key);
        await form.locator(".execute").click();
        await form.locator(".live-responses-table").getByText("belongs under Authorize only").waitFor();
      }
      expect(browser.requests.slice(asked)).to.deep.equal([]);
    });

    it("the reference reads an export to its end, counts it, and shows some of its records", async () => {
      await open("streamMarketSnapshot");
      const example = await operation("streamMarketSnapshot").locator(".example").first().innerText();
      expect(example)
        .to.match(/^\{"type":"start"/)
        .and.contain('\n{"type":"end"');
      expect(await execute("streamMarketSnapshot")).to.equal("200");
      const body = await operation("streamMarketSnapshot")
        .locator(".live-responses-table .microlight")
        .first()
        .innerText();
      expect(body).to.contain("3216 items, closed by an end record");
      expect(body.length).to.be.below(5_000);
    });

    it("the reference shows the records of a stream, nulls and constants as in the contract", async () => {
      const answer = operation("streamMarketSnapshot").locator(".responses-table:not(.live-responses-table) .response");
      const schema = answer.first().locator(".json-schema-2020-12").first();
      await answer.first().locator("button:has-text('Schema')").first().click();
      // The first press folds what is open, the second unfolds all of it.
      for (const word of ["Expand all", "Collapse all"]) {
        await schema.locator(".json-schema-2020-12-expand-deep-button").first().click();
        await schema.locator(`.json-schema-2020-12-expand-deep-button:has-text("${word}")`).first().waitFor();
      }
      await schema.getByText("(integer | null)").first().waitFor();
      const text = await schema.innerText();
      for (const kind of ["start", "item", "end", "error"]) expect(text).to.contain(`Const"${kind}"`);
    });

    it("the reference shows the samples as they are served", async () => {
      const sample = operation("listItems").locator(".sample code");
      for (const [name, ending] of [
        ["curl", "sh"],
        ["TypeScript", "ts"],
        ["Python", "py"],
      ] as const) {
        await operation("listItems").getByRole("tab", { name, exact: true }).click();
        const served = await (await get(`/docs/samples/listItems.${ending}`)).text();
        await sample.filter({ hasText: served }).waitFor();
        expect(await sample.textContent()).to.equal(served);
      }
    });

    it("a problem code links to its page, and that page back to the operation", async () => {
      const link = operation("listItems").locator('a[href="/problems/invalid_api_key"]').first();
      const address = new URL((await link.getAttribute("href")) ?? "", world.base);
      const other = await browser.page(String(address));
      expect(await other.textContent("h1")).to.equal("Invalid API key");
      await other.click('a[href$="/listExchangeRates"]');
      await other.waitForSelector('.opblock.is-open[id$="-listExchangeRates"]');
      await other.close();
    });

    it("the reference fits 360 px without scrolling sideways, with operations open", async () => {
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).to.equal(360);
    });

    it("the reference sends no request to another origin, and the browser's console stays empty", () => {
      expect(new Set(browser.requests.map((address) => new URL(address).origin))).to.deep.equal(new Set([world.base]));
      expect(browser.complaints).to.deep.equal([]);
    });
  });
});
