import { checkChangelog } from "./changelog-rules.ts";
import { checkComponents } from "./component-rules.ts";
import { documentOf, type Node, node, parseText } from "./document.ts";
import type { Finding } from "./finding.ts";
import { checkExamples, checkOperations } from "./operation-rules.ts";
import { checkSchemas } from "./schema-rules.ts";
import { checkText } from "./text-rules.ts";

/** Returns every breach of the project's own rules in the text of openapi.yaml; what common linters check is left to them. */
export function findBreaches(documentText: string): Finding[] {
  const written = parseText(documentText);
  return [...findDocumentBreaches(documentOf(written)), ...checkText(documentText, written)];
}

/** The rules about the parsed document, in parts that do not depend on each other. */
export const documentChecks: readonly ((document: Node) => Finding[])[] = [
  checkRoot,
  checkChangelog,
  checkOperations,
  checkExamples,
  checkSchemas,
  checkComponents,
];

/** Finds breaches as `findBreaches` does, in a parsed document and without the rules about its text. */
export function findDocumentBreaches(document: Node): Finding[] {
  return documentChecks.flatMap((check) => check(document));
}

function checkRoot(document: Node): Finding[] {
  const info = node(document.info);
  const findings: Finding[] = [];
  if (String(document.openapi) !== "3.1.0") findings.push({ rule: "root", at: "#/openapi", message: "must be 3.1.0" });
  if ("summary" in info)
    findings.push({ rule: "root", at: "#/info/summary", message: "tools drop it; use description" });
  if ("identifier" in node(info.license)) {
    findings.push({ rule: "root", at: "#/info/license/identifier", message: "tools drop it; use url" });
  }
  if (!String(info.description).includes("preview")) {
    findings.push({ rule: "root", at: "#/info/description", message: "must hold the preview notice" });
  }
  return findings;
}
