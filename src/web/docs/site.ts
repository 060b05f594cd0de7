import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Contract } from "../../contract/document.ts";
import { type BrowserFile, ownFiles } from "../browser/files.ts";
import { html } from "../html.ts";
import { policyOf } from "../send-page.ts";
import { shell } from "../shell.ts";
import type { Documented } from "./documented.ts";
import { guideList } from "./guides.ts";
import { llmsText } from "./llms.ts";
import { sampleEndings, sampleText } from "./samples/sample.ts";
import { samplePath } from "./samples/target.ts";

/** The library's style sheet holds pictures. Nothing is asked of another origin. */
const policy = policyOf({ "script-src": "'self'", "img-src": "'self' data:", "connect-src": "'self'" });

const library = createRequire(import.meta.url);

/** Returns the reference and its scripts and styles, by path. */
export function docsFiles(): [string, BrowserFile][] {
  const file = (mediaType: string, body: string | Buffer): BrowserFile => ({ mediaType, body, policy });
  const part = (name: string) => readFileSync(library.resolve(`swagger-ui-dist/${name}`));
  return [
    ["/docs", file("text/html; charset=utf-8", docsPage())],
    ["/docs/swagger-ui.js", file("text/javascript; charset=utf-8", part("swagger-ui-bundle.js"))],
    ["/docs/swagger-ui.css", file("text/css; charset=utf-8", part("swagger-ui.css"))],
    ...ownFiles("/docs/browser/"),
  ];
}

/** Returns the texts that name the server they come from: the samples and llms.txt. By path, each written for an origin. */
export function docsTexts(
  contract: Contract,
  operations: readonly Documented[],
): ReadonlyMap<string, (base: string) => string> {
  const guides = guideList();
  const samples = operations.flatMap((operation) =>
    sampleEndings.map((ending): [string, (base: string) => string] => [
      samplePath(operation.operationId, ending),
      (base) => sampleText(operation, ending, base),
    ]),
  );
  return new Map([["/llms.txt", (base: string) => llmsText(contract, operations, guides, base)], ...samples]);
}

/** Returns the page of the reference. Its content is made in the browser out of the contract that this server serves. */
function docsPage(): string {
  return shell({
    title: "API reference · Itemtape",
    current: "/docs",
    styles: ["/docs/swagger-ui.css", "/docs/browser/docs.css"],
    scripts: ["/docs/swagger-ui.js", "/docs/browser/main.mjs"],
    main: html`<noscript><p>This page needs JavaScript; the contract does not: see <a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a> and the <a href="/docs/guides/">guides</a>.</p></noscript>
<p id="status" class="status" role="status">Reading the contract…</p>
<div id="reference"></div>`,
  });
}
