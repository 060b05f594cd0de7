import { type ProblemEntry, problems, streamProblems } from "../../api/problems.ts";
import type { Contract } from "../../contract/document.ts";
import { type Documented, referencePath, termsOf } from "./documented.ts";
import { sampleEndings, sampleLanguages } from "./samples/sample.ts";
import { samplePath } from "./samples/target.ts";
import type { Guide } from "./side-list.ts";

/** Section of the contract's description that is not about the service. */
const aboutDocument = "Extensions of this document";

/**
 * Writes the service's `llms.txt` in the format of llmstxt.org, with links to `base` (an origin). Most of its text is from the contract.
 */
export function llmsText(
  { document }: Contract,
  operations: readonly Documented[],
  guides: readonly Guide[],
  base: string,
): string {
  const { title, version, description = "" } = document.info;
  const [intro = "", ...parts] = description.split(/^## /m);
  const [summary = "", ...notes] = intro.trim().split("\n\n");
  const ruleTexts = parts.flatMap((part) => {
    const [heading = "", ...text] = part.trim().split("\n");
    return heading === aboutDocument ? [] : [`**${heading}**\n\n${text.join("\n").trim()}`];
  });
  return `${[
    `# ${title}`,
    `> ${summary.replaceAll("\n", " ")}`,
    ...notes,
    ...ruleTexts,
    `**Tools for agents**\n\n\`npx itemtape mcp --url ${base}\` is an MCP server. It has a read-only tool for every operation of this contract except \`streamHistoryDay\` and \`streamMarketChanges\`. It is part of this service's checkout. A client without dependencies for TypeScript and JavaScript: \`npm install ${base}/client/itemtape-client.tgz\`. One for Python 3.9 and later, one file without packages: ${base}/client/itemtape.py`,
    `## Contract and documentation\n\n${documents(base, version).join("\n")}`,
    `## Guides\n\n${guideLines(guides, base).join("\n")}`,
    `## Operations\n\n${operations.map((operation) => operationLine(operation, base)).join("\n")}`,
    `## Problems\n\n${problemLines(base).join("\n")}`,
  ].join("\n\n")}\n`;
}

function documents(base: string, version: string): string[] {
  return [
    `- [Contract](${base}/openapi.json): OpenAPI 3.1, version ${version}; authoritative for every field, bound and example.`,
    `- [Reference](${base}/docs): the same for people, with requests to try and code samples.`,
    `- [Clients](${base}/client/): to be installed from this server by address.`,
    `- [Status](${base}/v1/status): whether the local data can be read; needs no key.`,
    `- [Problems](${base}/problems): every error code with cause, fix and whether to retry.`,
  ];
}

function guideLines(guides: readonly Guide[], base: string): string[] {
  return guides.map(({ path, title, description }) => `- [${title}](${base}${path}.md): ${description}`);
}

function operationLine(operation: Documented, base: string): string {
  const { operationId, method, path, summary } = operation;
  const samples = sampleEndings.map(
    (ending) => `[${sampleLanguages[ending].name}](${base}${samplePath(operationId, ending)})`,
  );
  return `- [${operationId}](${base}${referencePath(operation)}): \`${method} ${path}\`. ${summary}. ${termsOf(operation)} Samples: ${samples.join(", ")}.`;
}

function problemLines(base: string): string[] {
  const refusals = Object.entries<ProblemEntry>(problems).map(([code, entry]) => ({
    code,
    where: `HTTP ${entry.status}`,
    ...entry,
  }));
  const broken = Object.entries(streamProblems).map(([code, entry]) => ({ code, where: "in an export", ...entry }));
  return [...refusals, ...broken].map(
    ({ code, where, title, retry }) => `- [${code}](${base}/problems/${code}): ${where}. ${title}. Retry: ${retry}`,
  );
}
