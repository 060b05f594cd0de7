import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { contractDiffFile, fileOfProgram, isBuilt, packageList } from "../../values/root.ts";
import { html } from "../html.ts";
import type { Page } from "../send-page.ts";
import { plainPage } from "../shell.ts";
import { packTarball } from "./tarball.ts";

/** Path of the page about the clients. Their files are below it. */
export const clientPath = "/client/";
/** Path of the package for npm, Deno and Bun. */
export const tarballPath = `${clientPath}itemtape-client.tgz`;
const programPath = `${clientPath}itemtape.tgz`;
const reviewPath = `${clientPath}contract-diff.mjs`;

const folder = "generated/client/";
const packed = ["LICENSE", "README.md", "itemtape.d.ts", "itemtape.js", "package.json"];
const javascript = "text/javascript; charset=utf-8";
const typescript = "text/typescript; charset=utf-8";
const python = "text/x-python; charset=utf-8";
/** Single files by their names below `clientPath`. */
const singleFiles: Readonly<Record<string, readonly [mediaType: string, path: string]>> = {
  "itemtape.js": [javascript, `${folder}itemtape.js`],
  "itemtape.d.ts": [typescript, `${folder}itemtape.d.ts`],
  "itemtape.py": [python, `${folder}itemtape.py`],
  "adapter.mjs": [javascript, "src/kit/adapters/adapter.mjs"],
  "adapter.py": [python, "src/kit/adapters/adapter.py"],
  // Only a built package contains the contract diff.
  ...(isBuilt && { "contract-diff.mjs": [javascript, contractDiffFile] as const }),
};

type Written = () => Promise<Page>;

/** Returns the client files by path. Each is read or packed on first use. */
export function clientFiles(): ReadonlyMap<string, Written> {
  const single = Object.entries(singleFiles).map(([name, [mediaType, path]]): [string, Written] => [
    clientPath + name,
    async () => ({ mediaType, body: read(path) }),
  ]);
  const packages: [string, Written][] = [[tarballPath, clientPackage] as const, [programPath, program] as const]
    .slice(0, isBuilt ? 2 : 1)
    .flatMap(([path, pack]) => [
      [path, async () => ({ mediaType: "application/gzip", body: await pack() })],
      [
        `${path}.integrity`,
        async () => ({ mediaType: "text/plain; charset=utf-8", body: `${integrityOf(await pack())}\n` }),
      ],
    ]);
  return new Map([...single, ...packages]);
}

/** Returns the page about the clients of the service at `base` (an origin). */
export function clientPage(base: string): string {
  return plainPage(
    "Clients · Itemtape",
    html`<p class="crumbs"><a href="/docs">Reference</a> · <a href="/docs/guides/clients">Guide</a></p>
<h1>Clients</h1>
<p>Install a client from this server by its address. Registries do not have it; a package of that name there is not ours.</p>
<h2>TypeScript and JavaScript</h2>
<p>One module without dependencies, for Node 20 and later, Deno and Bun.</p>
<pre tabindex="0"><code>npm install ${base}${tarballPath}</code></pre>
<p><a href="${tarballPath}">itemtape-client.tgz</a> · its <a href="${tarballPath}.integrity">integrity</a> · as one file: <a href="${clientPath}itemtape.js">itemtape.js</a> with <a href="${clientPath}itemtape.d.ts">itemtape.d.ts</a></p>
<h2>Python</h2>
<p>One file for Python 3.9 and later, which needs the standard library only.</p>
<pre tabindex="0"><code>curl -O ${base}${clientPath}itemtape.py</code></pre>
<p><a href="${clientPath}itemtape.py">itemtape.py</a></p>
${programPart(base)}<p class="muted">Keep keys on a server or in a command line tool, never in a page: this API refuses pages of other origins.</p>`,
    "/docs",
  );
}

/** Returns the section about the kit, the sandbox and contract reviews. Only a built package serves them. */
function programPart(base: string) {
  const intro = html`<h2>Conformance kit and sandbox</h2>
<p>The <a href="/docs/guides/kit">conformance kit</a> plays limits, outages and broken streams to a client and checks its requests and results. Adapters: <a href="${clientPath}adapter.mjs">adapter.mjs</a> · <a href="${clientPath}adapter.py">adapter.py</a></p>
`;
  if (!isBuilt) {
    return html`${intro}<p>This server runs from a checkout. To install the kit elsewhere, pack the checkout:</p>
<pre tabindex="0"><code>npm pack ./scripts/package</code></pre>
`;
  }
  return html`${intro}<pre tabindex="0"><code>npm install ${base}${programPath}
curl -O ${base}${clientPath}adapter.mjs
npx itemtape kit run --client "node adapter.mjs"</code></pre>
<p><a href="${programPath}">itemtape.tgz</a> · its <a href="${programPath}.integrity">integrity</a></p>
<h2>Contract review</h2>
<p>One file for Node 20 and later compares your generated client's contract with this server's contract.</p>
<pre tabindex="0"><code>curl -O ${base}${reviewPath}
node contract-diff.mjs used.json ${base}/openapi.json</code></pre>
<p><a href="${reviewPath}">contract-diff.mjs</a></p>
`;
}

const clientPackage = compressedOnce(() => packed.map((name) => ({ name, content: read(folder + name) })));
const program = compressedOnce(() =>
  read(packageList)
    .toString()
    .trimEnd()
    .split("\n")
    .map((name) => ({ name, content: read(name) })),
);

/** Returns a function that packs once. A failure is retried at the next call. */
function compressedOnce(files: () => Parameters<typeof packTarball>[0]): () => Promise<Buffer> {
  let once: Promise<Buffer> | null = null;
  return () => {
    once ??= Promise.resolve()
      .then(() => packTarball(files()))
      .catch((error: unknown) => {
        once = null;
        throw error;
      });
    return once;
  };
}

function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

function read(path: string): Buffer {
  return readFileSync(fileOfProgram(path));
}
