import type { Contract } from "../../contract/document.ts";
import { html } from "../html.ts";
import { docsPage, docsPolicy } from "./docs-frame.ts";
import { type Documented, referencePath } from "./documented.ts";
import { guidePage } from "./guide-page.ts";
import { guideGroups, guideList, guideTexts } from "./guides.ts";
import { llmsText } from "./llms.ts";
import { operationArticle, originMark } from "./reference/operation-page.ts";
import { conventions, overviewArticle } from "./reference/overview-page.ts";
import { createReference } from "./reference/reference.ts";
import { sampleEndings, sampleText } from "./samples/sample.ts";
import { samplePath } from "./samples/target.ts";
import { searchEntries } from "./search-index.ts";

/** A text that contains the server's origin. `policy` overrides the default Content-Security-Policy. */
export type DocsText = {
  readonly mediaType: string;
  readonly policy?: string;
  /** Whether pages of other origins may read the text. */
  readonly anyOrigin?: boolean;
  readonly write: (base: string) => string;
};

const overviewPath = "/docs";
const conventionsPath = "/docs/conventions";

/**
 * Returns the texts that contain the server's origin, by path: reference, samples and llms.txt. Pages are rendered once on first use; later
 * requests only insert the origin.
 */
export function docsTexts(contract: Contract, operations: readonly Documented[]): ReadonlyMap<string, DocsText> {
  const samples = operations.flatMap((operation) =>
    sampleEndings.map((ending): [string, DocsText] => [
      samplePath(operation.operationId, ending),
      plainText((base) => sampleText(operation, ending, base)),
    ]),
  );
  return new Map([
    ["/docs/search.json", searchIndex(contract, operations)],
    ["/llms.txt", plainText((base) => llmsText(contract, operations, guideList(), base))],
    ...samples,
    ...referencePages(contract, operations),
  ]);
}

function referencePages(contract: Contract, operations: readonly Documented[]): [string, DocsText][] {
  const reference = createReference(contract, operations);
  const side = { operations, guides: guideGroups() };
  const overview = () =>
    docsPage({
      path: overviewPath,
      title: "Docs",
      article: overviewArticle(reference),
      side,
      script: "overview.js",
      isWide: true,
    });
  const pages = operations.map((operation): [string, DocsText] => {
    const path = referencePath(operation);
    const page = () =>
      docsPage({
        path,
        title: operation.operationId,
        article: operationArticle(operation, reference),
        side,
        script: "operation.js",
        isWide: true,
      });
    return [path, pageText(page)];
  });
  return [
    [overviewPath, pageText(overview)],
    [conventionsPath, pageText(() => guidePage(conventionsPath, conventions(reference), side))],
    ...pages,
  ];
}

function pageText(render: () => string): DocsText {
  let page: string | null = null;
  return {
    mediaType: "text/html; charset=utf-8",
    policy: docsPolicy,
    write: (base) => {
      page ??= render();
      return page.replaceAll(originMark, () => html`${base}`.text);
    },
  };
}

function searchIndex(contract: Contract, operations: readonly Documented[]): DocsText {
  let text: string | null = null;
  const write = () => {
    text ??= JSON.stringify(searchEntries(contract, operations, guideTexts()));
    return text;
  };
  return { mediaType: "application/json", write };
}

function plainText(write: (base: string) => string): DocsText {
  return { mediaType: "text/plain; charset=utf-8", write };
}
