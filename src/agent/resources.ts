import type { Resource, TextResourceContents } from "@modelcontextprotocol/sdk/types.js";
import type { Contract } from "../contract/document.ts";
import { type Node, node } from "./contract-view.ts";

const contractUri = "itemtape://contract/openapi.json";
const problemsUri = "itemtape://contract/problems";

/** Resources beside the tools: they need no key and cost nothing. */
export const resources: readonly Resource[] = [
  {
    uri: contractUri,
    name: "openapi.json",
    title: "The contract",
    description: "The OpenAPI 3.1 document that the tools are made from. Large.",
    mimeType: "application/json",
  },
  {
    uri: problemsUri,
    name: "problems",
    title: "Codes of refusals",
    description: "Every code of the API with its HTTP status and meaning, one a line.",
    mimeType: "text/plain",
  },
];

/** The text of a resource; null where there is none of that address. */
export function readResource(contract: Contract, uri: string): TextResourceContents | null {
  if (uri === contractUri) return { uri, mimeType: "application/json", text: contract.json.toString("utf8") };
  if (uri === problemsUri) return { uri, mimeType: "text/plain", text: problemLines(contract).join("\n") };
  return null;
}

/** Out of the problems that the contract shows as examples. */
function problemLines({ document }: Contract): string[] {
  const components = node((document as unknown as Node).components);
  const lines = Object.values(node(components.examples)).flatMap((example) => {
    const { code, status, title } = node(node(example).value);
    return typeof code === "string" && typeof status === "number" ? [`${status} ${code}: ${String(title)}`] : [];
  });
  return [...new Set(lines)].sort();
}
