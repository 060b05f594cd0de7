import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Contract } from "../../contract/document.ts";
import { type BrowserFile, ownFiles } from "../browser/files.ts";
import type { Documented } from "./documented.ts";
import { guideList } from "./guides.ts";
import { llmsText } from "./llms.ts";
import { docsPage } from "./page.ts";
import { sampleEndings, samplePath, sampleText } from "./samples/sample.ts";

/** The policy of the other pages, and the pictures inside the library's style sheet. Nothing is asked of another origin. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const library = createRequire(import.meta.url);

/** The reference and its scripts and styles, by path. */
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

/** Texts that name the server they come from: the samples and llms.txt. By path, each written for an origin. */
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
