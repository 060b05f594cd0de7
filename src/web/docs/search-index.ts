import { type ProblemEntry, problems, streamProblems } from "../../api/problems.ts";
import type { Contract } from "../../contract/document.ts";
import { textOf } from "./contract-node.ts";
import { type Documented, referencePath } from "./documented.ts";
import { sectionsOf } from "./markdown.ts";
import { operationNode } from "./reference/reference.ts";

/** A searchable part of the documentation: address, page title, part title, and the distinct words of its text. */
type SearchEntry = readonly [path: string, title: string, part: string, words: string];

/** Words that occur in every text, and are not indexed. */
const commonWords = new Set(
  "a an and are as at be by for from has have if in is it its no not of on or that the to with".split(" "),
);

/** Maximum length of an indexed word; longer words are ids and file names. */
const wordMax = 30;

/**
 * Returns the search index: operations, sections of the conventions and guides, and problems.
 * @param guides Markdown by page path.
 */
export function searchEntries(
  contract: Contract,
  operations: readonly Documented[],
  guides: ReadonlyMap<string, { title: string; text: string }>,
): SearchEntry[] {
  const reference = operations.map((operation): SearchEntry => {
    const { operationId, summary, method, path, tag, names, codes } = operation;
    const { description } = operationNode({ contract }, operation);
    const text = [method, path, tag, ...names, ...codes, textOf(description)].join(" ");
    return [referencePath(operation), operationId, summary, wordsOf(text)];
  });
  const { description = "" } = contract.document.info;
  const refusals = Object.entries<Pick<ProblemEntry, "title" | "cause" | "fix" | "retry">>({
    ...problems,
    ...streamProblems,
  });
  return [
    ...reference,
    ...sectionEntries("/docs/conventions", "Conventions", description),
    ...[...guides].flatMap(([path, { title, text }]) => sectionEntries(path, title, text)),
    ...refusals.map(
      ([code, { title, cause, fix, retry }]): SearchEntry => [
        `/problems/${code}`,
        code,
        title,
        wordsOf(`${cause} ${fix} ${retry}`),
      ],
    ),
  ];
}

function sectionEntries(path: string, title: string, markdown: string): SearchEntry[] {
  const { intro, sections } = sectionsOf(markdown);
  return [
    [path, title, "", wordsOf(intro)],
    ...sections.map(({ id, title: part, text }): SearchEntry => [`${path}#${id}`, title, part, wordsOf(text)]),
  ];
}

function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/\p{L}(?:[\p{L}\p{N}_.-]*[\p{L}\p{N}])?/gu) ?? [];
  return [...new Set(words)].filter((word) => !commonWords.has(word) && word.length <= wordMax).join(" ");
}
