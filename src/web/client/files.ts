import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { contractDiffFile, fileOfProgram } from "../../values/root.ts";
import { html } from "../html.ts";
import type { Page } from "../send-page.ts";
import { plainPage } from "../shell.ts";
import { packTarball } from "./tarball.ts";

/** Path of the page about the clients. Their files are below it. */
export const clientPath = "/client/";
/** Path of the package for npm, Deno and Bun. */
export const tarballPath = `${clientPath}itemtape-client.tgz`;
const reviewPath = `${clientPath}contract-diff.mjs`;

const folder = fileOfProgram("generated/client/");
const packed = ["LICENSE", "README.md", "itemtape.d.ts", "itemtape.js", "package.json"];
const mediaTypes = {
  "itemtape.js": "text/javascript; charset=utf-8",
  "itemtape.d.ts": "text/typescript; charset=utf-8",
  "itemtape.py": "text/x-python; charset=utf-8",
};

/** Returns the client files by path. Each is read or packed on first use. */
export function clientFiles(): ReadonlyMap<string, () => Promise<Page>> {
  const single = Object.entries(mediaTypes).map(([name, mediaType]): [string, () => Promise<Page>] => [
    clientPath + name,
    async () => ({ mediaType, body: read(name) }),
  ]);
  // Only a built package contains the contract diff.
  const built = fileOfProgram(contractDiffFile);
  const review: typeof single = existsSync(built)
    ? [[reviewPath, async () => ({ mediaType: mediaTypes["itemtape.js"], body: readFileSync(built) })]]
    : [];
  return new Map([
    ...single,
    ...review,
    [tarballPath, async () => ({ mediaType: "application/gzip", body: await tarball() })],
    [
      `${tarballPath}.integrity`,
      async () => ({ mediaType: "text/plain; charset=utf-8", body: `${integrityOf(await tarball())}\n` }),
    ],
  ]);
}

/** Returns the page about the clients of the service at `base` (an origin). */
export function clientPage(base: string): string {
  return plainPage(
    "Clients · Itemtape",
    html`<p class="crumbs"><a href="/docs">Reference</a> · <a href="/docs/guides/clients">Guide</a></p>
<h1>Clients</h1>
<p>Install a client from this server, by its address. It is in no registry: a package of that name there would be somebody else's.</p>
<h2>TypeScript and JavaScript</h2>
<p>One module without dependencies, for Node 20 and later, Deno and Bun.</p>
<pre tabindex="0"><code>npm install ${base}${tarballPath}</code></pre>
<p><a href="${tarballPath}">itemtape-client.tgz</a> · its <a href="${tarballPath}.integrity">integrity</a> · as one file: <a href="${clientPath}itemtape.js">itemtape.js</a> with <a href="${clientPath}itemtape.d.ts">itemtape.d.ts</a></p>
<h2>Python</h2>
<p>One file for Python 3.9 and later, which needs the standard library only.</p>
<pre tabindex="0"><code>curl -O ${base}${clientPath}itemtape.py</code></pre>
<p><a href="${clientPath}itemtape.py">itemtape.py</a></p>
${reviewPart(base)}<p class="muted">A key belongs on a server or in a command line tool, never in a page: this API answers no page of another origin.</p>`,
    "/docs",
  );
}

/** Returns the section about contract reviews; "" in a checkout, in which npm runs them. */
function reviewPart(base: string) {
  if (!existsSync(fileOfProgram(contractDiffFile))) return "";
  return html`<h2>Contract review</h2>
<p>One file for Node 20 and later compares the contract that you generated from with the one that this server serves.</p>
<pre tabindex="0"><code>curl -O ${base}${reviewPath}
node contract-diff.mjs used.json ${base}/openapi.json</code></pre>
<p><a href="${reviewPath}">contract-diff.mjs</a></p>
`;
}

let tarballOnce: Promise<Buffer> | null = null;

/** Returns the package, packed once. A failure is retried at the next call. */
function tarball(): Promise<Buffer> {
  tarballOnce ??= packTarball(packed.map((name) => ({ name, content: read(name) }))).catch((error: unknown) => {
    tarballOnce = null;
    throw error;
  });
  return tarballOnce;
}

function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

function read(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}
