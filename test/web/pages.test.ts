import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { problems } from "../../src/api/problems.ts";
import { settings } from "../../src/config/config.ts";
import { addressOf, browserFiles, digestOf, pageFile } from "../../src/web/browser-files.ts";
import { itemPage } from "../../src/web/market/item-page.ts";
import { pageCodes } from "../../src/web/problem-pages.ts";
import { sendRaw } from "../api/raw.ts";
import { smallTable } from "../api/small-table.ts";
import { openWorld, type World } from "../api/world.ts";

const lasting = "public, max-age=31536000, immutable";

type Schemas = { components: { schemas: { ErrorCode: { "x-extensible-enum": string[] } } } };

describe("pages", () => {
  let world: World;
  before(async () => {
    world = await openWorld(smallTable());
  });
  after(() => world.close());
  const get = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${world.port}${path}`, init);

  it("name cause, fix and retry of every code", async () => {
    const codes = (document as unknown as Schemas).components.schemas.ErrorCode["x-extensible-enum"];
    expect(codes.length).to.be.greaterThan(30);
    for (const code of [...codes, "snapshot_changed", "snapshot_interrupted"]) {
      const answer = await get(`/problems/${code}`);
      const text = await answer.text();
      expect(answer.status, code).to.equal(200);
      expect(text).to.contain(`<code>${code}</code>`);
      for (const heading of ["Cause", "Fix", "Retry?"])
        expect(text).to.match(new RegExp(`<h2>${heading.replace("?", "\\?")}</h2>\n<p>.{10,}</p>`));
    }
    expect(pageCodes).to.have.members([...codes, "snapshot_changed", "snapshot_interrupted"]);
  });

  it("show a code's record, and link to the operation of its fix", async () => {
    const text = await (await get("/problems/item_not_found")).text();
    expect(text).to.contain('<h2>Fix</h2>\n<p>Use an identifier from <a href="/docs/operations/listItems">');
    const [, record = ""] = /<pre[^>]*><code>([^<]+)</.exec(text) ?? [];
    expect(JSON.parse(record.replaceAll("&#34;", '"'))).to.include({ status: 404, code: "item_not_found" });
    for (const [code, { fix }] of Object.entries(problems))
      if (/(GET|POST) \/v1\//.test(fix))
        expect(await (await get(`/problems/${code}`)).text()).to.match(/<h2>Fix<.*\n.*href/);
  });

  it("link only to served pages from the problem list and start page", async () => {
    for (const page of ["/", "/problems", "/market", "/items/4", "/openables"]) {
      const text = await (await get(page)).text();
      // This small server has no dashboard.
      const links = [...text.matchAll(/href="([^"]+)"/g)]
        .map(([, link]) => link ?? "")
        .filter((link) => !link.startsWith("/dashboard"));
      expect(links).to.not.have.length(0);
      for (const link of links) expect((await get(link)).status, link).to.equal(200);
    }
  });

  it("redirect a list's address with a trailing slash", async () => {
    for (const list of ["docs", "indexes", "market", "openables", "problems"]) {
      const moved = await fetch(`http://127.0.0.1:${world.port}/${list}/?a=b`, { redirect: "manual" });
      expect([moved.status, moved.headers.get("location")]).to.deep.equal([301, `/${list}`]);
    }
  });

  it("are not compressed again for a new Host", async () => {
    const codings = async (path: string, hosts: readonly string[]) => {
      const asked = hosts.map((host) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: gzip\r\n\r\n`);
      const { answers } = await sendRaw(world.port, asked, { answers: hosts.length });
      return answers.map(({ headers }) => headers.get("content-encoding") ?? null);
    };
    for (const path of ["/", "/docs/operations/getItem"]) {
      await codings(path, ["one.example"]);
      expect(await codings(path, ["two.example", "three.example", "three.example"])).to.deep.equal([
        null,
        null,
        "gzip",
      ]);
    }
  });

  it("load only style, font and pictures of this server if plain", async () => {
    for (const path of ["/problems", "/problems/rate_limited", "/client/"]) {
      const answer = await get(path);
      const text = await answer.text();
      expect(answer.headers.get("content-security-policy"), path).to.equal(
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(text, path).to.not.match(
        /<script|<style|@import|url\(|\sstyle="|\son[a-z]+="|(?:src|<link[^>]+href)="(?!\/)/i,
      );
    }
  });

  it("load market item pictures from the operator's origins only", async () => {
    const plain = (await get("/market")).headers.get("content-security-policy");
    expect(plain).to.contain("img-src 'self';");
    const origins = settings.itemPictures.read("https://a.example/, https://b.example:444");
    const page = pageFile(itemPage(origins), origins);
    expect(page.policy).to.equal(
      plain?.replace("img-src 'self'", "img-src 'self' https://a.example https://b.example:444"),
    );
    expect(page.body).to.contain('data-pictures="https://a.example https://b.example:444"');
    for (const wrong of ["http://a.example", "https://a.example/x", "https://*", "https://a.example;", "'none'"])
      expect(() => settings.itemPictures.read(wrong), wrong).to.throw("https origins without path");
  });

  it("cache font and mark by content, 50 KB at most together", async () => {
    const page = await (await get("/")).text();
    const style = await (await get("/browser/base.css")).text();
    const font = /url\("(\/[^"]+\.woff2)"\)/.exec(style)?.[1] ?? "";
    const mark = /<link rel="icon" type="image\/svg\+xml" href="([^"]+)">/.exec(page)?.[1] ?? "";
    expect(page).to.contain(`<link rel="preload" href="${font}" as="font"`);
    expect(style).to.contain("font-display: swap").and.to.contain("prefers-color-scheme: dark");
    let bytes = 0;
    for (const [path, mediaType] of [
      [font, "font/woff2"],
      [mark, "image/svg+xml"],
    ] as const) {
      const answer = await get(path);
      const body = await answer.arrayBuffer();
      const digest = Buffer.from(await crypto.subtle.digest("SHA-256", body)).toString("hex");
      expect(path).to.contain(`.${digest.slice(0, 12)}.`);
      expect(answer.headers.get("content-type")).to.equal(mediaType);
      expect(answer.headers.get("cache-control")).to.equal(lasting);
      bytes += body.byteLength;
    }
    expect(bytes).to.be.lessThan(50_000);
  });

  it("return HTML for missing addresses to browsers, and problems to others", async () => {
    const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const asked = async (path: string, accept: string, method = "GET") => {
      const answer = await get(path, { method, headers: { accept } });
      return [answer.status, answer.headers.get("content-type"), await answer.text()] as const;
    };
    const [status, mediaType, text] = await asked("/nothing", browser);
    expect([status, mediaType]).to.deep.equal([404, "text/html; charset=utf-8"]);
    expect(text).to.contain("Page not found").and.to.contain('<nav aria-label="Main">');
    const [, icon = ""] = /<link rel="icon" type="image\/svg\+xml" href="([^"]+)">/.exec(text) ?? [];
    expect((await get(icon)).headers.get("content-type")).to.equal("image/svg+xml");
    expect(await asked("/nothing", browser, "HEAD")).to.deep.equal([404, "text/html; charset=utf-8", ""]);
    for (const [path, accept, method] of [
      ["/nothing", "*/*"],
      ["/nothing", "application/json"],
      ["/nothing", "text/html;q=0.5, application/json"],
      ["/nothing", browser, "POST"],
      ["/v1/nothing", browser],
      ["/v1", browser],
    ] as const) {
      const [, type, body] = await asked(path, accept, method);
      expect([path, accept, type]).to.deep.equal([path, accept, "application/problem+json"]);
      expect(JSON.parse(body)).to.include({ status: 404, code: "endpoint_not_found" });
    }
  });

  it("consist of this server's files, without inline scripts", async () => {
    const pages = ["/market", "/items/4", "/openables", "/indexes", "/indexes/knives-equal"];
    const queue = [...pages];
    const seen = new Set(queue);
    for (const path of queue) {
      const answer = await get(path);
      const text = await answer.text();
      expect(answer.status, path).to.equal(200);
      expect(answer.headers.get("content-type"), path).to.equal(mediaTypeOf(path));
      expect(answer.headers.get("cache-control"), path).to.equal(pages.includes(path) ? "no-cache" : lasting);
      expect(answer.headers.get("x-content-type-options"), path).to.equal("nosniff");
      expect(answer.headers.get("referrer-policy"), path).to.equal("no-referrer");
      expect(answer.headers.get("content-security-policy"), path).to.equal(
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(text, path).to.not.match(
        /@import\s+["u]|url\((?!#)(?!"\/browser\/font\/)(?!\$|["'`]?#)|\sstyle="|\son[a-z]+="/,
      );
      if (pages.includes(path)) expect(text).to.not.match(/<style|<script(?! src="\/)|https?:/);
      for (const [, href, file] of text.matchAll(
        /(?:<link [^>]*href|src)="(\/[^"]+\/[^"]+)"|^(?:import .*from|const library =) "(\.[^"]+)"/gm,
      )) {
        const next = new URL(href ?? file ?? "", `http://here${path}`).pathname;
        if (!seen.has(next) && !/\.[0-9a-f]{12}\./.test(next)) queue.push(next);
        seen.add(next);
      }
      // Names of things, not addresses: the namespace of drawings, the home of a library, the client's example of a server.
      const named = /^https?:\/\/(www\.w3\.org\/2000\/svg|github\.com\/leeoniya\/uPlot|127\.0\.0\.1:8080)$/;
      for (const [address] of text.matchAll(/https?:\/\/[^\s"'`)]+/g)) expect(address, path).to.match(named);
    }
    const folders = new Set(queue.slice(pages.length).map((path) => /^\/assets\/[0-9a-f]{12}\//.exec(path)?.[0]));
    expect(folders.size).to.equal(1);
    const [folder] = folders;
    expect(queue).to.include.members([
      `${folder}web/browser/uplot.js`,
      `${folder}web/browser/uplot.css`,
      `${folder}web/browser/api.js`,
      `${folder}client/browser.js`,
      `${folder}web/market/browser/strip.js`,
      `${folder}web/openables/browser/interval.js`,
      `${folder}values/text/csv.js`,
      `${folder}values/text/item-names.js`,
      `${folder}values/money/money-text.js`,
      `${folder}values/text/phases.js`,
      `${folder}values/time/time-text.js`,
    ]);
  });

  it("have file addresses that change with content, and do not cache others", async () => {
    const address = addressOf("/market/browser/item.js");
    const [own, other] = await Promise.all([get(address), get(address.replace(/[0-9a-f]{12}/, "0123456789ab"))]);
    expect(own.headers.get("cache-control")).to.equal(lasting);
    expect([other.status, other.headers.get("cache-control")]).to.deep.equal([200, "no-cache"]);
    expect(await other.text()).to.equal(await own.text());
    const files = [...browserFiles()];
    const digests = files.map((_, changed) =>
      digestOf(
        files.map(([name, file], index) => [name, index === changed ? { ...file, body: `${file.body} ` } : file]),
      ),
    );
    expect(files.length).to.be.greaterThan(60);
    expect(new Set([digestOf(files), ...digests]).size).to.equal(files.length + 1);
    expect(address).to.contain(`/${digestOf(files)}/`);
    for (const path of [
      "/assets",
      "/assets/",
      `${address}.map`,
      "/assets/0123456789ab/web/market",
      "/assets/0/web/browser/base.css",
      address.replace("/web/", "/web%2F"),
      address.replace("/web/", "/web/web/"),
    ])
      expect((await get(path)).status, path).to.equal(404);
    expect((await get(address, { method: "POST" })).headers.get("allow")).to.equal("GET, HEAD");
  });

  it("lose types from their scripts without any standard error", async () => {
    const module = new URL("../../src/web/browser-files.ts", import.meta.url).href;
    const source = `const { browserFiles } = await import("${module}"); console.log(browserFiles().size);`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", source]);
    expect([Number(stdout) > 60, stderr]).to.deep.equal([true, ""]);
    for (const [path, { body }] of browserFiles())
      if (path.endsWith(".js")) expect(String(body), path).to.not.match(/^import type|from "[^"]+\.ts"/m);
  });

  it("have a request id and security headers in every response", async () => {
    for (const path of [
      "/",
      "/openapi.json",
      "/problems",
      "/problems/rate_limited",
      "/market",
      "/openables",
      "/nothing",
      "/v1/status",
    ]) {
      const { headers } = await get(path);
      expect(headers.get("x-request-id"), path).to.match(/^req_[0-9a-z]{26}$/);
      expect(headers.get("x-content-type-options"), path).to.equal("nosniff");
      const isPage = path !== "/nothing" && path !== "/v1/status";
      expect(headers.get("cache-control"), path).to.equal(isPage ? "no-cache" : "no-store");
      expect(headers.get("vary"), path).to.equal("Authorization, Accept-Encoding");
      expect(headers.get("x-powered-by"), path).to.equal(null);
      expect(headers.has("etag"), path).to.equal(isPage);
    }
  });

  for (const environment of [undefined, "development", "production"]) {
    it(`report unknown ones without a stack trace when NODE_ENV is ${environment}`, async () => {
      const before = process.env.NODE_ENV;
      if (environment === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = environment;
      const other = await openWorld(smallTable());
      try {
        const answer = await fetch(`http://127.0.0.1:${other.port}/problems/nope`);
        expect(answer.headers.get("content-type")).to.equal("application/problem+json");
        expect(await answer.json()).to.include({ status: 404, code: "endpoint_not_found" });
      } finally {
        await other.close();
        if (before === undefined) delete process.env.NODE_ENV;
        else process.env.NODE_ENV = before;
      }
    });
  }
});

function mediaTypeOf(path: string): string {
  if (path.endsWith(".css")) return "text/css; charset=utf-8";
  return /\.m?js$/.test(path) ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8";
}
