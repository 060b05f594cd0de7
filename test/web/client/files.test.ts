import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { repositoryRoot } from "../../../scripts/contract/document.ts";
import { packTarball } from "../../../src/web/client/tarball.ts";
import { smallTable } from "../../api/small-table.ts";
import { openWorld, type World } from "../../api/world.ts";
import { temporaryFolder } from "../../support/files.ts";

const run = promisify(execFile);
const tarball = "/client/itemtape-client.tgz";
const tarballBytesMax = 46_000;
const files: Record<string, string> = {
  [tarball]: "application/gzip",
  [`${tarball}.integrity`]: "text/plain; charset=utf-8",
  "/client/itemtape.js": "text/javascript; charset=utf-8",
  "/client/itemtape.d.ts": "text/typescript; charset=utf-8",
  "/client/itemtape.py": "text/x-python; charset=utf-8",
  "/client/": "text/html; charset=utf-8",
};

describe("downloadable clients", () => {
  let world: World;
  let base: string;
  before(async () => {
    world = await openWorld(smallTable());
    base = `http://127.0.0.1:${world.port}`;
  });
  after(() => world.close());

  it("have media types, tags, equal HEAD headers and 304 responses", async () => {
    for (const [path, mediaType] of Object.entries(files)) {
      const answer = await fetch(base + path);
      const tag = answer.headers.get("etag") ?? "";
      expect([answer.status, answer.headers.get("content-type")], path).to.deep.equal([200, mediaType]);
      expect(tag, path).to.match(/^W\/"/);
      expect((await answer.arrayBuffer()).byteLength, path).to.be.greaterThan(90);
      const head = await fetch(base + path, { method: "HEAD" });
      expect([head.status, head.headers.get("etag"), await head.text()], path).to.deep.equal([200, tag, ""]);
      expect((await fetch(base + path, { headers: { "if-none-match": tag } })).status, path).to.equal(304);
    }
  });

  it("return problem records for other methods and missing files", async () => {
    for (const path of Object.keys(files)) {
      const answer = await fetch(base + path, { method: "DELETE" });
      expect([answer.status, answer.headers.get("allow")], path).to.deep.equal([404, "GET, HEAD"]);
      expect(await answer.json(), path).to.include({ code: "endpoint_not_found" });
    }
    for (const path of ["/client/package.json", "/client/itemtape-client.tgz/", "/client/x"]) {
      const answer = await fetch(base + path);
      expect([answer.status, answer.headers.get("content-type")], path).to.deep.equal([
        404,
        "application/problem+json",
      ]);
    }
  });

  it("are installed by npm from their address with an integrity check", async () => {
    const folder = temporaryFolder();
    const bytes = Buffer.from(await (await fetch(base + tarball)).arrayBuffer());
    const integrity = (await (await fetch(`${base}${tarball}.integrity`)).text()).trim();
    expect(integrity).to.equal(`sha512-${createHash("sha512").update(bytes).digest("base64")}`);
    expect(bytes.length).to.be.at.most(tarballBytesMax);
    const words = ["install", base + tarball, "--registry=http://127.0.0.1:9", "--no-audit", "--no-fund"];
    await run("npm", [...words, "--cache", join(folder, ".cache")], { cwd: folder });
    const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
    expect(Object.keys(lock.packages)).to.deep.equal(["", "node_modules/itemtape-client"]);
    expect(lock.packages["node_modules/itemtape-client"]).to.include({ resolved: base + tarball, integrity });
    for (const name of ["itemtape.js", "itemtape.d.ts", "LICENSE", "README.md", "package.json"]) {
      const installed = readFileSync(join(folder, "node_modules/itemtape-client", name), "utf8");
      expect(installed, name).to.equal(readFileSync(join(repositoryRoot, "generated/client", name), "utf8"));
    }
    writeFileSync(
      join(folder, "a.mjs"),
      'import { Itemtape } from "itemtape-client";\nconsole.log(typeof new Itemtape().getItem);\n',
    );
    expect((await run(process.execPath, ["a.mjs"], { cwd: folder })).stdout).to.equal("function\n");
  });

  it("have the same bytes on every Node version and file order", async () => {
    const numbers = Array.from({ length: 3000 }, (_, index) => `${index * index} `).join("");
    const files = [
      { name: "b.txt", content: Buffer.from(numbers) },
      { name: "a.txt", content: Buffer.from("a") },
    ];
    const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
    const recorded = "6e32d9ce3ac1952082bec59275481fc4e1edb309a3b3fd7030f69b01712c82d6";
    expect(digest(await packTarball(files))).to.equal(recorded);
    expect(digest(await packTarball(files.toReversed()))).to.equal(recorded);
  });

  it("have a page that names its server and links only to files", async () => {
    const text = await (await fetch(`${base}/client/`)).text();
    expect(text).to.contain(`npm install ${base}${tarball}`);
    // This small server has no dashboard.
    const links = [...text.matchAll(/href="([^"]+)"/g)]
      .map(([, link]) => String(link))
      .filter((link) => link !== "/dashboard");
    expect(links).to.include.members(Object.keys(files).filter((path) => path !== "/client/"));
    for (const link of links) expect((await fetch(new URL(link, base))).status, link).to.equal(200);
  });
});
