import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { document } from "../../../scripts/contract/answers.ts";
import { listedValues } from "../../../scripts/contract/document.ts";
import { loadContract } from "../../../src/contract/document.ts";
import { type Entry, foundIn } from "../../../src/web/docs/browser/search.ts";
import { documentedOperations, referencePath } from "../../../src/web/docs/documented.ts";
import { enumMeanings } from "../../../src/web/docs/reference/enum-meanings.ts";
import { pageCodes } from "../../../src/web/problem-pages.ts";
import { casesBySize } from "../../support/size.ts";
import { useWorld, World } from "../../support/world.ts";

type Json = { readonly [key: string]: unknown };

const operations = documentedOperations(loadContract());
const paths = ["/docs", "/docs/conventions", ...operations.map(referencePath)];
const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
const firstPaintBytesMax = 60_000;
const pageBytesMax = 200_000;

describe("API reference", () => {
  const world = useWorld({ config: { publicUrl: "" } });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(world.base + path, { headers });
  const read = async (path: string) => (await get(path)).text();

  it("has a page per operation with all parameters, fields, statuses and codes", async () => {
    for (const operation of operations) {
      const { operationId, path, method, summary, codes } = operation;
      const node = (document.paths[path] as Record<string, Json>)[method.toLowerCase()]!;
      const text = await read(referencePath(operation));
      const names = [...walk(node)];
      for (const name of names) expect(text, operationId).to.contain(`<code>${name}</code>`);
      expect(names.length, operationId).to.be.greaterThan(5);
      for (const status of Object.keys(node.responses as Json).filter((one) => one !== "200"))
        expect(text, operationId).to.match(new RegExp(`<summary><b>${status}</b>`));
      for (const code of codes) expect(text, operationId).to.contain(`<a href="/problems/${code}">`);
      expect(text)
        .to.contain(`<h1>${escaped(summary)}</h1>`)
        .and.contain(`<code>${path}</code>`);
      expect(text, operationId).to.not.match(/\$ref|#\/components|undefined|\[object |NaN|origin\.invalid/);
    }
  });

  it("shows plan, cost, example and three samples without a script", async () => {
    for (const operation of operations) {
      const { operationId, plan, cost, path, method } = operation;
      const text = await read(referencePath(operation));
      const badges = /<span class="badges">([\s\S]*?)<\/p>/.exec(text)?.[1] ?? "";
      expect(badges, operationId).to.contain({ none: "No key", free: "All plans", paid: "Paid plans" }[plan]!);
      expect(badges, operationId).to.contain(cost === 0 ? "Free of charge" : "1 unit");
      for (const ending of ["sh", "ts", "py"])
        expect(unmarked(text)).to.contain(await read(`/docs/samples/${operationId}.${ending}`));
      const node = (document.paths[path] as Record<string, Json>)[method.toLowerCase()]!;
      for (const example of examplesOf(follow((node.responses as Json)["200"]))) {
        const shown = typeof example === "string" ? example.trimEnd() : JSON.stringify(example, null, 2);
        expect(unmarked(text), operationId).to.contain(shown);
      }
    }
  });

  it("fills only the required fields of a form", async () => {
    for (const operation of operations) {
      const text = await read(referencePath(operation));
      for (const [field] of text.matchAll(/<(?:input|select)[^>]* form="try"[^>]*>(?:<option value="">)?/g)) {
        const mayStayEmpty = !/ required/.test(field);
        if (mayStayEmpty) expect(field, operation.operationId).to.match(/^<input(?!.* value=)|<option value="">$/);
      }
    }
  });

  it("paints a page after 60 KB and loads 200 KB at most", async () => {
    const sizes = new Map<string, { packed: number; whole: number; imports: readonly string[] }>();
    for (const path of paths) {
      const text = await read(path);
      expect((await get(path)).headers.get("content-security-policy"), path).to.equal(policy);
      const regions = Array.from(text.matchAll(/role="region" aria-label="([^"]*)"/g), ([, name]) => name);
      expect(new Set(regions).size, `${path}: ${regions.join("; ")}`).to.equal(regions.length);
      expect(text, path).to.not.match(/<style|<script(?! src="\/)|\sstyle="|\son[a-z]+="/);
      const linked = [...text.matchAll(/<(?:link|script|img)[^>]*? (?:href|src)="([^"]+)"/g)].map(
        ([, one = ""]) => one,
      );
      for (const address of linked) expect(address, path).to.match(/^\/[^/]/);
      const loaded = new Set([path, ...linked]);
      for (const address of loaded) {
        if (!sizes.has(address)) sizes.set(address, await sizesOf(address));
        for (const name of sizes.get(address)!.imports) loaded.add(name);
      }
      const painted = [...loaded].filter((address) => address === path || address.endsWith(".css"));
      expect(sum(painted.map((address) => sizes.get(address)!.packed)), path).to.be.below(firstPaintBytesMax);
      expect(sum([...loaded].map((address) => sizes.get(address)!.whole)), path).to.be.below(pageBytesMax);
    }
  });

  it("lists every operation with plan and cost, and has no dead link", async () => {
    const overview = await read("/docs");
    const rows = overview.slice(overview.indexOf("<table")).split("<tr>");
    for (const operation of operations) {
      const row = rows.find((one) => one.includes(`"${referencePath(operation)}"><code>`)) ?? "";
      expect(row)
        .to.contain(operation.path)
        .and.match(/unit|Free of charge/)
        .and.match(/No key|All plans|Paid plans/);
    }
    expect(overview).to.contain(`<code>${world.base}/v1</code>`);
    const pages = new Map<string, string>();
    for (const path of paths) pages.set(path, await read(path));
    for (const [page, text] of casesBySize([...pages], 15)) {
      for (const [, link = ""] of text.matchAll(/<a href="([^"]+)"/g)) {
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : path;
        if (!pages.has(target)) {
          const answer = await get(target, { accept: "application/json" });
          expect(answer.status, `${page} leads to ${link}`).to.be.oneOf([200, 303, 401]);
          pages.set(target, await answer.text());
        }
        if (anchor !== undefined) expect(pages.get(target), `${page}: ${link}`).to.contain(` id="${anchor}"`);
      }
    }
  });

  it("divides an enum's description by value without losing a word", () => {
    let divided = 0;
    for (const schema of Object.values((document.components as { schemas: Record<string, Json> }).schemas)) {
      const values = listedValues(schema).map(String);
      if (values.length === 0) continue;
      const text = String(schema.description).trim().replaceAll(/\s+/g, " ");
      const { lead, meanings } = enumMeanings(text, values);
      expect(meanings.flatMap(({ values }) => values)).to.have.members(values);
      const told = meanings.filter((one) => one.text !== "");
      const parts = told.map((one) => `${one.values.map((value) => `\`${value}\``).join(", ")}: ${one.text}`);
      expect([lead, ...parts].filter((part) => part !== "").join(" ")).to.equal(text);
      if (told.length > 0) divided += 1;
    }
    expect(divided).to.be.at.least(20);
    const { lead, meanings } = enumMeanings("What. `a`, `b`: one. `c`: see `x`: not one.", ["a", "b", "c", "d"]);
    expect([lead, ...meanings]).to.deep.equal([
      "What.",
      { values: ["a", "b"], text: "one." },
      { values: ["c"], text: "see `x`: not one." },
      { values: ["d"], text: "" },
    ]);
  });

  it("lists operations with cost, samples and codes in llms.txt, without dead links", async () => {
    const answer = await get("/llms.txt");
    const text = await answer.text();
    expect(answer.headers.get("content-type")).to.equal("text/plain; charset=utf-8");
    expect(text).to.match(/^# Itemtape\n\n> [^\n]* Counter-Strike 2 /);
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
    const targets = new Set(links.map(({ pathname }) => pathname));
    for (const path of targets) expect((await get(path)).status, path).to.equal(200);
    expect(text)
      .to.match(/cents/)
      .and.match(/never zero/)
      .and.match(/Retry-After/)
      .and.match(/itemtape mcp/);
  });

  it("indexes each text by an existing section, within 64 KB compressed", async () => {
    const text = await (await get("/docs/search.json")).text();
    const entries = JSON.parse(text) as Entry[];
    expect(gzipSync(text).length).to.be.at.most(64_000);
    const guides = Map.groupBy(entries, ([path = ""]) => path.split("#")[0] ?? "");
    expect(guides.size).to.be.greaterThan(operations.length + 40);
    const first = (query: string) => foundIn(entries, query)[0]?.[0];
    expect(first("HISTORY index")).to.equal("/docs/operations/getIndexHistory");
    expect(first("rate_limited")).to.equal("/problems/rate_limited");
    expect(first("wrong frame")).to.equal("/docs/guides/history#a-wrong-frame");
    expect(foundIn(entries, "zebra crossing")).to.deep.equal([]);
    for (const [path, parts] of guides) {
      if (!path.startsWith("/docs/guides/")) continue;
      const page = await (await get(path)).text();
      for (const [address = ""] of parts.filter(([address]) => address !== path))
        expect(page, address).to.contain(`id="${address.split("#")[1]}"`);
    }
  });

  it("shows every code at an operation, and links back from its page", async () => {
    for (const code of pageCodes) {
      const text = (await read(`/problems/${code}`)).split("<h2>Operations</h2>")[1]!;
      const links = [...text.matchAll(/href="(\/docs\/operations\/[^"]+)"/g)].map(([, link]) => link);
      const expected = operations.filter(({ codes }) => codes.includes(code)).map(referencePath);
      expect(links, code).to.deep.equal(expected);
      expect(links, code).to.not.have.length(0);
    }
  });

  it("uses a configured public origin, and has no page for unknown operations", async () => {
    const other = await World.start({ config: { publicUrl: "https://prices.example" } });
    try {
      const sample = await (await fetch(`${other.base}/docs/samples/getItem.py`)).text();
      expect(sample).to.contain('BASE = "https://prices.example"');
      const page = await (await fetch(`${other.base}/docs/operations/getItem`)).text();
      expect(unmarked(page)).to.contain(sample).and.not.contain(other.base);
      expect(await (await fetch(`${other.base}/docs`)).text()).to.contain("<code>https://prices.example/v1</code>");
      expect(await (await fetch(other.base)).text()).to.contain("prices.example");
    } finally {
      await other.stop();
    }
    for (const path of ["/docs/samples/getNothing.py", "/docs/operations/getNothing", "/docs/nothing"]) {
      const answer = await get(path);
      const { code } = (await answer.json()) as { code: string };
      expect([answer.status, code], path).to.deep.equal([404, "endpoint_not_found"]);
    }
  });

  /** Bytes of a file and its imports, compressed for a browser and uncompressed. */
  async function sizesOf(address: string) {
    const headers = { "accept-encoding": "gzip" };
    const answer = await world.client.send({ method: "GET", target: address, headers });
    expect(answer.status, address).to.equal(200);
    const imports =
      address.endsWith(".js") && !address.includes("uplot")
        ? [...answer.text.matchAll(/^import [^;]*?from "(\.[^"]+)"/gm)]
        : [];
    return {
      packed: Number(answer.headers.get("content-length")),
      whole: Number((await get(address, { "accept-encoding": "identity" })).headers.get("content-length")),
      imports: imports.map(([, name = ""]) => new URL(name, `http://here${address}`).pathname),
    };
  }
});

/** Names of all parameters and fields of an operation, in any form that the contract allows. */
function* walk(operation: Json): Generator<string> {
  for (const parameter of (operation.parameters ?? []) as Json[]) yield String(follow(parameter).name);
  const seen = new Set<unknown>();
  const answer = follow((operation.responses as Json)["200"]);
  yield* Object.keys(answer.headers as Json);
  for (const part of [follow(operation.requestBody), answer]) {
    for (const { schema } of Object.values((part.content ?? {}) as Record<string, Json>)) yield* fields(schema, seen);
  }
}

function* fields(value: unknown, seen: Set<unknown>): Generator<string> {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  const schema = follow(value);
  if (schema !== value) {
    yield* fields(schema, seen);
    return;
  }
  yield* Object.keys((schema.properties ?? {}) as Json);
  for (const [name, part] of Object.entries(schema)) if (name !== "discriminator") yield* fields(part, seen);
}

function follow(value: unknown): Json {
  let found = (value ?? {}) as Json;
  while (typeof found.$ref === "string") {
    const keys = found.$ref.slice(2).split("/");
    found = keys.reduce<unknown>((parent, key) => (parent as Json)[key], document) as Json;
  }
  return found;
}

function examplesOf(answer: Json): unknown[] {
  const media = Object.values((answer.content ?? {}) as Record<string, { examples?: Json }>);
  return media.flatMap(({ examples = {} }) => Object.values(examples).map((example) => follow(example).value));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The text of a page without its marks. */
function unmarked(page: string): string {
  return page.replaceAll(/<[^>]*>/g, "").replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
