import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { everyFinding, lookedAt } from "../../support/axe.ts";
import { Browser, needBrowser, until } from "../../support/browser.ts";
import { guideFolder, readGuides } from "../../support/guides.ts";
import { casesBySize, itLong } from "../../support/size.ts";
import { useWorld } from "../../support/world.ts";

const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
const names = readGuides()
  .filter(({ path }) => path.startsWith(guideFolder) && !path.endsWith("README.md"))
  .map(({ path }) => path.slice(guideFolder.length + 1, -".md".length));
const pages = ["/docs/guides/", "/docs/guides", "/docs/guides/start", ...names.map((name) => `/docs/guides/${name}`)];

describe("guides as pages", () => {
  const world = useWorld();
  const get = (path: string, headers: Record<string, string> = {}) => fetch(world.base + path, { headers });

  it("are HTML that loads and runs only this server's files", async () => {
    for (const path of pages) {
      const answer = await get(path);
      const text = await answer.text();
      expect(answer.status, path).to.equal(200);
      expect(answer.headers.get("content-type"), path).to.equal("text/html; charset=utf-8");
      expect(answer.headers.get("content-security-policy"), path).to.equal(policy);
      expect(answer.headers.get("cache-control"), path).to.equal("no-cache");
      expect(answer.headers.get("x-content-type-options"), path).to.equal("nosniff");
      expect(text.match(/<h1>/g), path).to.have.length(1);
      expect(text, path).to.not.match(/<style|<script(?! src="\/)|\sstyle="|\son[a-z]+="|<p>&lt;!--/);
      const regions = Array.from(text.matchAll(/role="region" aria-label="([^"]*)"/g), ([, name]) => name);
      expect(new Set(regions).size, `${path}: ${regions.join("; ")}`).to.equal(regions.length);
      // A reader follows a link. The page loads everything else at once.
      for (const [, tag, address = ""] of text.matchAll(/<(\w+)[^>]*?\s(?:src|href)="([^"#]+)/g))
        expect(address, `${path} ${tag}`).to.match(tag === "a" ? /^(\/|https:\/\/)/ : /^\//);
    }
  });

  it("link only to served pages and existing headings", async () => {
    const texts = new Map<string, string>();
    const read = async (path: string) => {
      const answer = await get(path);
      expect(answer.status, path).to.equal(200);
      const text = await answer.text();
      texts.set(path, text);
      return text;
    };
    for (const page of pages) {
      for (const [, link = ""] of (await read(page)).matchAll(/(?:href|src)="([/#][^"]*)"/g)) {
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : path;
        const text = texts.get(target) ?? (await read(target));
        if (anchor !== undefined) expect(text, `${page} leads to ${link}`).to.contain(` id="${anchor}"`);
      }
    }
    expect([...texts.keys()]).to.include.members([...pages, "/docs/guides/pictures/charts.png", "/openapi.json"]);
  });

  it("list all guides, and mark the open one with its sections", async () => {
    const text = await (await get("/docs/guides/history")).text();
    const side = /<nav class="side"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? "";
    for (const name of names) expect(side).to.contain(`href="/docs/guides/${name}"`);
    expect(side.match(/aria-current="page"/g)).to.have.length(1);
    expect(side)
      .to.contain('<a href="/docs/guides/history" aria-current="page">')
      .and.contain('<a href="#frames">Frames</a>');
  });

  it("are also served as Markdown, with working links", async () => {
    for (const name of [...names, "start", "README"]) {
      const answer = await get(`/docs/guides/${name}.md`);
      const text = await answer.text();
      expect(answer.headers.get("content-type"), name).to.equal("text/markdown; charset=utf-8");
      expect(text, name).to.match(/^# .+\n/);
      for (const [, link = ""] of text.matchAll(/\]\(([^()\s#]+)[^()\s]*\)/g)) {
        if (link.startsWith("https:")) continue;
        expect(link, name).to.match(/^\//);
        expect((await get(link)).status, `${name}: ${link}`).to.equal(200);
      }
    }
  });

  it("support tags and compression, and reject other methods and names", async () => {
    const path = "/docs/guides/clients";
    const { headers } = await get(path);
    const again = await get(path, { "if-none-match": headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).to.deep.equal([304, ""]);
    const packed = await new Promise<Buffer>((resolve, reject) => {
      const asked = request(world.base + path, { headers: { "accept-encoding": "gzip" } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => resolve(Buffer.concat(parts)));
      });
      asked.on("error", reject);
      asked.end();
    });
    expect(gunzipSync(packed).toString()).to.equal(await (await get(path)).text());
    const posted = await fetch(world.base + path, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).to.deep.equal([404, "GET, HEAD"]);
    for (const other of ["/docs/guides/nothing", "/docs/guides/history/", "/docs/guides/..%2fguides.ts"])
      expect((await get(other)).status, other).to.equal(404);
  });

  it("are linked from the start page, the reference and llms.txt", async () => {
    for (const path of ["/", "/docs"]) expect(await (await get(path)).text()).to.contain('href="/docs/guides/"');
    const text = await (await get("/llms.txt")).text();
    for (const name of names) expect(text).to.contain(`(${world.base}/docs/guides/${name}.md)`);
  });

  describe("in a browser", () => {
    let browser: Browser;
    let page: Page;
    before(async function () {
      this.timeout(180_000);
      needBrowser(this);
      browser = await Browser.open();
      page = await browser.page(`${world.base}/docs/guides/history`);
    });
    after(() => browser?.close());
    const shown = () => page.locator("[data-part]:visible");

    it("hide other parts during a search, and mark the found words", async () => {
      const all = await shown().count();
      await page.fill("#find", "carried forward");
      await until(page, "document.querySelectorAll('[data-part][hidden]').length > 0");
      expect(await shown().locator("h2").allTextContents()).to.deep.equal(["Exchange rates #"]);
      expect(await page.textContent("#found")).to.contain(`1 found in 1 of ${all} parts`);
      expect(await page.evaluate("[...CSS.highlights.get('found')].map(String)")).to.deep.equal(["carried forward"]);
      await page.fill("#find", "no such words");
      expect(await page.textContent("#found")).to.equal("Not found in this page.");
      expect(await shown().count()).to.equal(0);
      await page.fill("#find", "");
      expect(await shown().count()).to.equal(all);
      expect(await page.evaluate("CSS.highlights.has('found')")).to.equal(false);
    });

    itLong("show a hidden section again when its link is followed", async () => {
      await page.fill("#find", "carried forward");
      await page.click('.side a[href="#indexes"]');
      await until(page, "document.querySelector('#find').value === ''");
      expect(await page.locator("#indexes").isVisible()).to.equal(true);
    });

    it("fit 360 px without a serious accessibility finding in either theme", async function () {
      this.timeout(180_000);
      for (const path of casesBySize(
        ["/docs/conventions", "/docs/guides/history", "/docs/guides/", "/docs/guides/command-line"],
        1,
      )) {
        await page.goto(world.base + path);
        expect({ path, ...(await lookedAt(page, 360)) }).to.deep.equal({
          path,
          light: [],
          dark: [],
          wide: { 360: 360 },
        });
      }
    });

    itLong("have no axe finding at all, even a minor one", async function () {
      this.timeout(300_000);
      const operations = ["getMarketPrices", "listItems", "streamMarketSnapshot"].map((id) => `/docs/operations/${id}`);
      for (const path of [...operations, "/docs", "/docs/conventions", ...pages]) {
        await page.goto(world.base + path);
        expect(await everyFinding(page), path).to.deep.equal([]);
      }
    });

    it("send no request to another origin and log nothing", () => {
      expect(new Set(browser.requests.map((address) => new URL(address).origin))).to.deep.equal(new Set([world.base]));
      expect(browser.complaints).to.deep.equal([]);
    });
  });
});
